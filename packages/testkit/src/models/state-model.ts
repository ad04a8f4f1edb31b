/** Earlier states of memory in plain objects, from the contract alone (docs/contract/as-of.md). */
import { type At, type Entry, standingRecord } from './memory-history.js';
import { Refusal } from './outcome.js';

/** The records of a scope as they were; those whose revision is gone are named. */
export interface ModelState {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly gone: ReadonlySet<string>;
}

/** Remembers what every change made of its record. */
export class StateModel {
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #made: (Entry | undefined)[] = [];

  /** Takes the current records. */
  constructor(entries: ReadonlyMap<string, Entry>) {
    this.#entries = entries;
  }

  /** Adds what a change made; `undefined` for one in a branch. */
  add(entry: Entry | undefined): void {
    this.#made.push(entry);
  }

  /** The records of a scope after the first changes, as far as they are kept. */
  stateOf(space: string, changes: number, at: At): ModelState {
    const entries = new Map<string, Entry>();
    const gone = new Set<string>();
    for (const then of this.#made.slice(0, changes)) {
      if (then?.space === space) entries.set(then.record.record_id, then);
    }
    for (const [id, then] of entries) {
      const record = standingRecord(this.#entries.get(id), then.record.revision, at);
      if (record === undefined) gone.add(id);
      else entries.set(id, { ...then, record });
    }
    return { entries, gone };
  }

  /** The revision of a record after the first changes; 0 for none. */
  revisionAt(space: string, id: string, changes: number): number {
    const then = this.#made
      .slice(0, changes)
      .findLast((each) => each?.space === space && each.record.record_id === id);
    return then?.record.revision ?? 0;
  }
}

/** Refuses an answer that needs a record which is gone. */
export function requireKept({ gone }: ModelState, recordId?: string): void {
  const isGone = recordId === undefined ? gone.size > 0 : gone.has(recordId);
  if (isGone) throw new Refusal('history_gone');
}
