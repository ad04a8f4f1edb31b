/**
 * States operations on login accounts once for both authorities: a tenant, for its administrators,
 * and the installation, for its master (docs/contract/login-accounts.md#log-32).
 */
import type * as v from 'valibot';
import type { BoundCredential } from '../account/account-principal.js';
import {
  defineInstallationOperation,
  defineTenantOperation,
  type Statement,
  withoutCommand,
} from '../../../kernel/operation/define-operation.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type {
  InstallationOperation,
  TenantOperation,
} from '../../../kernel/operation/operation.js';
import type { CredentialRequest } from '../../../kernel/operation/requests.js';
import {
  DirectoryGlobalLoginAccountsResponse,
  DirectoryTenantLoginAccountsResponse,
} from './schema.js';

/** A call of an operation on login accounts, of either authority. */
export type LoginAccountRequest<I extends InputSchemas> = CredentialRequest<I, BoundCredential>;

/** What differs between the operations of the two authorities. */
export interface LoginAccountAuthority {
  /** Part of the operation's name. */
  readonly name: 'Tenant' | 'Global';
  readonly owner: 'the tenant' | 'the installation';
  /** The answer of its list. */
  readonly list: typeof DirectoryTenantLoginAccountsResponse;
}

/** An operation without the members that its authority decides. */
type CommonStatement<I extends InputSchemas, O extends v.GenericSchema> = Omit<
  Statement<InstallationOperation<I, O>>,
  'tag' | 'requires' | 'handler'
> & {
  handler(request: LoginAccountRequest<I>): Promise<v.InferOutput<O>>;
};

/** The operations of both authorities. */
export interface LoginAccountOperations<I extends InputSchemas, O extends v.GenericSchema> {
  readonly ofTenant: TenantOperation<I, O>;
  readonly ofInstallation: InstallationOperation<I, O>;
}

const tag = 'Login accounts';

const tenant: LoginAccountAuthority = {
  name: 'Tenant',
  owner: 'the tenant',
  list: DirectoryTenantLoginAccountsResponse,
};

const installation: LoginAccountAuthority = {
  name: 'Global',
  owner: 'the installation',
  list: DirectoryGlobalLoginAccountsResponse,
};

/** States an operation for both authorities. The command of a tenant is not that of both. */
export function loginAccountOperations<const I extends InputSchemas, O extends v.GenericSchema>(
  state: (authority: LoginAccountAuthority) => CommonStatement<I, O>,
): LoginAccountOperations<I, O> {
  return {
    ofTenant: defineTenantOperation<I, O>({
      ...state(tenant),
      tag,
      requires: { capability: 'credential_admin' },
      confirms: 'revision',
    }),
    ofInstallation: defineInstallationOperation<I, O>({
      ...withoutCommand(state(installation)),
      tag,
      requires: 'master',
    }),
  };
}
