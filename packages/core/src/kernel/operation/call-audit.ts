/** Records what happens in one call. */
import { tenantIdOf } from '../access/authority.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { WriteTx } from '../../storage/store/store.js';
import type { AuditDraft, AuditPort, EventOrigin } from '../audit/audit.js';
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
import type { CheckedOperation } from './stated-operation.js';

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
