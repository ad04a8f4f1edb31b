/**
 * One call of an operation: runs the checks in the order that the operation states, and is then
 * what the handler works with.
 *
 * @module
 */
import { actingAuthority } from './acting-authority.js';
import { keyOfAuthority, tenantIdOf } from '../access/authority.js';
import { authorize, deniedRight, type Requirement, rightOf } from '../access/authorize.js';
import {
  authorizeGlobal,
  globalCredentialOf,
  refuseGlobalPrincipal,
  rightOfGlobal,
} from '../access/authorize-global.js';
import { authorizeParty, rightOfParty } from '../access/authorize-party.js';
import type { ActingCredential, ActingGlobalCredential, Principal } from '../access/principal.js';
import {
  type AttemptedProof,
  callEvent,
  type CallFacts,
  type EventSubject,
} from './audit/call-events.js';
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import type { ReadTx, WriteTx } from '../storage/store/store.js';
import type { AuditDraft, EventOrigin } from './audit/audit.js';
import { CheckedInput } from './checked-input.js';
import type { InputSource } from './input.js';
import type {
  AuthenticatedOperation,
  InputSchemas,
  Operation,
  OperationRequest,
  ParsedInput,
  PublicRequest,
} from './operation.js';
import type { Runtime } from './runtime.js';

/** What a call is made with. */
export interface CallParts {
  readonly runtime: Runtime;
  readonly operation: Operation;
  readonly source: InputSource;
  /** Absent for a call without a good proof, of an operation that needs none. */
  readonly caller: Principal | undefined;
  readonly nowMs: number;
  readonly signal: AbortSignal | undefined;
  /** What the audit log is told of the call; asked for only when there is an event. */
  readonly facts: () => CallFacts;
}

/** A call, first while its checks run and then in the hands of the handler. */
export class CheckedCall implements OperationRequest<InputSchemas>, PublicRequest<InputSchemas> {
  readonly runtime: Runtime;
  readonly caller: Principal | undefined;
  readonly signal: AbortSignal | undefined;
  readonly #operation: Operation;
  readonly #input: CheckedInput;
  readonly #facts: () => CallFacts;
  readonly #eventIds = new Map<string, string>();
  #credential: ActingCredential | undefined;
  #requirement: Requirement = {};
  #authority: string | undefined;
  #right: string | undefined;
  #nowMs: number;

  constructor(parts: CallParts) {
    this.runtime = parts.runtime;
    this.caller = parts.caller;
    this.signal = parts.signal;
    this.#operation = parts.operation;
    this.#input = new CheckedInput(parts.operation, parts.source);
    this.#facts = parts.facts;
    this.#nowMs = parts.nowMs;
  }

  /** The time of the call: when it began, or when its document had arrived. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Who calls an operation that needs a proof. */
  get principal(): Principal {
    if (this.caller === undefined) throw new Error('The operation has no proved caller.');
    return this.caller;
  }

