/** The requests of handlers, built after all checks of a call have passed. */
import type { Principal } from '../access/principal.js';
import type { ReadTx, WriteTx } from '../storage/store/store.js';
import type { AuditMetadata, EventOrigin } from './audit/audit.js';
import type { AttemptedProof, EventSubject } from './audit/call-events.js';
import type { WaitSettings } from './call.js';
import type { CallAudit } from './call-audit.js';
import type { CallLoad } from './call-load.js';
import type { CheckedInput } from './checked-input.js';
import type { StartedCall } from './checks.js';
import { ConfirmedStore } from './confirmed-store.js';
import type { InputSchemas, ParsedInput } from './input-rules.js';
import type { CallRequest, PublicRequest } from './requests.js';
import type { Runtime } from './runtime.js';

abstract class BaseRequest implements CallRequest<InputSchemas> {
  readonly runtime: Runtime;
  readonly nowMs: number;
  protected readonly checked: CheckedInput;
  protected readonly audit: CallAudit;
  readonly waiting: WaitSettings;
  readonly #load: CallLoad;

  constructor({ input, audit, load, call }: StartedCall, runtime: Runtime, nowMs: number) {
    this.runtime = runtime;
    this.nowMs = nowMs;
    this.checked = input;
    this.audit = audit;
    this.#load = load;
    this.waiting = call;
  }

  get input(): ParsedInput<InputSchemas> {
    return this.checked.parsed;
  }

  get origin(): EventOrigin {
    return this.audit.origin;
  }

  record(tx: WriteTx, subject: EventSubject): void {
    this.audit.record(tx, subject);
  }

  recordIn(tx: WriteTx, tenantId: string, subject: EventSubject): void {
    this.audit.recordIn(tx, tenantId, subject);
  }

  observe(subject: EventSubject): void {
    this.audit.observe(subject);
  }

  turn(): Promise<void> {
    return this.#load.turn();
  }

  rest<T>(idle: () => Promise<T>): Promise<T> {
    return this.#load.rest(idle);
  }
}

/** The request of a public operation. */
export class PublicCall extends BaseRequest implements PublicRequest<InputSchemas> {
  readonly caller: Principal | undefined;

  constructor(call: StartedCall, nowMs: number, caller: Principal | undefined) {
    super(call, call.runtime, nowMs);
    this.caller = caller;
  }

  /** The proofs that the caller sent, good or not. */
  get attempted(): readonly AttemptedProof[] {
    return this.audit.attempted;
  }
}

/**
 * Authenticates a caller again, given the caller as checked and the current result of its proof.
 */
export type Reproof<C> = (seen: Principal, current: Principal | undefined) => C;

/** The caller, and how to authenticate it again. */
export interface ProvedCaller<C> {
  readonly principal: Principal;
  readonly authority: string;
  /** Decides in a transaction that writes. */
  readonly reproof: Reproof<C>;
  /** Decides in a read. */
  readonly recheck: Reproof<void>;
  /** Whether the call is refused where it would take a tenant over its storage quota. */
  readonly isWithinQuota: boolean;
}

/** The request of an account operation, and what the other proved requests share. */
export class ProvedCall<C> extends BaseRequest {
  readonly principal: Principal;
  readonly authority: string;
  readonly #reproof: Reproof<C>;

  constructor(
    call: StartedCall,
    nowMs: number,
    { principal, authority, reproof, recheck, isWithinQuota }: ProvedCaller<C>,
  ) {
    const { runtime } = call;
    const confirm = (tx: ReadTx, readMs: number) => {
      recheck(principal, runtime.authenticate(tx, principal.held, readMs));
    };
    const store = new ConfirmedStore(runtime, confirm, isWithinQuota);
    super(call, { ...runtime, store }, nowMs);
    this.principal = principal;
    this.authority = authority;
    this.#reproof = reproof;
  }

  /** Authenticates the caller again inside the transaction that acts for it. */
  confirm(tx: ReadTx): C {
    const { principal, nowMs } = this;
    return this.#reproof(principal, this.runtime.authenticate(tx, principal.held, nowMs));
  }

  /** Refuses the call because a right is missing. */
  deny(right: string): never {
    return this.audit.deny(right);
  }
}

/** The request of an operation that acts with a credential. */
export class CredentialCall<C> extends ProvedCall<C> {
  readonly credential: C;

  constructor(call: StartedCall, nowMs: number, caller: ProvedCaller<C>, credential: C) {
    super(call, nowMs, caller);
    this.credential = credential;
  }

  /** Names the changes of the call, for its events. */
  nameChanges(changes: () => readonly AuditMetadata[]): void {
    this.audit.changes = changes;
  }

  /** Checks rules that were left to the handler. */
  checkDeferred(member?: string): void {
    this.checked.checkDeferred(member);
  }
}
