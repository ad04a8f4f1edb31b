/** The knowledge of the fuzzer: callers, resources, and the owners of secrets. */
import { type Caller, isProofHeader, unauthenticated, secretOf } from './caller.js';
import type { Chooser } from './chooser.js';
import type { Contract, ContractOperation } from './contract-operations.js';
import type { WireRequest } from './draft.js';
import { Marks } from './marks.js';
import { Pool } from './pool.js';

/** Most callers besides the initial ones. Older ones are forgotten. */
const NEWCOMERS_MAX = 40;
/** Most invalid proofs that are kept and sometimes tried again. */
const DEAD_MAX = 40;

/** Operations that end the caller's own session. */
const ENDS_ITSELF = new Set(['authLogout', 'logout', 'changeOwnPassword']);

/** The state that requests are generated from. */
export class World {
  readonly contract: Contract;
  readonly pool = new Pool();
  /** The authority of every issued secret, by secret. */
  readonly owners = new Map<string, string>();
  readonly marks = new Marks();
  readonly deadSecrets: string[] = [];
  readonly #cast: Caller[] = [];
  readonly #newcomers: Caller[] = [];
  /** Every caller so far, by the secret of its proof. */
  readonly #holders = new Map<string, Caller>();

  constructor(contract: Contract) {
    this.contract = contract;
  }

  /** Adds a permanent caller. */
  cast(caller: Caller): void {
    this.#cast.push(caller);
    this.#own(caller);
  }

  /** Replaces the caller of the same name by one with a new proof. */
  recast(caller: Caller): void {
    const index = this.#cast.findIndex(({ name }) => name === caller.name);
    this.#cast[index] = caller;
    this.#own(caller);
  }

  /** Adds a caller that resulted from an answer. */
  addCaller(caller: Caller): void {
    this.#newcomers.push(caller);
    if (this.#newcomers.length > NEWCOMERS_MAX) this.#newcomers.shift();
    this.#own(caller);
  }

  /** Records that the proof of a caller is refused; returns whether the caller is permanent. */
  removeCaller(caller: Caller): boolean {
    const secret = secretOf(caller);
    if (secret !== undefined) this.deadSecrets.push(secret);
    if (this.deadSecrets.length > DEAD_MAX) this.deadSecrets.shift();
    const index = this.#newcomers.indexOf(caller);
    if (index !== -1) this.#newcomers.splice(index, 1);
    return this.#cast.includes(caller);
  }

  /** All callers. */
  get callers(): readonly Caller[] {
    return [...this.#cast, ...this.#newcomers];
  }

  /**
   * Returns a caller for an operation: one with the required rights if `isFitting` is set and there
   * is one. Permanent callers never end their own sessions or change their passwords.
   */
  callerFor(chooser: Chooser, { id, needs }: ContractOperation, isFitting: boolean): Caller {
    const some = ENDS_ITSELF.has(id)
      ? this.callers.filter(({ isSpare, login }) => isSpare || login === undefined)
      : this.callers;
    const fitting = some.filter(({ rights }) => needs.some((right) => rights.has(right)));
    return chooser.pick(isFitting && fitting.length > 0 ? fitting : some);
  }

  /**
   * Returns the holder of the proof in a request. Returns `unauthenticated` without a proof, with
   * several, or with one that was never issued.
   */
  senderOf({ headers }: Pick<WireRequest, 'headers'>): Caller {
    // HTTP ignores spaces around a value.
    const proof = headers
      .filter(([name]) => isProofHeader(name))
      .map(([name, value]) => [name, value.trim()] as const);
    const secret = proof.length === 1 ? secretOf({ proof }) : undefined;
    return (secret === undefined ? undefined : this.#holders.get(secret)) ?? unauthenticated;
  }

  #own(caller: Caller): void {
    const secret = secretOf(caller);
    if (secret === undefined) return;
    this.owners.set(secret, caller.authority);
    this.#holders.set(secret, caller);
  }
}