  /** Runs every check; the first that fails throws. */
  async check(): Promise<void> {
    this.#requireFamily();
    for (const check of this.#operation.checks) {
      if (check === 'document') await this.#document();
      else if (check === 'tenant') await this.#chooseAuthority();
      else if (check === 'authority') this.#authorize();
      else this.#input.check(check);
    }
    if (this.#operation.checks.length > 0) this.#input.refuseStrayParameters();
  }

  /** The checked input. */
  get input(): ParsedInput<InputSchemas> {
    return this.#input.parsed;
  }

  /** The credential that was found to cover the requirement. */
  get credential(): ActingCredential {
    if (this.#credential === undefined) throw new Error('The operation requires no credential.');
    return this.#credential;
  }

  /** The credential of the installation that the principal acts with. */
  get global(): ActingGlobalCredential {
    return globalCredentialOf(this.principal);
  }

  /** Id of the credential that the principal acts with on the platform. */
  get actorId(): string {
    const { credential, global } = this.principal;
    const acting = credential ?? global;
    if (acting === null) throw new Error('The principal acts with no credential.');
    return acting.id;
  }

  /** What the call was found to require. */
  get requirement(): Requirement {
    return this.#requirement;
  }

  /** The authority that the call acts in, as the tenant part of keys. */
  get authority(): string {
    return this.#authority ?? keyOfAuthority(this.principal.authority);
  }

  /** Where the call comes from, for events that are not recorded through it. */
  get origin(): EventOrigin {
    const { origin, requestId } = this.#facts();
    const { path, ipAddress, userAgent } = origin;
    return { path, ipAddress, userAgent, requestId };
  }

  /** The proofs that the caller sent, good or not. */
  get attempted(): readonly AttemptedProof[] {
    return this.#facts().attempted;
  }

  /** The right that was looked for, or the one that was missing, once authority was checked. */
  get right(): string | undefined {
    return this.#right;
  }

  /** The rules that were left to the handler. */
  checkDeferred(member?: string): void {
    this.#input.checkDeferred(member);
  }

  /** Proves the caller's authority again inside the transaction that acts on it. */
  confirm(tx: ReadTx): ActingCredential {
    const { principal } = this;
    const current = this.runtime.authenticate(tx, principal.held, this.nowMs);
    if (current !== undefined) return authorize(current, this.#requirement);
    throw new AgentkeepError(principal.kind === 'account' ? 'forbidden' : 'unauthorized');
  }

  /** Refuses a change when the acting credential or role is not the one that was weighed. */
  confirmUnchanged(tx: ReadTx): void {
    const { principal } = this;
    const current = this.runtime.authenticate(tx, principal.held, this.nowMs);
    if (current === undefined) {
      throw new AgentkeepError(principal.kind === 'account' ? 'forbidden' : 'revision_conflict');
    }
    const isSame =
      current.role === principal.role &&
      current.credential?.revision === principal.credential?.revision &&
      current.global?.revision === principal.global?.revision;
    if (!isSame) throw new AgentkeepError('revision_conflict');
  }

  /** The caller as it is inside the transaction that acts for it. */
  confirmParty(tx: ReadTx): Principal {
    const current = this.runtime.authenticate(tx, this.principal.held, this.nowMs);
    if (current === undefined) throw new AgentkeepError('unauthorized');
    if (this.#operation.access === 'authenticated') {
      authorizeParty(current, this.#operation.requires);
    }
    return current;
  }

  /** Refuses the call for want of a right. */
  deny(right: string): never {
    this.#right = right;
    throw new AgentkeepError('forbidden');
  }

  /** Stores the event of a change together with it. */
  record(tx: WriteTx, subject: EventSubject): void {
    // The body of a transaction may run again, and its event has the same id then.
    const name = `${subject.type} ${subject.resource}`;
    const draft = this.#draft(subject, this.#eventIds.get(name));
    this.#eventIds.set(name, draft.id);
    this.runtime.audit.changed(tx, draft);
  }

  /** Notes an event that belongs to no change. */
  observe(subject: EventSubject): void {
    if (this.runtime.audit.isEnabled) this.runtime.audit.observed(this.#draft(subject));
  }

  /** Notes how the call was refused, where its operation makes an event of that. */
  observeRefusal({ kind, wireCode: code }: AgentkeepError): void {
    const operation = this.#operation;
    if (operation.access === 'public' || operation.refused === undefined) return;
    const isJudged = this.#right !== undefined && (kind === 'invalid' || kind === 'conflict');
    if (!isJudged) return;
    this.observe(operation.refused({ code, document: this.#input.sentDocument }));
  }

  #draft(subject: EventSubject, id?: string): AuditDraft {
    const draft = callEvent(this.#facts(), subject);
    // What an administrator does in another authority is told there.
    const isElsewhere = subject.actor === undefined && this.#authority !== undefined;
    const place = isElsewhere ? { tenantId: tenantIdOf(this.authority) } : {};
    return { ...draft, ...place, ...(id === undefined ? {} : { id }) };
  }

  /** Who is of the other kind of authority is told so before anything else. */
  #requireFamily(): void {
    if (this.#operation.access === 'public' || isForParties(this.#operation)) return;
    if (this.#operation.requires.global === undefined) {
      refuseGlobalPrincipal(this.principal);
      return;
    }
    if (this.principal.global === null) this.deny('authority');
  }

  async #document(): Promise<void> {
    await this.#input.readDocument();
    // A body may take its time to arrive, and what is decided and stored follows it.
    this.#nowMs = this.runtime.clock.now();
  }

  #authorize(): void {
    if (this.#operation.access === 'public') return;
    const { requires } = this.#operation;
    if (isForParties(this.#operation)) {
      this.#right = rightOfParty(this.principal, requires);
      authorizeParty(this.principal, requires);
      return;
    }
    if (requires.global !== undefined) {
      this.#right = rightOfGlobal(requires.global);
      authorizeGlobal(this.principal, requires.global);
      return;
    }
    const { capability } = requires;
    this.#requirement = {
      capability: typeof capability === 'object' ? capability.of(this.input) : capability,
      scope: requires.scope?.(this.input),
    };
    try {
      this.#credential = authorize(this.principal, this.#requirement);
      this.#right = rightOf(this.#requirement);
    } catch (error) {
      this.#right = deniedRight(this.principal, this.#requirement);
      throw error;
    }
  }

  async #chooseAuthority(): Promise<void> {
    const { parameters = {} } = this.input as { parameters?: { readonly tenant_id?: string } };
    const { tenant_id: asked } = parameters;
    this.#authority = await this.runtime.store.read((tx) =>
      actingAuthority(tx, this.principal, asked, this.runtime),
    );
  }
}

/** Whether an operation weighs who its caller is, and not what its credential may do. */
function isForParties({ surface, requires }: AuthenticatedOperation): boolean {
  return surface === 'account' || requires.party !== undefined;
}
