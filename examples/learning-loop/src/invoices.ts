/**
 * Invoices as a supplier writes them, with the total that a reader should find. No two runs differ.
 *
 * @module
 */

/** One invoice. */
export interface Invoice {
  readonly id: string;
  readonly text: string;
  /** What is to be paid, in cents. */
  readonly totalCents: number;
}

/** How a supplier writes: the second one came later, and prints the total under another name. */
export type Layout = 'total' | 'amount due';

/** As many invoices, numbered from `first`. */
export function invoices(layout: Layout, first: number, count: number): Invoice[] {
  return Array.from({ length: count }, (_, index) => invoiceOf(layout, first + index));
}

function invoiceOf(layout: Layout, number: number): Invoice {
  const items = itemsOf(number);
  const totalCents = items.reduce((sum, cents) => sum + cents, 0);
  // Some customers have paid more than this invoice asks for, so the largest amount misleads.
  const credit = totalCents + 10_000 + number;
  const label = layout === 'total' ? 'Total' : 'Amount due';
  const lines = [
    `Invoice ${String(number)}`,
    ...items.map((cents, at) => `Item ${String(at + 1)}: ${amount(cents)}`),
    `${label}: ${amount(totalCents)}`,
    ...(number % 4 === 0 ? [] : [`Paid so far this year: ${amount(credit)}`]),
  ];
  return { id: `${layout} ${String(number)}`, text: lines.join('\n'), totalCents };
}

/** One to three amounts that depend on the number alone. */
function itemsOf(number: number): number[] {
  const count = 1 + (number % 3);
  return Array.from({ length: count }, (_, at) => 500 + ((number * 7_919 + at * 104_729) % 9_000));
}

function amount(cents: number): string {
  return `${(cents / 100).toFixed(2)} EUR`;
}
