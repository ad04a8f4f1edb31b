/** The requests of handlers: one for each kind of operation, with the powers of that kind. */
import { erasureTurn } from '../erased/removal-store.js';
import type { ActingCredential, ActingGlobalCredential, Principal } from '../access/principal.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import type { EventOrigin } from '../audit/audit.js';
import type { NamedChange } from '../audit/call-events.js';
import type { AttemptedProof, EventSubject } from '../audit/call-events.js';
import type { WaitSettings } from './call.js';
import type { StartedCall } from './checks.js';
import { ConfirmedStore, withStore } from '../services/confirmed-store.js';
import { ErasureWatch } from '../services/erasure-watch.js';
import type { InputSchemas, ParsedInput } from '../input/input-rules.js';
import type { Runtime } from '../services/runtime.js';

/** The members of every request. A request is made when all checks of a call have passed. */
export abstract class CallRequest<I extends InputSchemas> {
  /** The ports. With a proof, their store authenticates the caller again in every read. */
  readonly runtime: Runtime;
  /** When the call began, or when its document had arrived. */
  readonly nowMs: number;
  /**
   * Ends waiting: the client has disconnected, or waiting calls have to answer with their results
   * so far.
   */
  readonly waiting: WaitSettings;
  protected readonly started: StartedCall;

  constructor(started: StartedCall, runtime: Runtime, nowMs: number) {
    this.runtime = runtime;
    this.nowMs = nowMs;
    this.waiting = started.call;
    this.started = started;
  }

  /** The input, as its checks have read it. */
  get input(): ParsedInput<I> {
    return this.started.input.parsed as ParsedInput<I>;
  }

  /** The origin of the call, for events that are not recorded through it. */
  get origin(): EventOrigin {
    return this.started.audit.origin;
  }

  /** Stores an event together with the change; its actor is the caller unless it names one. */
  record(tx: WriteTx, subject: EventSubject): void {
    this.started.audit.record(tx, subject);
  }

  /** Stores an event of the change in the log of a tenant, beside that of the caller. */
  recordIn(tx: WriteTx, tenantId: string, subject: EventSubject): void {
    this.started.audit.recordIn(tx, tenantId, subject);
  }

  /** Notes an event that belongs to no change; its actor is the caller unless it names one. */
  observe(subject: EventSubject): void {
    this.started.audit.observe(subject);
  }

  /**
   * Resolves when a heavy call may do its next slice of work, after others had their turns.
   *
   * @throws The reason of the signal, if the call was aborted.
   */
  async turn(): Promise<void> {
    await this.started.load.turn();
    this.started.watch?.waited();
  }

  /** Gives up the slot of a heavy call until `idle` has ended, for work that only waits. */
  async rest<T>(idle: () => Promise<T>): Promise<T> {
    const result = await this.started.load.rest(idle);
    this.started.watch?.waited();
    return result;
  }

  /** States that the answer will have nothing of what was read so far. */
  forgetReads(): void {
    this.started.watch?.forget();
  }
}

/** A call of an operation that needs no proof. */
export class PublicRequest<I extends InputSchemas> extends CallRequest<I> {
  /** The caller, if a valid proof was sent and read. */
  readonly caller: Principal | undefined;

  constructor(started: StartedCall, nowMs: number, caller: Principal | undefined) {
    super(started, started.runtime, nowMs);
    this.caller = caller;
  }

  /** The proofs that the caller sent, good or not. */
  get attempted(): readonly AttemptedProof[] {
    return this.started.audit.attempted;
  }
}

/**
 * Authenticates a caller again, given the caller as checked and the current result of its proof.
 */
export type Reauthenticate<C> = (seen: Principal, current: Principal | undefined) => C;

