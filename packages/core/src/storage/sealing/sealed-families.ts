/** What is sealed: by whose key the values of a family are, and which texts of its keys. */
import type { FamilyFacts, SealedBy } from '../store/family.js';
import { type KeyShape, tenantEnd } from '../store/key.js';

/** A sealed family, with its number and the shape of its keys. */
export interface SealedFamily {
  readonly number: number;
  readonly shape: KeyShape;
  readonly by: SealedBy;
  /** The text parts of the key that are stored as keyed digests. */
  readonly digests?: readonly number[];
}

/** What is stated of a family. */
interface StatedFamily {
  readonly number: number;
  readonly shape: KeyShape;
  readonly facts: Pick<FamilyFacts, 'sealedBy' | 'digests'>;
}

/** The sealed families of a store, by their numbers. */
export class SealedFamilies {
  /** Number of the family that has the readable form of each namespace. */
  readonly namespaces: number;
  readonly #byNumber: (SealedFamily | undefined)[] = [];

  constructor(families: Iterable<StatedFamily>, namespaces: number) {
    this.namespaces = namespaces;
    for (const { number, shape, facts } of families) {
      const { sealedBy: by, digests } = facts;
      if (by === null) continue;
      this.#byNumber[number] = { number, shape, by, ...(digests === undefined ? {} : { digests }) };
    }
  }

  /** Returns how the family of a key is sealed; `undefined` for one whose values stay readable. */
  of(key: Uint8Array): SealedFamily | undefined {
    const end = tenantEnd(key);
    return end === -1 ? undefined : this.#byNumber[key[end + 1] ?? -1];
  }
}
