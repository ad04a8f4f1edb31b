/**
 * One call: its context, as its caller or transport states it, how its steps follow each other,
 * what is recorded of it, and its share in the heavy work of the process, which only heavy
 * operations have.
 */
import { setImmediate } from 'node:timers/promises';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { Settled, WriteTx } from '../../storage/store/store.js';
import { type CallerProof, type Principal, tenantIdOf } from '../access/principal.js';
import type { AuditDraft, AuditPort, CallOrigin, EventOrigin } from '../audit/audit.js';
import {
  type AttemptedProof,
  authenticatedEvents,
  callEvent,
  type CallFacts,
  type EventSubject,
  isRefusedProof,
  outcomeEvents,
  unnamedChanges,
} from '../audit/call-events.js';
import type { HeavyCall, HeavyWork } from '../load/heavy-work.js';
import type { HeldWait } from '../load/held-texts.js';
import { type Party, partyOf } from '../load/party.js';
import type { Runtime } from '../services/runtime.js';
import type { CheckedOperation } from './stated-operation.js';

/** The context of a call. */
export interface Call {
  /** Absent when the caller sent none, or only an unreadable one. */
  readonly proof?: CallerProof | undefined;
  /** Runs once the caller is known and before anything else is decided; may throw to refuse. */
  readonly countRequest?: (principal: Principal | undefined) => void;
  /** Correlates the call with logs and audit. */
  readonly requestId?: string;
  /** Id of the trace that the call belongs to (W3C Trace Context); read only to record an event. */
  readonly traceId?: string | undefined;
  /** Returns the origin of the call; called only when there is something to record. */
  readonly origin?: () => CallOrigin;
  /** The proofs that the caller sent, unreadable ones included. Default: `proof`. */
  readonly attempted?: readonly AttemptedProof[];
  /**
   * Takes over the answer of a heavy call, which works on until its `end()` is called. Without it,
   * the call ends when it returns.
   */
  readonly holdAnswer?: ((answer: HeavyCall) => void) | undefined;
  /** Ends long work early; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Ends waiting: a call that waits for an event answers with its results so far. */
  readonly stopping?: AbortSignal | undefined;
  /** Keeps the slot of a waiting call for further calls of the same stream. */
  readonly heldWait?: HeldWait | undefined;
}

/** The settings that decide how long a call waits. */
export type WaitSettings = Pick<Call, 'signal' | 'stopping' | 'heldWait'>;

/** Runs `next` with a result: synchronously if it is already available. */
export function whenSettled<T, R>(result: Settled<T>, next: (value: T) => Settled<R>): Settled<R> {
  return result instanceof Promise ? result.then(next) : next(result);
}

/** Facts about a call beside its context. */
interface KnownCall {
  /** The name of the operation. */
  readonly name: string;
  readonly principal: Principal | undefined;
  readonly nowMs: number;
}

/** Returns the facts that events of a call state. */
export function factsOf(
  { newId }: Runtime,
  call: Call,
  { name, principal, nowMs }: KnownCall,
): CallFacts {
  const { proof, attempted, requestId, traceId } = call;
  return {
    newId,
    principal,
    attempted: attempted ?? attemptOf(proof),
    origin: call.origin?.() ?? { path: name, ipAddress: null, userAgent: null, endpointType: null },
    requestId,
    traceId,
    nowMs,
  };
}

/** A held proof is reported as the kind of proof it was made from. */
function attemptOf(proof: CallerProof | undefined): AttemptedProof[] {
  if (proof === undefined) return [];
  const kind = proof.kind === 'held' ? proof.subject.kind : proof.kind;
  // A token with a proof of a key is recorded as a bearer token is.
  return [kind === 'api_key' ? 'api_key' : 'bearer'];
}

/** The outcome of a call. */
export interface CallEnd {
  /** Absent when the call succeeded. */
  readonly error?: AgentkeepError;
  /** The stored API key that was refused as a proof. */
  readonly keyId?: string | undefined;
}

/** The audit log as one call writes it. */
export class CallAudit {
  /** The right that was checked or is missing; absent before authority is checked. */
  right: string | undefined;
  /** Returns what the call changed, for the events of its passed check. */
  changes = unnamedChanges;
  /** Tenant part of the keys of the authority that the call chose to act in. */
  actingIn: string | undefined;
  readonly #port: AuditPort;
  readonly #facts: () => CallFacts;
  readonly #eventIds = new Map<string, string>();

  /** `facts` is called only when there is an event. */
  constructor(port: AuditPort, facts: () => CallFacts) {
    this.#port = port;
    this.#facts = facts;
  }

  /** Where the call comes from. */
  get origin(): EventOrigin {
    const { origin, requestId, traceId } = this.#facts();
    const { path, ipAddress, userAgent } = origin;
    return { path, ipAddress, userAgent, requestId, traceId };
  }

  /** The proofs that the caller sent, good or not. */
  get attempted(): readonly AttemptedProof[] {
    return this.#facts().attempted;
  }

