/**
 * What an operation is: one statement from which validation, authorization, routes, the OpenAPI
 * contract, reference pages and tests follow.
 * @module
 */
import type * as v from 'valibot';
import type { Requirement } from '../access/authorize.js';
import type { Capability } from '../access/capability.js';
import type { ActingCredential, AdminRole, Principal } from '../access/principal.js';
import type { Scope } from '../access/scope.js';
import type { EventSubject } from '../audit/call-events.js';
import type { ErrorCode } from '../errors/catalogue.js';
import type { ReadTx, WriteTx } from '../store/store.js';
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
 * - `id`: the id is a UUID, 400
 * - `authority`: capability and scope, 403
 * - `rules <member>`: text rules and bounds below one member, 400
 * - `rules`: all text rules and bounds that no other step covers, 400
 */
export type Check =
  'document' | 'parameters' | 'version' | 'id' | 'authority' | 'rules' | `rules ${string}`;

/** What an operation requires of its caller besides a valid proof. */
export interface Requires<I extends InputSchemas> {
  readonly capability?: Capability;
  /** For the account surface: the least role in the caller's authority. */
  readonly role?: AdminRole;
  scope?(input: ParsedInput<I>): Scope;
}

/** A call that has passed its checks, as the handler sees it. */
export interface OperationRequest<I extends InputSchemas> {
  readonly runtime: Runtime;
  readonly input: ParsedInput<I>;
  readonly principal: Principal;
  /**
   * The credential that the principal acts with, found to cover what the operation requires.
   * Operations that require a role look at the principal instead.
   */
  readonly credential: ActingCredential;
  readonly requirement: Requirement;
  readonly nowMs: number;
  readonly signal: AbortSignal | undefined;
  /**
   * The rules that the operation left to its handler.
   * @throws {AgentkeepError} `invalid_request` when one is broken.
   */
  checkDeferred(): void;
  /**
   * Proves the caller's authority again inside the transaction that acts on it.
   * @throws {AgentkeepError} `unauthorized` or `forbidden` when it ended since the call began.
   */
  confirm(tx: ReadTx): ActingCredential;
  /** Stores the event of a change together with it; the caller is its actor. */
  record(tx: WriteTx, subject: EventSubject): void;
}

/** An operation that needs no proof. */
export interface PublicOperation<O extends v.GenericSchema = v.GenericSchema> extends Described<O> {
  readonly access: 'public';
  readonly input: InputSchemas;
  handler(): v.InferOutput<O>;
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
  /** Codes that the operation can answer with besides those that every call can. */
  readonly errors: readonly ErrorCode[];
}

/** Any operation. */
export type Operation = PublicOperation | AuthenticatedOperation;

/** States an operation that needs a proof. */
export function defineOperation<const I extends InputSchemas, O extends v.GenericSchema>(
  operation: Omit<AuthenticatedOperation<I, O>, 'access'>,
): AuthenticatedOperation<I, O> {
  return { ...operation, access: 'authenticated' };
}

/** States an operation that needs no proof. */
export function definePublicOperation<O extends v.GenericSchema>(
  operation: Omit<PublicOperation<O>, 'access' | 'input'>,
): PublicOperation<O> {
  return { ...operation, access: 'public', input: {} };
}
