/** What the entries of families add to the numbers of entries, by the number of the family. */
import type { CountName } from '../../kernel/counts/count-name.js';
import type { Entry } from '../../storage/store/store.js';
import { families } from './families.js';

/** What an entry adds to the counts. */
export interface Counted {
  readonly name: CountName;
  readonly by: number;
}

type CountEntry = (entry: Entry) => Counted | undefined;

const rules: (CountEntry | undefined)[] = [];
for (const { number, facts } of Object.values(families)) {
  // Owners take the names from `kernel/counts/`, which the lower rooms don't know.
  if (facts.counts !== null) rules[number] = facts.counts as CountEntry;
}

/** The numbers of the counted families, in ascending order. */
const countedNumbers: readonly number[] = Object.keys(rules).map(Number);

/** Returns the counting rule of a family, or `undefined` if it isn't counted. */
export function countingRule(number: number): CountEntry | undefined {
  return rules[number];
}

/** Returns the next counted family, in the order of keys. */
export function nextCounted(number: number): number | undefined {
  return countedNumbers.find((counted) => counted > number);
}
