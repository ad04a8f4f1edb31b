/** The families of a store as one value, which what walks whole stores is given. */
import type { CountEntry, ListedFamily } from '../store/family.js';
import { tenantEnd } from '../store/key.js';

/** A family of any kind of entries. */
export type StoredFamily = ListedFamily<string>;

/** All families, found by name, by number and by key. */
export class Families {
  /** In the order of the key space. */
  readonly all: readonly StoredFamily[];
  /** All names, in the order of the key space. */
  readonly names: readonly string[];
  readonly #byName = new Map<string, StoredFamily>();
  readonly #byNumber: (StoredFamily | undefined)[] = [];
  readonly #counted: readonly number[];

  /**
   * Puts lists together.
   *
   * @throws {TypeError} for two families with one name or number, and for an unknown source.
   */
  constructor(...lists: readonly (readonly StoredFamily[])[]) {
    this.all = lists.flat().toSorted((one, other) => one.number - other.number);
    this.names = this.all.map(({ name }) => name);
    for (const family of this.all) {
      const other = this.#byNumber[family.number] ?? this.#byName.get(family.name);
      if (other !== undefined)
        throw new TypeError(`${family.name} has the number or the name of ${other.name}.`);
      this.#byNumber[family.number] = family;
      this.#byName.set(family.name, family);
    }
    for (const name of this.names) {
      const source = this.sourceOf(name);
      if (source !== undefined && !this.#byName.has(source))
        throw new TypeError(`${name} is derived from ${source}, which is no family.`);
    }
    this.#counted = this.all
      .filter(({ facts }) => facts.counts !== null)
      .map(({ number }) => number);
  }

  /**
   * Returns the family of a name.
   *
   * @throws {TypeError} if there is none.
   */
  get(name: string): StoredFamily {
    const family = this.#byName.get(name);
    if (family === undefined) throw new TypeError(`${name} is no family.`);
    return family;
  }

  /** Returns the name of the family of a key, or `undefined` if its number is unknown. */
  ofKey(key: Uint8Array): string | undefined {
    const end = tenantEnd(key);
    return end === -1 ? undefined : this.#byNumber[key[end + 1] ?? -1]?.name;
  }

  /** Returns the family that another is derived from; `undefined` for one that is not. */
  sourceOf(name: string): string | undefined {
    return this.get(name).facts.derived?.source ?? undefined;
  }

  /** Returns the counting rule of the family with a number, or `undefined` if it isn't counted. */
  countingRule(number: number): CountEntry | undefined {
    return this.#byNumber[number]?.facts.counts ?? undefined;
  }

  /** Returns the number of the next counted family, in the order of keys. */
  nextCounted(number: number): number | undefined {
    return this.#counted.find((counted) => counted > number);
  }
}
