/** What a scan asks of the facts of records, and what the facts of a segment say to it. */
import type { WantedFact } from '../../../../kernel/ports/memory-scan.js';
import type { FactColumn, FactColumns } from './fact-columns.js';

/** A fact of the segment that is searched. */
interface Tested {
  readonly column: FactColumn;
  /** By the number of a value: 1 if the value passes the test, 0 if not. */
  readonly passes: Uint8Array;
}

/** The tests of one scan. */
export class ScannedFacts {
  readonly #wanted: readonly WantedFact[];
  #tested: readonly Tested[] = [];

  constructor(wanted: readonly WantedFact[]) {
    this.#wanted = wanted;
  }

  /** Begins with a segment, by its columns; `undefined` if it has none. */
  begin(columns: FactColumns | undefined): void {
    this.#tested = this.#wanted.flatMap(({ name, test }) => {
      const column = columns?.use(name);
      if (column === undefined) return [];
      return {
        column,
        passes: Uint8Array.from([0, ...column.values.map((it) => Number(test(it)))]),
      };
    });
  }

  /** Returns whether an entry can match: `true` and `false` are sure, `undefined` is unknown. */
  decide(index: number): boolean | undefined {
    let isSure = this.#tested.length === this.#wanted.length;
    for (const { column, passes } of this.#tested) {
      const number = column.numbers[index] ?? 0;
      if (number === 0) isSure = false;
      else if (passes[number] === 0) return false;
    }
    return isSure ? true : undefined;
  }
}
