/**
 * A caller as it was last known. Its call goes on at once, and the first transaction of the call
 * checks that nothing which proved the caller has changed. So proof and work share one round trip.
 */
import type { CallerProof, CredentialPrincipal, ReadEffects } from '../access/principal.js';
import type { ReadTx, Supposed, Transactions } from '../../storage/store/store.js';
import { OutdatedCallError } from '../services/erasure-watch.js';
import type { Runtime } from '../services/runtime.js';

/** A principal that a proof authenticated when the store was last asked. */
export class SupposedCaller {
  readonly principal: CredentialPrincipal;
  readonly #supposed: Supposed<unknown>;
  readonly #effects: ReadEffects;
  #isConfirmed = false;

  constructor(principal: CredentialPrincipal, supposed: Supposed<unknown>, effects: ReadEffects) {
    this.principal = principal;
    this.#supposed = supposed;
    this.#effects = effects;
  }

  /**
   * Checks in a transaction of the call that its proof reads what it read before.
   *
   * @throws {OutdatedCallError}
   */
  check(tx: ReadTx): void {
    if (!this.#isConfirmed && !this.#supposed.holds(tx)) throw new OutdatedCallError();
  }

  /** Notes that a transaction which checked has succeeded. */
  confirmed(): void {
    if (this.#isConfirmed) return;
    this.#isConfirmed = true;
    for (const effect of this.#effects) effect();
  }

  /**
   * Makes sure that the caller is confirmed when its call ends, whatever its outcome.
   *
   * @throws {OutdatedCallError} also where the store cannot tell.
   */
  async settle(store: Pick<Transactions, 'read'>): Promise<void> {
    if (this.#isConfirmed) return;
    try {
      await store.read((tx) => {
        this.check(tx);
      });
    } catch {
      throw new OutdatedCallError();
    }
    this.confirmed();
  }
}

/** Returns the credential that a proof authenticated by the values that were last known. */
export function supposedCaller(
  { store, authenticate, refreshPolicies }: Runtime,
  proof: CallerProof | undefined,
  nowMs: number,
): SupposedCaller | undefined {
  if (proof === undefined || store.suppose === undefined) return undefined;
  try {
    const supposed = store.suppose((tx) => {
      const policies: ReadEffects = [];
      refreshPolicies?.(tx, policies);
      const effects: ReadEffects = [];
      const principal = authenticate(tx, proof, nowMs, effects);
      return { principal, effects, isCurrent: policies.length === 0 };
    });
    const { principal, effects = [], isCurrent = false } = supposed?.result ?? {};
    if (supposed === undefined || !isCurrent || principal?.kind !== 'credential') return undefined;
    return new SupposedCaller(principal, supposed, effects);
  } catch {
    // The proof itself reports what is wrong.
    return undefined;
  }
}
