/** The counting rule of families of which every entry counts as one. */
import type { CountEntry } from '../../storage/store/family.js';
import type { Counter } from './count-name.js';

/** Returns the rule that counts each entry as one of a kind. */
export function eachAs(name: Counter): CountEntry {
  const one = { name, by: 1 };
  return () => one;
}
