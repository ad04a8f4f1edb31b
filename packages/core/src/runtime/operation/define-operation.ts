/** Functions that state operations, one for each kind. */
import type * as v from 'valibot';
import type { InputSchemas } from '../input/input-rules.js';
import type {
  AccountOperation,
  InstallationOperation,
  Operation,
  PublicOperation,
  TenantOperation,
} from './operation.js';
import type { Surface } from './stated-operation.js';

/** An operation without the members that its kind decides. */
type Statement<T extends Operation> = Omit<T, 'kind' | 'surface'>;

/** The surface, if it isn't that of most operations of the kind. */
interface Surfaced {
  readonly surface?: Surface;
}

/** States an operation that needs no proof. Default surface: `platform`. */
export function definePublicOperation<const I extends InputSchemas, O extends v.GenericSchema>(
  operation: Statement<PublicOperation<I, O>> & Surfaced,
): PublicOperation<I, O> {
  return { surface: 'platform', ...operation, kind: 'public' };
}

/** States an operation on data of a tenant. */
export function defineTenantOperation<const I extends InputSchemas, O extends v.GenericSchema>(
  operation: Statement<TenantOperation<I, O>>,
): TenantOperation<I, O> {
  return { ...operation, kind: 'tenant', surface: 'platform' };
}

/** States an operation on data of the installation. */
export function defineInstallationOperation<
  const I extends InputSchemas,
  O extends v.GenericSchema,
>(operation: Statement<InstallationOperation<I, O>>): InstallationOperation<I, O> {
  return { ...operation, kind: 'installation', surface: 'platform' };
}

/** States an operation for accounts and parties with a role. Default surface: `account`. */
export function defineAccountOperation<const I extends InputSchemas, O extends v.GenericSchema>(
  operation: Statement<AccountOperation<I, O>> & Surfaced,
): AccountOperation<I, O> {
  return { surface: 'account', ...operation, kind: 'account' };
}

/** States the same operation under a second name, for a second path. */
export function aliasOf<O extends Operation>(operation: O, name: string): O {
  return { ...operation, name };
}
