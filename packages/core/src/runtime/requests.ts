/** The requests of handlers: one type for each kind of operation, with the powers of that kind. */
import type { ActingCredential, ActingGlobalCredential, Principal } from '../access/principal.js';
import type { ReadTx, WriteTx } from '../storage/store/store.js';
import type { AuditMetadata, EventOrigin } from './audit/audit.js';
import type { AttemptedProof, EventSubject } from './audit/call-events.js';
import type { WaitSettings } from './call.js';
import type { InputSchemas, ParsedInput } from './input-rules.js';
import type { Runtime } from './runtime.js';

/** Members of every request. */
export interface CallRequest<I extends InputSchemas> {
  readonly runtime: Runtime;
  readonly input: ParsedInput<I>;
  /** When the call began, or when its document had arrived. */
  readonly nowMs: number;
  /** The origin of the call, for events that are not recorded through it. */
  readonly origin: EventOrigin;
  /** Stores an event together with the change; its actor is the caller unless it names one. */
  record(tx: WriteTx, subject: EventSubject): void;
  /** Stores an event of the change in the log of a tenant, beside that of the caller. */
  recordIn(tx: WriteTx, tenantId: string, subject: EventSubject): void;
  /** Notes an event that belongs to no change; its actor is the caller unless it names one. */
  observe(subject: EventSubject): void;
  /**
   * Resolves when a heavy call may do its next slice of work, after others had their turns.
   *
   * @throws The reason of the signal, if the call was aborted.
   */
  turn(): Promise<void>;
  /** Gives up the place of a heavy call until `idle` has ended, for work that only waits. */
  rest<T>(idle: () => Promise<T>): Promise<T>;
  /** Ends waiting: the client has left, or waiting calls are to answer with what there is. */
  readonly waiting: WaitSettings;
}

/** A call of an operation that needs no proof. */
export interface PublicRequest<I extends InputSchemas> extends CallRequest<I> {
  /** The caller, if a valid proof was sent and read. */
  readonly caller: Principal | undefined;
  /** The proofs that the caller sent, good or not. */
  readonly attempted: readonly AttemptedProof[];
}

/** A call whose caller is proved; `confirm` returns a `C`. */
interface ProvedRequest<I extends InputSchemas, C> extends CallRequest<I> {
  /**
   * The ports, with a store that proves the caller again in every read, before its body.
   *
   * @see {@link confirm} for what such a read can fail with.
   */
  readonly runtime: Runtime;
  readonly principal: Principal;
  /** The authority that the call acts in, as the tenant part of keys. */
  readonly authority: string;

  /**
   * Authenticates the caller again inside the transaction that acts for it. Reads do so by
   * themselves.
   *
   * @throws {AgentkeepError} `unauthorized` when the proof ended since the call began; `forbidden`
   * or `revision_conflict`, depending on the kind, when the caller's rights changed.
   */
  confirm(tx: ReadTx): C;

  /**
   * Refuses the call because a right is missing, and names the right in the audit log.
   *
   * @throws {AgentkeepError} `forbidden`
   */
  deny(right: string): never;
}

/** A call that acts with a credential. */
export interface CredentialRequest<
  I extends InputSchemas,
  C extends ActingCredential | ActingGlobalCredential,
> extends ProvedRequest<I, C> {
  /** The credential that the caller acts with. It covers what the operation requires. */
  readonly credential: C;
}

/** A call of an operation of a tenant. */
export interface TenantRequest<I extends InputSchemas> extends CredentialRequest<
  I,
  ActingCredential
> {
  /**
   * Names the changes of a call that succeeds in the metadata of the events of its passed check:
   * one event for each. `changes` is called only when there is such an event.
   */
  nameChanges(changes: () => readonly AuditMetadata[]): void;

  /**
   * Checks the rules that the operation left to its handler: all, or those below one member.
   *
   * @throws {AgentkeepError} `invalid_request` when one is broken.
   */
  checkDeferred(member?: string): void;
}

/** A call of an operation of the installation. */
export type InstallationRequest<I extends InputSchemas> = CredentialRequest<
  I,
  ActingGlobalCredential
>;

/** A call of an operation for accounts; `confirm` returns the caller as it is now. */
export type AccountRequest<I extends InputSchemas> = ProvedRequest<I, Principal>;
