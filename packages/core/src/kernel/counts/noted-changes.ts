/**
 * Notes about numbers of entries, which transaction bodies leave beside their writes for the tally.
 */
import type { WriteTx } from '../../storage/store/store.js';
import type { CountName } from './count-name.js';

/** An entry that was added or removed, or that counts for more than before. */
export class CountedChange {
  readonly name: CountName;
  readonly by: number;
  /** The key of the entry that is counted. */
  readonly key: Uint8Array;

  /** States a change of one number. */
  constructor(name: CountName, by: number, key: Uint8Array) {
    this.name = name;
    this.by = by;
    this.key = key;
  }
}

/** Notes a change. It counts once, when the transaction commits. */
export function noteChange(tx: WriteTx, name: CountName, by: number, key: Uint8Array): void {
  if (by !== 0) tx.notes.push(new CountedChange(name, by, key));
}

/** Returns the changes among the notes of a body. */
export function changesIn(notes: readonly object[]): CountedChange[] {
  return notes.filter((note) => note instanceof CountedChange);
}
