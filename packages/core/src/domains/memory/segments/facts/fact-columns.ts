/** Values of the records of a segment that filters asked for, a column for each fact. */
import type { FactValue, NamedFact } from '../../../../kernel/ports/memory-scan.js';
import type { EntryRange } from '../columns/columns.js';

/** Columns that a segment keeps; beyond them, the one that was asked for longest ago is dropped. */
const COLUMNS_MAX = 16;

/** Values of a column; one with more, which updates leave behind, is begun again. */
const VALUES_MAX = 1_024;

/** Memory of a value of a column beside its characters, in bytes. */
const VALUE_BYTES = 64;

/** Memory of a column without its values, in bytes. */
const COLUMN_BYTES = 256;

/** The number of an entry whose value is not known. */
const UNKNOWN = 0;

/** One fact of all entries. Entries with one value have one number. */
export class FactColumn {
  /** Numbers of values, from 1. */
  readonly numbers: Uint16Array;
  /** The distinct values, by their numbers less 1. */
  readonly values: FactValue[] = [];
  readonly #numberOf = new Map<FactValue, number>();
  bytes: number;

  constructor(name: string, entries: number) {
    this.numbers = new Uint16Array(entries);
    this.bytes = bytesOfColumn(name, entries);
  }

  /** Sets the value of an entry. */
  set(index: number, value: FactValue): void {
    let number = this.#numberOf.get(value);
    if (number === undefined) {
      number = this.values.push(value);
      this.#numberOf.set(value, number);
      this.bytes += bytesOfValue(value);
    }
    this.numbers[index] = number;
  }
}

/** Columns by the names of facts. */
export class FactColumns {
  readonly #entries: number;
  readonly #columns = new Map<string, FactColumn>();
  #bytes = 0;

  constructor(entries: number) {
    this.#entries = entries;
  }

  /** Memory that they take, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the column of a fact, and marks it as asked for. */
  use(name: string): FactColumn | undefined {
    const column = this.#columns.get(name);
    if (column === undefined || this.#columns.size === 1) return column;
    this.#columns.delete(name);
    this.#columns.set(name, column);
    return column;
  }

  /** Returns the most memory that facts of an entry take in addition, in bytes. */
  bytesToLearn(facts: readonly NamedFact[]): number {
    return facts.reduce((bytes, { name, value }) => {
      const column = this.#columns.has(name) ? 0 : bytesOfColumn(name, this.#entries);
      return bytes + column + bytesOfValue(value);
    }, 0);
  }

  /** Learns facts of an entry. */
  learn(index: number, facts: readonly NamedFact[]): void {
    for (const { name, value } of facts) this.#set(name, index, value);
  }

  /** Forgets the facts of an entry. */
  forget(index: number): void {
    for (const { numbers } of this.#columns.values()) numbers[index] = UNKNOWN;
  }

  /** Copies facts of entries of another segment behind the first ones. */
  copy(from: FactColumns, { start, end }: EntryRange, behind: number): void {
    for (const [name, { numbers, values }] of from.#columns) {
      for (let index = start; index < end; index += 1) {
        const number = numbers[index] ?? UNKNOWN;
        if (number !== UNKNOWN) this.#set(name, behind + index - start, values[number - 1]);
      }
    }
  }

  #set(name: string, index: number, value: FactValue): void {
    const known = this.#columns.get(name);
    if (known?.values.length === VALUES_MAX) this.#drop(name, known);
    const column = this.#columns.get(name) ?? this.#newColumn(name);
    this.#bytes -= column.bytes;
    column.set(index, value);
    this.#bytes += column.bytes;
  }

  #newColumn(name: string): FactColumn {
    const [oldest] = this.#columns;
    if (oldest !== undefined && this.#columns.size === COLUMNS_MAX) this.#drop(...oldest);
    const column = new FactColumn(name, this.#entries);
    this.#columns.set(name, column);
    this.#bytes += column.bytes;
    return column;
  }

  #drop(name: string, column: FactColumn): void {
    this.#columns.delete(name);
    this.#bytes -= column.bytes;
  }
}

function bytesOfColumn(name: string, entries: number): number {
  return COLUMN_BYTES + 2 * name.length + 2 * entries;
}

function bytesOfValue(value: FactValue): number {
  return VALUE_BYTES + (typeof value === 'string' ? 2 * value.length : 0);
}
