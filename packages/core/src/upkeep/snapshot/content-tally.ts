/** Counts and digests the entries of a store by subspace, and decodes every value. */
import { sha256Stream, sha256Text } from '../../contract/digest.js';
import { isSealed, verifiesSealed } from '../../storage/sealing/sealed-value.js';
import { storeError } from '../../storage/store/store-error.js';
import type { Entry } from '../../storage/store/store.js';
import {
  families,
  familyNames,
  familyOfKey,
  type FamilyName,
  sourceOf,
} from '../families/families.js';

const DIGEST_SPAN = 1n << 256n;

/** The entries of a subspace. */
export interface FamilyReport {
  readonly family: FamilyName;
  readonly records: number;
  /** Over keys and values in any order, in lower-case hexadecimal. */
  readonly sha256: string;
  /** Index entries derived from its records. */
  readonly derived_entries: number;
}

/** The content of a store. */
export interface ContentReport {
  /** Entries of each subspace. */
  readonly records: Readonly<Record<FamilyName, number>>;
  /** The subspaces that are not derived. */
  readonly families: readonly FamilyReport[];
}

/** Collects the content of a store, entry by entry. */
export class ContentTally {
  readonly #counts = new Map<FamilyName, number>();
  readonly #sums = new Map<FamilyName, bigint>();
  readonly #damaged = new Map<string, number>();

  /** Adds an entry to the count and digest of its subspace. Copies nothing. */
  add({ key, value }: Entry): void {
    const family = familyOfKey(key);
    if (family === undefined) {
      increase(this.#damaged, 'no family');
      return;
    }
    increase(this.#counts, family);
    // Digest first: decoding may invalidate the borrowed bytes.
    if (families[family].facts.derived === undefined) this.#digest(family, key, value);
    if (!verifies(family, key, value)) increase(this.#damaged, family);
  }

  /**
   * Returns the content.
   * @throws {AgentkeepError} `storage_inconsistency` if a value didn't verify, or if a derived
   * subspace lacks an entry of a record.
   */
  report(): ContentReport {
    const faults = [
      ...Array.from(this.#damaged, ([family, count]) => `${count} of ${family} do not verify`),
      ...this.#unmatched(),
    ];
    if (faults.length > 0) throw storeError('storage_inconsistency', `${faults.join('; ')}.`);
    const sources = familyNames.filter((name) => families[name].facts.derived === undefined);
    return {
      records: Object.fromEntries(
        familyNames.map((name) => [name, this.#count(name)]),
      ) as ContentReport['records'],
      families: sources.map((family) => ({
        family,
        records: this.#count(family),
        sha256: this.#sha256(family),
        derived_entries: this.#derivedEntries(family),
      })),
    };
  }

  /** Adds a digest to a sum, which doesn't depend on order. Equal entries don't cancel out. */
  #digest(family: FamilyName, key: Uint8Array, value: Uint8Array): void {
    const size = Buffer.allocUnsafe(4);
    size.writeUInt32BE(key.length);
    const digest = sha256Stream().update(size).update(key).update(value).digestText('hex');
    const sum = (this.#sums.get(family) ?? 0n) + BigInt(`0x${digest}`);
    this.#sums.set(family, sum % DIGEST_SPAN);
  }

  #sha256(family: FamilyName): string {
    const sum = (this.#sums.get(family) ?? 0n).toString(16).padStart(64, '0');
    return sha256Text(`${this.#count(family)}:${sum}`, 'hex');
  }

  #unmatched(): string[] {
    return familyNames.flatMap((name) => {
      const source = sourceOf(name);
      if (source === undefined || families[name].facts.derived?.isOneEach !== true) return [];
      if (this.#count(name) === this.#count(source)) return [];
      return [`${name} has ${this.#count(name)} entries for ${this.#count(source)} of ${source}`];
    });
  }

  #derivedEntries(family: FamilyName): number {
    const derived = familyNames.filter((name) => sourceOf(name) === family);
    return derived.reduce((sum, name) => sum + this.#count(name), 0);
  }

  #count(family: FamilyName): number {
    return this.#counts.get(family) ?? 0;
  }
}

/** Returns whether a value can be decoded. A sealed one has a checksum of its own. */
function verifies(family: FamilyName, key: Uint8Array, value: Uint8Array): boolean {
  if (isSealed(value)) return verifiesSealed(key, value);
  try {
    families[family].open(key, value);
    return true;
  } catch {
    return false;
  }
}

function increase<N>(counts: Map<N, number>, name: N): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
