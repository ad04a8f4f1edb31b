/** Defines operations. */
import * as v from 'valibot';
import type { ErrorCode } from '../../contract/errors/catalogue.js';
import {
  CURSOR_CHARS_MAX,
  DIRECTORY_LIMIT_DEFAULT,
  DIRECTORY_LIMIT_MAX,
} from '../../contract/limits.js';
import { closed } from '../../contract/schema/document.js';
import { administrationVersion, boundedInteger } from '../../contract/schema/number.js';
import type { InputSchemas } from '../input/input-rules.js';
import type {
  AccountOperation,
  InstallationOperation,
  Operation,
  PublicOperation,
  TenantOperation,
} from './operation.js';
import { inputFirstChecks, type OrderOfChecks, stepsOf } from './orders-of-checks.js';
import type { CheckedOperation } from './stated-operation.js';

/** An operation without the members that follow from its kind, its input and its checks. */
export type Statement<T extends Operation> = Omit<T, 'kind' | 'errors' | 'checks'> & {
  /** The order of which it takes the steps that its input needs. */
  readonly checks: OrderOfChecks;
  /** Errors of the handler. Default: none besides those of the checks. */
  readonly errors?: readonly ErrorCode[];
};

/** States an operation that needs no proof. */
export function definePublicOperation<const I extends InputSchemas, O extends v.GenericSchema>(
  operation: Statement<PublicOperation<I, O>>,
): PublicOperation<I, O> {
  return withChecks({ ...operation, kind: 'public' });
}

/** States an operation on data of a tenant. */
export function defineTenantOperation<const I extends InputSchemas, O extends v.GenericSchema>(
  operation: Statement<TenantOperation<I, O>>,
): TenantOperation<I, O> {
  return withChecks({ ...operation, kind: 'tenant' });
}

/** States an operation on data of the installation. */
export function defineInstallationOperation<
  const I extends InputSchemas,
  O extends v.GenericSchema,
>(operation: Statement<InstallationOperation<I, O>>): InstallationOperation<I, O> {
  return withChecks({ ...operation, kind: 'installation' });
}

/** States an operation for accounts and parties with a role. */
export function defineAccountOperation<const I extends InputSchemas, O extends v.GenericSchema>(
  operation: Statement<AccountOperation<I, O>>,
): AccountOperation<I, O> {
  return withChecks({ ...operation, kind: 'account' });
}

/** Adds the steps of the checks, and their errors to those of the handler. */
function withChecks<T extends StatedChecks & { readonly errors?: readonly ErrorCode[] }>(
  stated: T,
): T & Pick<Operation, 'errors' | 'checks'> {
  const operation = { ...stated, checks: stepsOf(stated.checks, stated) };
  return { ...operation, errors: [...checkErrors(operation), ...(stated.errors ?? [])] };
}

/** States the same operation under a second name, for a second path; the command stays one. */
export function aliasOf<O extends Operation>(operation: O, name: string): O {
  return withoutCommand({ ...operation, name });
}

/** Returns a statement that people call by its name alone. */
export function withoutCommand<T extends Pick<Operation, 'command'>>(stated: T): T {
  const rest = { ...stated };
  Reflect.deleteProperty(rest, 'command');
  return rest;
}

/** What decides the errors of checks. */
interface StatedChecks extends Pick<
  CheckedOperation,
  'kind' | 'checks' | 'input' | 'document' | 'effect' | 'firstRules'
> {
  /** What the caller must be; its form depends on the kind. */
  readonly requires?: unknown;
}

/** Returns the errors that the checks of an operation can end in. */
function checkErrors({ kind, checks, document, requires, effect }: StatedChecks): ErrorCode[] {
  // An operation that ignores its body ignores unknown parameters as well.
  const readsInput = checks.length > 0 && document?.presence !== 'ignored';
  const canForbid = kind !== 'public' && !needsSession(requires);
  const mayMeetErasure = effect !== 'read' && hasScope(requires);
  return [
    ...(readsInput ? (['invalid_request'] as const) : []),
    ...(checks.includes('version') ? (['unsupported_contract_version'] as const) : []),
    ...(checks.includes('document') ? (['request_too_large'] as const) : []),
    ...(canForbid ? (['forbidden'] as const) : []),
    ...(mayMeetErasure ? (['erasure_in_progress'] as const) : []),
    ...(checks.includes('tenant') ? (['tenant_not_found'] as const) : []),
  ];
}

/** Whether an operation acts in scopes that its input names. */
function hasScope(requires: unknown): boolean {
  const { scope, scopes } = Object(requires) as { readonly scope?: unknown; scopes?: unknown };
  return scope !== undefined || scopes !== undefined;
}

/** Whether only a session counts as a proof: any other caller is `unauthorized`. */
function needsSession(requires: unknown): boolean {
  return (Object(requires) as { readonly party?: unknown }).party === 'session';
}

/** The query parameters of a directory list. */
const DirectoryParameters = closed({
  contract_version: administrationVersion(),
  limit: v.optional(boundedInteger(1, DIRECTORY_LIMIT_MAX), DIRECTORY_LIMIT_DEFAULT),
  cursor: v.optional(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
});

/** The input, checks and errors of a directory list. */
export const directoryOperation = {
  effect: 'read',
  input: { parameters: DirectoryParameters },
  checks: inputFirstChecks,
  isHeavy: true,
  // Clients must expect these, although no case leads to them today.
  errors: ['revision_conflict', 'request_too_large'],
} as const;
