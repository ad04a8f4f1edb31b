/** Generates invoices with their correct totals, the same on every run. */

export interface Invoice {
  readonly id: string;
  readonly text: string;
  /** The correct total, in cents. */
  readonly totalCents: number;
}

/** The layout of a supplier; the later one labels the total differently. */
export type Layout = 'total' | 'amount due';

/** Returns `count` invoices, numbered from `first`. */
export function invoices(layout: Layout, first: number, count: number): Invoice[] {
  return Array.from({ length: count }, (_, index) => invoiceOf(layout, first + index));
}

function invoiceOf(layout: Layout, number: number): Invoice {
  const items = itemsOf(number);
  const totalCents = items.reduce((sum, cents) => sum + cents, 0);
  // Larger than the total, so that taking the largest amount is wrong for these invoices.
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

/** Returns one to three amounts, derived from the number. */
function itemsOf(number: number): number[] {
  const count = 1 + (number % 3);
  return Array.from({ length: count }, (_, at) => 500 + ((number * 7_919 + at * 104_729) % 9_000));
}

function amount(cents: number): string {
  return `${(cents / 100).toFixed(2)} EUR`;
}
