/**
 * What an operation is: one statement from which validation, authorization, routes, the OpenAPI
 * contract, reference pages and tests follow.
 * @module
 */
import type * as v from 'valibot';
import type { Requirement } from '../access/authorize.js';
import type { Capability } from '../access/capability.js';
import type { PartyRequirement } from '../access/authorize-party.js';
import type { GlobalRequirement } from '../access/authorize-global.js';
import type { ActingCredential, ActingGlobalCredential, Principal } from '../access/principal.js';
import type { Scope } from '../access/scope.js';
import type { AttemptedProof, EventSubject } from './audit/call-events.js';
import type { ErrorCode } from '../contract/errors/catalogue.js';
import type { ReadTx, WriteTx } from '../storage/store/store.js';
import type { EventOrigin } from './audit/audit.js';
import type { Runtime } from './runtime.js';

/** The parts that an input can have: an id, scalar parameters and a JSON document. */
export interface InputSchemas {
  readonly id?: v.GenericSchema;
  readonly parameters?: v.GenericSchema;
  readonly document?: v.GenericSchema;
}

/** The input of a handler. */
export type ParsedInput<I extends InputSchemas> = {
  readonly [P in keyof I]: I[P] extends v.GenericSchema ? v.InferOutput<I[P]> : never;
};

/**
 * One step of an operation's order of checks:
 * - `document`, `parameters`: shape and types of that part, 400
 * - `version`: `contract_version` is 1, 400
 * - `id`: the id follows its schema, 400
 * - `authority`: capability and scope, or role, 403
 * - `tenant`: the parameter `tenant_id` names an authority that the caller may act in, 403 or 404
 * - `rules <member>`: text rules and bounds below one member, 400
 * - `rules`: all text rules and bounds that no other step covers, 400
 */
export type Check =
  | 'document'
  | 'parameters'
  | 'version'
  | 'id'
  | 'authority'
  | 'tenant'
  | 'rules'
  | `rules ${string}`;

/** One of several capabilities, where the input tells which. */
export interface CapabilityChoice<I extends InputSchemas> {
  readonly among: readonly Capability[];
  of(input: ParsedInput<I>): Capability;
}

/** What an operation requires of its caller besides a valid proof. */
export interface Requires<I extends InputSchemas> extends PartyRequirement {
  readonly capability?: Capability | CapabilityChoice<I>;
  /** For what belongs to the installation: tenants' principals have no part in it. */
  readonly global?: GlobalRequirement;
  scope?(input: ParsedInput<I>): Scope;
}

/** How the document of an operation is read. */
export interface DocumentRule {
  /** Largest size in bytes. Default: 65,536. */
  readonly bytesMax?: number;
  /** `optional`: an empty one counts as `{}`; `ignored`: nothing but its size is looked at. */
  readonly presence?: 'optional' | 'ignored';
}

/** What handlers of all operations have. */
interface CheckedRequest<I extends InputSchemas> {
  readonly runtime: Runtime;
  readonly input: ParsedInput<I>;
  readonly nowMs: number;
  readonly signal: AbortSignal | undefined;
  /** Where the call comes from, for events that are not recorded through it. */
  readonly origin: EventOrigin;
  /**
   * Stores the event of a change together with it; the caller is its actor, unless one is named.
   */
  record(tx: WriteTx, subject: EventSubject): void;
  /** Notes an event that belongs to no change; the caller is its actor, unless one is named. */
  observe(subject: EventSubject): void;
}

/** A call of an operation that needs no proof, as the handler sees it. */
export interface PublicRequest<I extends InputSchemas> extends CheckedRequest<I> {
  /** The caller, where there is a proof, it is read and it is good. */
  readonly caller: Principal | undefined;
  /** The proofs that the caller sent, good or not. */
  readonly attempted: readonly AttemptedProof[];
}

/** A call that has passed its checks, as the handler sees it. */
export interface OperationRequest<I extends InputSchemas> extends CheckedRequest<I> {
  readonly principal: Principal;
  /**
   * The credential that the principal acts with, found to cover what the operation requires.
   * Operations of the account surface look at the principal instead.
   */
  readonly credential: ActingCredential;
  /**
   * The credential of the installation that the principal acts with, where `global` is required.
   */
  readonly global: ActingGlobalCredential;
  /** Id of the credential that the principal acts with on the platform. */
  readonly actorId: string;
  readonly requirement: Requirement;
  /**
   * The authority that the call acts in, as the tenant part of keys; the caller's own by default.
   */
  readonly authority: string;

