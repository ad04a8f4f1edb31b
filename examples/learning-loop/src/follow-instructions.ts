/**
 * Interprets the instructions of a procedure: one rule per line; the first that finds an amount
 * wins. A language model would read prose here; rules make every run the same.
 */

/** The result of following instructions. */
export interface Reading {
  /** The amount found, in cents; `null` when no rule found one. */
  readonly totalCents: number | null;
  /** Number of rules tried, as the cost of the reading. */
  readonly rulesTried: number;
}

const AMOUNT = /(\d{1,9}\.\d{2}) EUR/g;
const AFTER = /^after "(.+)"$/;

/** Reads the total of an invoice with the given instructions. */
export function followInstructions(instructions: string, text: string): Reading {
  const rules = instructions.split('\n');
  for (const [index, rule] of rules.entries()) {
    const totalCents = applied(rule, text);
    if (totalCents !== undefined) return { totalCents, rulesTried: index + 1 };
  }
  return { totalCents: null, rulesTried: rules.length };
}

function applied(rule: string, text: string): number | undefined {
  const [, label] = AFTER.exec(rule) ?? [];
  if (label !== undefined) {
    const at = text.indexOf(`${label}: `);
    return at === -1 ? undefined : amountsIn(text.slice(at))[0];
  }
  const amounts = amountsIn(text);
  if (rule === 'first amount') return amounts[0];
  if (rule === 'largest amount') return amounts.length === 0 ? undefined : Math.max(...amounts);
  throw new Error(`No rule is called ${rule}.`);
}

/** Returns the amounts in a text, in cents. */
function amountsIn(text: string): number[] {
  return Array.from(text.matchAll(AMOUNT), ([, digits]) => Math.round(Number(digits) * 100));
}
