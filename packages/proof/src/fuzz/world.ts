/**
 * What the fuzzer knows: who can call, what exists, which secrets belong to whom.
 * @module
 */
import { type Caller, isProofHeader, nobody, secretOf } from './caller.js';
import type { Chooser } from './chooser.js';
import type { Contract, ContractOperation } from './contract-operations.js';
import type { WireRequest } from './draft.js';
import { Marks } from './marks.js';
import { Pool } from './pool.js';

/** Most callers beside those that were there from the start; older ones are forgotten. */
const NEWCOMERS_MAX = 40;
/** Most proofs that no longer hold and are tried again now and then. */
const DEAD_MAX = 40;

/** Operations that end the caller's own session. */
const ENDS_ITSELF = new Set(['authLogout', 'logout', 'changeOwnPassword']);

/** All that requests are made from. */
export class World {
  readonly contract: Contract;
  readonly pool = new Pool();
  /** The authority of every secret that was ever given out, by the secret. */
  readonly owners = new Map<string, string>();
  readonly marks = new Marks();
  readonly deadSecrets: string[] = [];
  readonly #cast: Caller[] = [];
  readonly #newcomers: Caller[] = [];
  /** Every caller there ever was, by the secret of its proof. */
  readonly #holders = new Map<string, Caller>();

  constructor(contract: Contract) {
    this.contract = contract;
  }

  /** Adds a caller that stays. */
  cast(caller: Caller): void {
    this.#cast.push(caller);
    this.#own(caller);
  }

  /** Puts a caller with a new proof in the place of one of the same name. */
  recast(caller: Caller): void {
    const index = this.#cast.findIndex(({ name }) => name === caller.name);
    this.#cast[index] = caller;
    this.#own(caller);
  }

  /** Adds a caller that an answer made. */
  welcome(caller: Caller): void {
    this.#newcomers.push(caller);
    if (this.#newcomers.length > NEWCOMERS_MAX) this.#newcomers.shift();
    this.#own(caller);
  }

  /** Notes that the proof of a caller is refused; tells whether it is one that should stay. */
  bury(caller: Caller): boolean {
    const secret = secretOf(caller);
    if (secret !== undefined) this.deadSecrets.push(secret);
    if (this.deadSecrets.length > DEAD_MAX) this.deadSecrets.shift();
    const index = this.#newcomers.indexOf(caller);
    if (index !== -1) this.#newcomers.splice(index, 1);
    return this.#cast.includes(caller);
  }

  /** Everyone. */
  get callers(): readonly Caller[] {
    return [...this.#cast, ...this.#newcomers];
  }

  /**
   * Someone to send a request: a caller who can succeed with the operation, if there is one and
   * one is wanted. What ends a session of the cast, or changes its password, is left to others.
   */
  callerFor(chooser: Chooser, { id, needs }: ContractOperation, isFitting: boolean): Caller {
    const some = ENDS_ITSELF.has(id)
      ? this.callers.filter(({ isSpare, login }) => isSpare || login === undefined)
      : this.callers;
    const fitting = some.filter(({ rights }) => needs.some((right) => rights.has(right)));
    return chooser.pick(isFitting && fitting.length > 0 ? fitting : some);
  }

  /**
   * The caller whose proof a request carries as it is sent, whoever it was drafted for; `nobody`
   * without a proof, with several, and with one that was never given out.
   */
  senderOf({ headers }: Pick<WireRequest, 'headers'>): Caller {
    // HTTP itself drops the spaces around a value.
    const proof = headers
      .filter(([name]) => isProofHeader(name))
      .map(([name, value]) => [name, value.trim()] as const);
    const secret = proof.length === 1 ? secretOf({ proof }) : undefined;
    return (secret === undefined ? undefined : this.#holders.get(secret)) ?? nobody;
  }

  #own(caller: Caller): void {
    const secret = secretOf(caller);
    if (secret === undefined) return;
    this.owners.set(secret, caller.authority);
    this.#holders.set(secret, caller);
  }
}
