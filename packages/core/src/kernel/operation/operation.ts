/**
 * The four kinds of operations. An operation is stated once; its validation, authorization, route,
 * OpenAPI description, reference page and tests are derived from that statement.
 */
import type * as v from 'valibot';
import type { GlobalRequirement, PartyRequirement, RequiredScopes } from '../access/authorize.js';
import type { Capability, RequiredCapability } from '../access/capability.js';
import type { Scope } from '../access/scope.js';
import type { Settled } from '../../storage/store/store.js';
import type { InputSchemas, ParsedInput } from '../input/input-rules.js';
import type {
  AccountRequest,
  InstallationRequest,
  PublicRequest,
  TenantRequest,
} from './requests.js';
import type { ProvedOperation, StatedOperation } from './stated-operation.js';

/** Capabilities of which the input chooses one, or several of which one is enough. */
export interface CapabilityChoice<I extends InputSchemas> {
  readonly among: readonly Capability[];
  of(input: ParsedInput<I>): RequiredCapability;
}

/** What an operation of a tenant requires of the caller's credential. */
export interface TenantRequirement<I extends InputSchemas> {
  readonly capability?: RequiredCapability | CapabilityChoice<I>;
  scope?(input: ParsedInput<I>): Scope | undefined;
  scopes?(input: ParsedInput<I>): RequiredScopes;
}

/** An operation that needs no proof. */
export interface PublicOperation<
  I extends InputSchemas = InputSchemas,
  O extends v.GenericSchema = v.GenericSchema,
> extends StatedOperation<I, O> {
  readonly kind: 'public';
  /** Whether a proof is not read at all, so that a call is counted by its address. */
  readonly ignoresProof?: boolean;
  /** Whether it runs without the store. */
  readonly isStoreless?: boolean;
  handler(request: PublicRequest<I>): Settled<v.InferOutput<O>>;
}

/** An operation on data of a tenant. The caller acts with a credential of that tenant. */
export interface TenantOperation<
  I extends InputSchemas = InputSchemas,
  O extends v.GenericSchema = v.GenericSchema,
> extends ProvedOperation<I, O> {
  readonly kind: 'tenant';
  readonly requires: TenantRequirement<I>;
  /**
   * What `confirm` proves again in the transaction. Default: `authority`.
   * - `authority`: the caller's proof is good and covers what the operation requires
   * - `revision`: the caller's credential and role are at the revision that was checked
   */
  readonly confirms?: 'authority' | 'revision';
  /** The member of the document whose rules the handler checks itself, later. */
  readonly deferred?: string;
  /** A method, so that operations of all inputs fit one type. */
  handler(request: TenantRequest<I>): Settled<v.InferOutput<O>>;
}

/**
 * An operation on data of the installation. The caller acts with a credential of the installation,
 * and `confirm` checks that it is at the revision that was checked before.
 */
export interface InstallationOperation<
  I extends InputSchemas = InputSchemas,
  O extends v.GenericSchema = v.GenericSchema,
> extends ProvedOperation<I, O> {
  readonly kind: 'installation';
  readonly requires: GlobalRequirement;
  handler(request: InstallationRequest<I>): Settled<v.InferOutput<O>>;
}

/** An operation that depends on the caller's identity: an account, or a party with a role. */
export interface AccountOperation<
  I extends InputSchemas = InputSchemas,
  O extends v.GenericSchema = v.GenericSchema,
> extends ProvedOperation<I, O> {
  readonly kind: 'account';
  readonly requires: PartyRequirement;
  handler(request: AccountRequest<I>): Settled<v.InferOutput<O>>;
}

/** Any operation that needs a proof. */
export type AuthenticatedOperation = TenantOperation | InstallationOperation | AccountOperation;

/** Any operation. */
export type Operation = PublicOperation | AuthenticatedOperation;

/**
 * Returns whether calls of an operation may be refused with `quota_exceeded`. An operation of the
 * installation never is: its administrators must be able to act on a full tenant.
 */
export function mayExceedQuota(operation: Operation): boolean {
  if (operation.kind === 'public' || operation.kind === 'installation') return false;
  return operation.effect !== 'read' && operation.whenFull !== 'served';
}

/** Returns whether a call is refused if it would take a tenant over its storage quota. */
export function keepsWithinQuota(
  operation: AuthenticatedOperation,
  input: ParsedInput<InputSchemas>,
): boolean {
  return mayExceedQuota(operation) && addsData(operation, input);
}

/** Returns whether a call adds data, which a disk that is nearly full refuses. */
export function addsData(
  operation: AuthenticatedOperation,
  input: ParsedInput<InputSchemas>,
): boolean {
  const { whenFull = 'refused' } = operation;
  if (operation.effect === 'read') return false;
  return (typeof whenFull === 'string' ? whenFull : whenFull.of(input)) === 'refused';
}

/** Returns whether a call of an operation does no harm if it is carried out twice. */
export function mayBeginAgain({ effect, readsAgain }: AuthenticatedOperation): boolean {
  return effect === 'read' || readsAgain === true;
}

/** Returns whether calls of an operation need authority over scopes that the input names. */
export function needsScope({ requires }: TenantOperation): boolean {
  return requires.scope !== undefined || requires.scopes !== undefined;
}

/** Returns the capabilities that calls of an operation can require; one is enough for a call. */
export function capabilitiesOf(operation: AuthenticatedOperation): readonly Capability[] {
  if (operation.kind !== 'tenant') return [];
  const { capability } = operation.requires;
  if (capability === undefined) return [];
  return typeof capability === 'object' && 'among' in capability
    ? capability.among
    : [capability].flat();
}
