/** `inspectTenantLoginAccount`, `inspectGlobalLoginAccount`: show one account. */
import { findAccount } from '../account/account-store.js';
import { showLoginAccount } from '../account/show-account.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { uuid } from '../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { loginAccountOperations, type LoginAccountRequest } from './login-account-operation.js';
import { LoginAccountResponse } from './schema.js';

const input = { id: uuid() };

/** Unknown and foreign ids are both `forbidden`. */
export const { ofTenant: inspectTenantLoginAccount, ofInstallation: inspectGlobalLoginAccount } =
  loginAccountOperations(({ name, owner }) => ({
    name: `inspect${name}LoginAccount`,
    summary: `Show one account of ${owner}, disabled ones included.`,
    effect: 'read',
    input,
    output: LoginAccountResponse,
    checks: ['id', 'authority'],
    errors: ['invalid_request', 'forbidden'],
    handler: inspect,
  }));

function inspect({ runtime, authority, input: { id } }: LoginAccountRequest<typeof input>) {
  return runtime.store.read((tx) => {
    const account = findAccount(tx, authority, id);
    if (account === undefined) throw new AgentkeepError('forbidden');
    return { contract_version: CONTRACT_VERSION, account: showLoginAccount(tx, account) };
  });
}
