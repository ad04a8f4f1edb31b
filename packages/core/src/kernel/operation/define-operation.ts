/** Functions that state operations, one for each kind. */
import type * as v from 'valibot';
import type { ErrorCode } from '../../contract/errors/catalogue.js';
import type { InputSchemas } from '../input/input-rules.js';
import { checkErrors, type StatedChecks } from './check-errors.js';
import { type OrderOfChecks, stepsOf } from './orders-of-checks.js';
import type {
  AccountOperation,
  InstallationOperation,
  Operation,
  PublicOperation,
  TenantOperation,
} from './operation.js';

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
