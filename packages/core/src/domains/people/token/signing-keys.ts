/**
 * The keys of a keep: one signs, all verify. Without a configured key, one is generated when it is
 * first needed and kept in the store.
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { Clock } from '../../../kernel/ports/clock.js';
import { replaceSetting } from '../../../kernel/installation/security-settings.js';
import type { ReadTx, Transactions } from '../../../storage/store/store.js';
import {
  exportSigningKey,
  generateSigningKey,
  importSigningKey,
  type SigningKey,
  type VerifyingKey,
} from './rsa-key.js';
import {
  agreeOnSigningKey,
  findSigningKey,
  firstSigningKey,
  type StoredSigningKey,
} from './signing-key-store.js';

/** Configured keys. */
export interface GivenKeys {
  /** Signs and verifies instead of the stored key. */
  readonly signing: SigningKey | undefined;
  /** Verifies only. */
  readonly additional: VerifyingKey | undefined;
}

/** Sources of the keys. */
export interface SigningKeysParts {
  readonly store: Transactions;
  readonly clock: Clock;
  readonly given: GivenKeys;
  /** Replaces key generation in tests. */
  readonly generate?: () => Promise<SigningKey>;
}

/** Finds keys, and generates the first one. */
export class SigningKeys {
  readonly #parts: SigningKeysParts;
  readonly #known = new Map<string, VerifyingKey>();
  #signing: Promise<SigningKey> | undefined;

  constructor(parts: SigningKeysParts) {
    this.#parts = parts;
    const { signing, additional } = parts.given;
    for (const key of [signing, additional]) if (key !== undefined) this.#know(key);
    if (signing !== undefined) this.#signing = Promise.resolve(signing);
  }

  /**
   * Returns the signing key.
   * @throws {AgentkeepError} `storage_inconsistency` if the stored key doesn't verify; errors of
   * the store.
   */
  signing(): Promise<SigningKey> {
    if (this.#signing === undefined) {
      const found = this.#findOrMake();
      this.#signing = found;
      found.catch(() => {
        this.#signing = undefined;
      });
    }
    return this.#signing;
  }

  /**
   * Returns the key with this thumbprint. Never generates a key.
   * @throws {AgentkeepError} as {@link signing}
   */
  verifying(kid: string): VerifyingKey | undefined | Promise<VerifyingKey | undefined> {
    const known = this.#known.get(kid);
    if (known !== undefined || this.#parts.given.signing !== undefined) return known;
    return this.#findStored(kid);
  }

  /**
   * Returns all verifying keys, the signing key first.
   * @throws {AgentkeepError} as {@link signing}
   */
  async verifyingKeys(): Promise<VerifyingKey[]> {
    const signing = await this.signing();
    const { additional } = this.#parts.given;
    const isOther = additional !== undefined && additional.jwk.kid !== signing.jwk.kid;
    return isOther ? [signing, additional] : [signing];
  }

  /**
   * Loads the signing key. If there is none, begins to generate it, and the next use of it waits.
   * @throws {AgentkeepError} as {@link signing}
   */
  async prepare(): Promise<void> {
    if (this.#signing !== undefined) return;
    const stored = await this.#parts.store.read(firstSigningKey);
    const loading = this.signing();
    if (stored !== undefined) await loading;
    // After a failure, the next use generates again and reports its own.
    else loading.catch(() => undefined);
  }

  /** Returns the thumbprints of the keys that exist, in the order of {@link verifyingKeys}. */
  kids(tx: ReadTx): string[] {
    const { signing } = this.#parts.given;
    return this.#kidsWith(signing?.jwk.kid ?? firstSigningKey(tx)?.kid);
  }

  #kidsWith(signing: string | undefined): string[] {
    const all = [signing, this.#parts.given.additional?.jwk.kid];
    return [...new Set(all.filter((kid) => kid !== undefined))];
  }

  async #findOrMake(): Promise<SigningKey> {
    const { store, clock, generate = generateSigningKey } = this.#parts;
    let stored = await store.read(firstSigningKey);
    if (stored === undefined) {
      const made = storable(await generate(), clock.now());
      stored = await store.transact((tx) => {
        // Another process may have stored a key meanwhile. All use the first one stored.
        const agreed = agreeOnSigningKey(tx, made);
        // The last start found none, so the next one must not report this key as a change.
        const [from, to] = [this.#kidsWith(undefined), this.#kidsWith(agreed.kid)];
        replaceSetting(tx, 'signing_keys', { from, to });
        return agreed;
      });
    }
    return this.#know(opened(stored));
  }

  async #findStored(kid: string): Promise<VerifyingKey | undefined> {
    const stored = await this.#parts.store.read((tx) => findSigningKey(tx, kid));
    return stored && this.#know(opened(stored));
  }

  #know<K extends VerifyingKey>(key: K): K {
    const { publicKey, jwk } = key;
    this.#known.set(jwk.kid, { publicKey, jwk });
    return key;
  }
}

function storable(key: SigningKey, nowMs: number): StoredSigningKey {
  const pkcs8 = exportSigningKey(key).toString('base64');
  return { kid: key.jwk.kid, pkcs8, createdAtMillis: nowMs };
}

function opened({ kid, pkcs8 }: StoredSigningKey): SigningKey {
  let key: SigningKey | undefined;
  try {
    key = importSigningKey(Buffer.from(pkcs8, 'base64'));
  } catch {
    // No cause: it might show the key.
  }
  if (key?.jwk.kid !== kid) throw new AgentkeepError('storage_inconsistency');
  return key;
}