/** The caller, and how to authenticate it again. */
export interface ProvedCaller<C> {
  readonly principal: Principal;
  /** The authority that the call acts in, as the tenant part of keys. */
  readonly authority: string;
  /** Decides in a transaction that writes. */
  readonly reauthenticate: Reauthenticate<C>;
  /** Refuses in a transaction that writes what cannot be written now. */
  readonly refuse?: (tx: ReadTx) => void;
  /** Decides in a read. */
  readonly recheck: Reauthenticate<void>;
  /** Whether the call is refused if it would take a tenant over its storage quota. */
  readonly isWithinQuota: boolean;
  /** Whether the call adds data, which a disk that is nearly full refuses. */
  readonly addsData: boolean;
  /** Whether the call does no harm if it is carried out twice. */
  readonly mayBeginAgain: boolean;
}

/** A call of an authenticated caller; `confirm` returns a `C`. */
export class ProvedRequest<I extends InputSchemas, C> extends CallRequest<I> {
  readonly principal: Principal;
  /** The authority that the call acts in, as the tenant part of keys. */
  readonly authority: string;
  readonly #reauthenticate: Reauthenticate<C>;
  readonly #refuse: ((tx: ReadTx) => void) | undefined;

  constructor(started: StartedCall, nowMs: number, caller: ProvedCaller<C>) {
    const { runtime } = started;
    const { principal, recheck, isWithinQuota, addsData } = caller;
    const confirm = (tx: ReadTx, readMs: number) => {
      recheck(principal, runtime.authenticate(tx, principal.held, readMs));
    };
    const { supposed } = started;
    const isWatched = runtime.store.isShared && caller.mayBeginAgain;
    const watch = isWatched ? new ErasureWatch(erasureTurn, caller.authority) : undefined;
    started.watch = watch;
    const confirmed = { confirm, isWithinQuota, addsData, supposed, watch };
    const store = new ConfirmedStore(runtime, confirmed);
    super(started, withStore(runtime, store), nowMs);
    this.principal = principal;
    this.authority = caller.authority;
    this.#reauthenticate = caller.reauthenticate;
    this.#refuse = caller.refuse;
  }

  /**
   * Authenticates the caller again inside the transaction that acts for it. Reads do so
   * automatically.
   *
   * @throws {AgentkeepError} `unauthorized` when the proof ended since the call began; `forbidden`
   * or `revision_conflict`, depending on the kind, when the caller's rights changed;
   * `erasure_in_progress` in a scope that is being erased.
   */
  confirm(tx: ReadTx): C {
    const { principal, nowMs } = this;
    const current = this.runtime.authenticate(tx, principal.held, nowMs);
    const caller = this.#reauthenticate(principal, current);
    this.#refuse?.(tx);
    return caller;
  }

  /**
   * Refuses the call because a right is missing, and names the right in the audit log.
   *
   * @throws {AgentkeepError} `forbidden`
   */
  deny(right: string): never {
    return this.started.audit.deny(right);
  }
}

/** A call that acts with a credential. */
export class CredentialRequest<
  I extends InputSchemas,
  C extends ActingCredential | ActingGlobalCredential,
> extends ProvedRequest<I, C> {
  /** The credential that the caller acts with. It covers what the operation requires. */
  readonly credential: C;

  constructor(started: StartedCall, nowMs: number, caller: ProvedCaller<C>, credential: C) {
    super(started, nowMs, caller);
    this.credential = credential;
  }
}

/** A call of an operation of a tenant. */
export class TenantRequest<I extends InputSchemas> extends CredentialRequest<I, ActingCredential> {
  /**
   * Names the changes of a call that succeeds in the events of its passed check: one event for
   * each. `changes` is called only when there is such an event.
   */
  nameChanges(changes: () => readonly NamedChange[]): void {
    this.started.audit.changes = changes;
  }

  /**
   * Checks the rules that the operation left to its handler: all, or those below one member.
   *
   * @throws {AgentkeepError} `invalid_request` when one is broken.
   */
  checkDeferred(member?: string): void {
    this.started.input.checkDeferred(member);
  }
}

/** A call of an operation of the installation. */
export type InstallationRequest<I extends InputSchemas> = CredentialRequest<
  I,
  ActingGlobalCredential
>;

/** A call of an operation for accounts; `confirm` returns the caller as it is now. */
export type AccountRequest<I extends InputSchemas> = ProvedRequest<I, Principal>;
