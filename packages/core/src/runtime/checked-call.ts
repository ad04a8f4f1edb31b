/**
 * One call of an operation: runs the checks in the order that the operation states, and is then
 * what the handler works with.
 * @module
 */
import {
  authorize,
  authorizeRole,
  deniedRight,
  type Requirement,
  rightOf,
  rightOfRole,
} from '../access/authorize.js';
import type { ActingCredential, Principal } from '../access/principal.js';
import { callEvent, type CallFacts, type EventSubject } from '../audit/call-events.js';
import { AgentkeepError } from '../errors/agentkeep-error.js';
import { isUuid } from '../schema/uuid.js';
import type { ReadTx, WriteTx } from '../store/store.js';
import type { AuditDraft } from './audit.js';
import { type BrokenRule, type InputSource, readDocument, refusal, typedPart } from './input.js';
import type {
  AuthenticatedOperation,
  Check,
  InputSchemas,
  OperationRequest,
  ParsedInput,
} from './operation.js';
import type { Runtime } from './runtime.js';

const VERSION = 'contract_version';

/** What a call is made with. */
export interface CallParts {
  readonly runtime: Runtime;
  readonly operation: AuthenticatedOperation;
  readonly source: InputSource;
  readonly principal: Principal;
  readonly nowMs: number;
  readonly signal: AbortSignal | undefined;
  /** What the audit log is told of the call; asked for only when there is an event. */
  readonly facts: () => CallFacts;
}

/** A call, first while its checks run and then in the hands of the handler. */
export class CheckedCall implements OperationRequest<InputSchemas> {
  readonly runtime: Runtime;
  readonly principal: Principal;
  readonly signal: AbortSignal | undefined;
  readonly #operation: AuthenticatedOperation;
  readonly #source: InputSource;
  readonly #facts: () => CallFacts;
  readonly #drafts = new Map<string, AuditDraft>();
  readonly #input: { id?: unknown; parameters?: unknown; document?: unknown } = {};
  #broken: readonly BrokenRule[] = [];
  #credential: ActingCredential | undefined;
  #requirement: Requirement = {};
  #right: string | undefined;
  #nowMs: number;

  constructor(parts: CallParts) {
    this.runtime = parts.runtime;
    this.principal = parts.principal;
    this.#nowMs = parts.nowMs;
    this.signal = parts.signal;
    this.#operation = parts.operation;
    this.#source = parts.source;
    this.#facts = parts.facts;
  }

  /** The time of the call: when it began, or when its document had arrived. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Runs every check; the first that fails throws. */
  async check(): Promise<void> {
    for (const check of this.#operation.checks) {
      if (check === 'document') await this.#document();
      else this.#run(check);
    }
    this.#noStrayParameters();
  }

  /** The checked input. */
  get input(): ParsedInput<InputSchemas> {
    return this.#input as ParsedInput<InputSchemas>;
  }

  /** The credential that was found to cover the requirement. */
  get credential(): ActingCredential {
    if (this.#credential === undefined) throw new Error('The operation requires no credential.');
    return this.#credential;
  }

  /** What the call was found to require. */
  get requirement(): Requirement {
    return this.#requirement;
  }

  /** The right that was looked for, or the one that was missing, once authority was checked. */
  get right(): string | undefined {
    return this.#right;
  }

  /** The rules that were left to the handler. */
  checkDeferred(): void {
    if (this.#broken.length > 0) throw refusal(this.#broken.map(({ member }) => member));
  }

  /** Proves the caller's authority again inside the transaction that acts on it. */
  confirm(tx: ReadTx): ActingCredential {
    const current = this.runtime.authenticate(tx, this.principal.held, this.nowMs);
    if (current === undefined) throw new AgentkeepError('unauthorized');
    return authorize(current, this.#requirement);
  }

  /** Stores the event of a change together with it. */
  record(tx: WriteTx, subject: EventSubject): void {
    // The body of a transaction may run again, and its event is the same then.
    const name = `${subject.type} ${subject.resource}`;
    const draft = this.#drafts.get(name) ?? callEvent(this.#facts(), subject);
    this.#drafts.set(name, draft);
    this.runtime.audit.changed(tx, draft);
  }

  #run(check: Exclude<Check, 'document'>): void {
    switch (check) {
      case 'parameters':
        this.#parameters();
        break;
      case 'version':
        this.#version();
        break;
      case 'id':
        this.#id();
        break;
      case 'authority':
        this.#authority();
        break;
      case 'rules':
        this.#rules((member) => !within(member, this.#operation.deferred));
        break;
      default:
        this.#rules((member) => within(member, check.slice('rules '.length)));
    }
  }

  async #document(): Promise<void> {
    const { document } = this.#operation.input;
    if (document === undefined) return;
    const parsed = await readDocument(this.#source);
    // A body may take its time to arrive, and what is decided and stored follows it.
    this.#nowMs = this.runtime.clock.now();
    // A closed object refuses the mark of a repeated member, a free-form one lets it pass.
    if (parsed?.withDuplicatesMarked !== undefined) {
      typedPart(document, parsed.withDuplicatesMarked);
    }
    const typed = typedPart(document, parsed?.value);
    this.#input.document = typed.output;
    this.#broken = typed.broken;
  }

  #parameters(): void {
    const { parameters } = this.#operation.input;
    if (parameters === undefined) return;
    const typed = typedPart(parameters, this.#source.parameters ?? {});
    this.#input.parameters = typed.output;
    this.#broken = typed.broken;
  }

  #version(): void {
    if (this.#broken.some(({ member }) => member === VERSION)) {
      throw new AgentkeepError('unsupported_contract_version');
    }
  }

  #id(): void {
    const { id } = this.#source;
    if (!isUuid(id)) throw refusal(['id']);
    this.#input.id = id.toLowerCase();
  }

  #authority(): void {
    const { requires } = this.#operation;
    if (requires.role !== undefined) {
      this.#right = rightOfRole(requires.role);
      authorizeRole(this.principal, requires.role);
      return;
    }
    this.#requirement = { capability: requires.capability, scope: requires.scope?.(this.input) };
    try {
      this.#credential = authorize(this.principal, this.#requirement);
      this.#right = rightOf(this.#requirement);
    } catch (error) {
      this.#right = deniedRight(this.principal, this.#requirement);
      throw error;
    }
  }

  /** An operation without parameters takes none at all. */
  #noStrayParameters(): void {
    if (this.#operation.input.parameters !== undefined) return;
    const { parameters } = this.#source;
    if (typeof parameters !== 'object' || parameters === null) return;
    const stray = Object.keys(parameters);
    if (stray.length > 0) throw refusal(stray);
  }

  #rules(covered: (member: string) => boolean): void {
    const refused = this.#broken.filter(({ member }) => covered(member));
    if (refused.length > 0) throw refusal(refused.map(({ member }) => member));
  }
}

function within(member: string, path: string | undefined): boolean {
  return path !== undefined && (member === path || member.startsWith(`${path}.`));
}
