/** Counts and digests the entries of a store by subspace, and decodes every value. */
import { sha256Stream, sha256Text } from '../../contract/digest.js';
import { isSealed, verifiesSealed } from '../../storage/sealing/sealed-value.js';
import { storeError } from '../../storage/store/store-error.js';
import type { Entry } from '../../storage/store/store.js';
import type { Families } from '../../storage/families/families.js';

const DIGEST_SPAN = 1n << 256n;

/** The entries of a subspace. */
export interface FamilyReport {
  readonly family: string;
  readonly records: number;
  /** Over keys and values in any order, in lower-case hexadecimal. */
  readonly sha256: string;
  /** Index entries derived from its records. */
  readonly derived_entries: number;
}

/** The content of a store. */
export interface ContentReport {
  /** Entries of each subspace. */
  readonly records: Readonly<Record<string, number>>;
  /** The subspaces that are not derived. */
  readonly families: readonly FamilyReport[];
}

/** Collects the content of a store, entry by entry. */
export class ContentTally {
  readonly #families: Families;
  readonly #counts = new Map<string, number>();
  readonly #sums = new Map<string, bigint>();
  readonly #damaged = new Map<string, number>();

  constructor(families: Families) {
    this.#families = families;
  }

  /** Adds an entry to the count and digest of its subspace. Copies nothing. */
  add({ key, value }: Entry): void {
    const family = this.#families.ofKey(key);
    if (family === undefined) {
      increase(this.#damaged, 'no family');
      return;
    }
    increase(this.#counts, family);
    // Digest first: decoding may invalidate the borrowed bytes.
    if (this.#families.get(family).facts.derived === undefined) this.#digest(family, key, value);
    if (!this.#verifies(family, key, value)) increase(this.#damaged, family);
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
    const sources = this.#families.names.filter(
      (name) => this.#families.get(name).facts.derived === undefined,
    );
    return {
      records: Object.fromEntries(this.#families.names.map((name) => [name, this.#count(name)])),
      families: sources.map((family) => ({
        family,
        records: this.#count(family),
        sha256: this.#sha256(family),
        derived_entries: this.#derivedEntries(family),
      })),
    };
  }

  /** Adds a digest to a sum, which doesn't depend on order. Equal entries don't cancel out. */
  #digest(family: string, key: Uint8Array, value: Uint8Array): void {
    const size = Buffer.allocUnsafe(4);
    size.writeUInt32BE(key.length);
    const digest = sha256Stream().update(size).update(key).update(value).digestText('hex');
    const sum = (this.#sums.get(family) ?? 0n) + BigInt(`0x${digest}`);
    this.#sums.set(family, sum % DIGEST_SPAN);
  }

  #sha256(family: string): string {
    const sum = (this.#sums.get(family) ?? 0n).toString(16).padStart(64, '0');
    return sha256Text(`${this.#count(family)}:${sum}`, 'hex');
  }

  #unmatched(): string[] {
    return this.#families.names.flatMap((name) => {
      const source = this.#families.sourceOf(name);
      if (source === undefined || this.#families.get(name).facts.derived?.isOneEach !== true)
        return [];
      if (this.#count(name) === this.#count(source)) return [];
      return [`${name} has ${this.#count(name)} entries for ${this.#count(source)} of ${source}`];
    });
  }

  #derivedEntries(family: string): number {
    const derived = this.#families.names.filter((name) => this.#families.sourceOf(name) === family);
    return derived.reduce((sum, name) => sum + this.#count(name), 0);
  }

  /** Returns whether a value can be decoded. A sealed one has a checksum of its own. */
  #verifies(family: string, key: Uint8Array, value: Uint8Array): boolean {
    if (isSealed(value)) return verifiesSealed(key, value);
    try {
      this.#families.get(family).open(key, value);
      return true;
    } catch {
      return false;
    }
  }

  #count(family: string): number {
    return this.#counts.get(family) ?? 0;
  }
}

function increase<N>(counts: Map<N, number>, name: N): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
