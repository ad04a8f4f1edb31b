/**
 * What a transaction changes in the numbers of entries. Whoever adds or removes a counted entry
 * notes it beside the write; the tally takes the notes once the body has run.
 * @module
 */
import type { WriteTx } from '../../storage/store/store.js';
import type { CountName } from './count-name.js';

/** One entry that came, went, or counts for more than before. */
export interface CountedChange {
  readonly name: CountName;
  readonly by: number;
  /** The key of the entry that stands for what is counted. */
  readonly key: Uint8Array;
}

const NO_CHANGES: readonly CountedChange[] = [];
const noted = new WeakMap<WriteTx, CountedChange[]>();

/** Notes a change; it counts only if the transaction commits, and once however often it ran. */
export function noteChange(tx: WriteTx, name: CountName, by: number, key: Uint8Array): void {
  if (by === 0) return;
  const change = { name, by, key };
  const known = noted.get(tx);
  if (known === undefined) noted.set(tx, [change]);
  else known.push(change);
}

/** The changes that the body of a transaction has noted; they are forgotten here. */
export function takeChanges(tx: WriteTx): readonly CountedChange[] {
  const changes = noted.get(tx);
  if (changes === undefined) return NO_CHANGES;
  noted.delete(tx);
  return changes;
}