  /**
   * The rules that the operation left to its handler: all, or those below one member.
   *
   * @throws {AgentkeepError} `invalid_request` when one is broken.
   */
  checkDeferred(member?: string): void;

  /**
   * Refuses a change when the credential that the caller acts with is not the one that was weighed.
   *
   * @throws {AgentkeepError} `revision_conflict`, and `forbidden` when the session has ended.
   */
  confirmUnchanged(tx: ReadTx): void;

  /**
   * Proves the caller's authority again inside the transaction that acts on it.
   *
   * @throws {AgentkeepError} `unauthorized` or `forbidden` when it ended since the call began.
   */
  confirm(tx: ReadTx): ActingCredential;

  /**
   * For the account surface: the caller as it is inside the transaction that acts for it.
   *
   * @throws {AgentkeepError} `unauthorized` or `forbidden` when its rights ended since the call
   * began.
   */
  confirmParty(tx: ReadTx): Principal;

  /**
   * Refuses the call for want of a right, which the audit log is told.
   *
   * @throws {AgentkeepError} `forbidden`
   */
  deny(right: string): never;
}

/** An operation that needs no proof. */
export interface PublicOperation<
  I extends InputSchemas = InputSchemas,
  O extends v.GenericSchema = v.GenericSchema,
> extends Described<O> {
  readonly access: 'public';
  readonly input: I;
  /** Whether a proof is not even read, so that a call is counted by its address. */
  readonly ignoresProof?: boolean;
  /** Whether it answers whatever becomes of the store, so that nothing is looked up for it. */
  readonly isStoreless?: boolean;
  readonly checks: readonly Exclude<Check, 'authority' | 'tenant'>[];
  handler(request: PublicRequest<I>): v.InferOutput<O> | Promise<v.InferOutput<O>>;
}

/** An operation that needs a proof. */
export interface AuthenticatedOperation<
  I extends InputSchemas = InputSchemas,
  O extends v.GenericSchema = v.GenericSchema,
> extends Described<O> {
  readonly access: 'authenticated';
  readonly input: I;
  readonly requires: Requires<I>;
  /** The steps before the handler, in the order in which the first failure wins. */
  readonly checks: readonly Check[];
  /** The member of the document whose rules the handler checks itself, later. */
  readonly deferred?: string;
  /** Does the work. A method, so that operations of all inputs fit one type. */
  handler(request: OperationRequest<I>): Promise<v.InferOutput<O>>;
  /**
   * The event of a request that was refused as invalid or in conflict, behind the check of
   * authority; without it such a refusal is none.
   */
  readonly refused?: (refusal: Refusal) => EventSubject;
}

/** A request that was refused. */
export interface Refusal {
  /** The code that the caller sees. */
  readonly code: string;
  /** The document as it was sent, right or wrong; absent when none was read. */
  readonly document: unknown;
}

/** Which family an operation belongs to; transports give each its own shape of error. */
export type Surface = 'platform' | 'account';

interface Described<O> {
  /** Stable name: `operationId` of the contract. */
  readonly name: string;
  readonly summary: string;
  readonly tag: string;
  /** Default: `platform`. */
  readonly surface?: Surface;
  /** What it does to what is stored. Default: `write`. */
  readonly effect?: 'read' | 'write';
  readonly output: O;
  readonly document?: DocumentRule;
  /** Codes that the operation can answer with besides those that every call can. */
  readonly errors: readonly ErrorCode[];
}

/** Any operation. */
export type Operation = PublicOperation | AuthenticatedOperation;

/** The capabilities that calls of an operation can require; each call requires one at most. */
export function capabilitiesOf({
  requires: { capability },
}: Pick<AuthenticatedOperation, 'requires'>): readonly Capability[] {
  if (capability === undefined) return [];
  return typeof capability === 'string' ? [capability] : capability.among;
}

/** States an operation that needs a proof. */
export function defineOperation<const I extends InputSchemas, O extends v.GenericSchema>(
  operation: Omit<AuthenticatedOperation<I, O>, 'access'>,
): AuthenticatedOperation<I, O> {
  return { ...operation, access: 'authenticated' };
}

/** States an operation that needs no proof. */
export function definePublicOperation<const I extends InputSchemas, O extends v.GenericSchema>(
  operation: Omit<PublicOperation<I, O>, 'access'>,
): PublicOperation<I, O> {
  return { ...operation, access: 'public' };
}