  /** Stores an event in the transaction of its change. */
  record(tx: WriteTx, subject: EventSubject): void {
    this.#port.changed(tx, this.#draftOfChange(subject, ''));
  }

  /** Stores an event of a change in the log of a tenant in which the caller doesn't act. */
  recordIn(tx: WriteTx, tenantId: string, subject: EventSubject): void {
    this.#port.changed(tx, { ...this.#draftOfChange(subject, tenantId), tenantId });
  }

  /** Notes an event that belongs to no change. */
  observe(subject: EventSubject): void {
    if (this.#port.isEnabled) this.#port.observed(this.#draft(subject));
  }

  /** Notes that an account has authenticated. */
  authenticated(): void {
    if (!this.#port.isEnabled) return;
    for (const draft of authenticatedEvents(this.#facts())) this.#port.observed(draft);
  }

  /**
   * Refuses the call because a right is missing.
   *
   * @throws {AgentkeepError} `forbidden`
   */
  deny(right: string): never {
    this.right = right;
    throw new AgentkeepError('forbidden');
  }

  /** Notes the outcome of a call, even if it reached no operation. */
  ended(operation: Pick<CheckedOperation, 'kind' | 'effect'> | undefined, end: CallEnd): void {
    if (!this.#port.isEnabled) return;
    const { error, keyId } = end;
    const { right } = this;
    const isRead = operation?.effect === 'read';
    const recordsGrant = !isRead || this.#port.recordsReads;
    if (error === undefined && (right === undefined || !recordsGrant)) return;
    // Only the handler of a public operation can interpret a refused proof.
    if (operation?.kind === 'public' && error !== undefined && isRefusedProof(error.code)) return;
    const { changes } = this;
    const outcome = { error: error?.code, right, recordsGrant, isRead, keyId, changes };
    for (const draft of outcomeEvents(this.#facts(), outcome)) this.#port.observed(draft);
  }

  /** Notes a refusal for which the operation defines an event. */
  refused(operation: CheckedOperation, error: AgentkeepError, document: unknown): void {
    if (operation.refused === undefined) return;
    const { kind, wireCode: code } = error;
    const isChecked = this.right !== undefined && (kind === 'invalid' || kind === 'conflict');
    if (isChecked) this.observe(operation.refused({ code, document }));
  }

  #draftOfChange(subject: EventSubject, part: string): AuditDraft {
    // The body of a transaction may run again; its event keeps its id.
    const name = JSON.stringify([subject.type, subject.resource, part]);
    const draft = this.#draft(subject, this.#eventIds.get(name));
    this.#eventIds.set(name, draft.id);
    return draft;
  }

  #draft(subject: EventSubject, id?: string): AuditDraft {
    const draft = callEvent(this.#facts(), subject);
    // Actions of an administrator in another authority belong to the chain of that authority.
    const { actingIn } = this;
    const isElsewhere = subject.actor === undefined && actingIn !== undefined;
    const tenant = isElsewhere ? { tenantId: tenantIdOf(actingIn) } : {};
    return { ...draft, ...tenant, ...(id === undefined ? {} : { id }) };
  }
}

/** Lets a heavy call wait for its slot and its turns. */
export class CallLoad {
  readonly #heavyWork: HeavyWork;
  readonly #call: Pick<Call, 'signal' | 'holdAnswer'>;
  #heavy: HeavyCall | undefined;
  #party: Party | undefined;

  constructor(heavyWork: HeavyWork, call: Pick<Call, 'signal' | 'holdAnswer'>) {
    this.#heavyWork = heavyWork;
    this.#call = call;
  }

  /**
   * Begins the work of a heavy call that passed its checks.
   *
   * @throws {AgentkeepError} `service_busy` beyond a bound.
   */
  async begin(principal: Principal): Promise<void> {
    this.#party = partyOf(principal);
    await this.#enter(this.#party);
  }

  /**
   * Gives up the slot of the call until `idle` has ended, for work that only waits.
   *
   * @throws {AgentkeepError} `service_busy` beyond a bound, as at the beginning.
   */
  async rest<T>(idle: () => Promise<T>): Promise<T> {
    this.#heavy?.end();
    this.#heavy = undefined;
    const result = await idle();
    if (this.#party !== undefined) await this.#enter(this.#party);
    return result;
  }

  async #enter(party: Party): Promise<void> {
    this.#heavy = await this.#heavyWork.enter(party);
    await this.turn();
  }

  /** Resolves when the call may do its next slice; rejects if it was aborted meanwhile. */
  async turn(): Promise<void> {
    await (this.#heavy === undefined ? setImmediate() : this.#heavy.turn());
    this.#call.signal?.throwIfAborted();
  }

  /** Passes the answer to its transport, which reports when it has serialized it. */
  answered(): void {
    if (this.#heavy === undefined) return;
    if (this.#call.holdAnswer === undefined) this.#heavy.end();
    else this.#call.holdAnswer(this.#heavy);
  }

  /** Ends a call that failed. */
  failed(): void {
    this.#heavy?.end();
  }
}
