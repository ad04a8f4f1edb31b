/** `inspectTenantLoginAccount`, `inspectGlobalLoginAccount`: show one account. */
import { exampleId } from '../../../contract/example-values.js';
import { findAccount } from '../account/account-store.js';
import { showLoginAccount } from '../account/show-account.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import {
  cursorOfOlder,
  HistoryParameters,
  historyPart,
} from '../../../kernel/lists/history-page.js';
import { loginAccountOperations, type LoginAccountRequest } from './login-account-operation.js';
import { InspectLoginAccountResponse } from './schema.js';
import { installationChecks } from '../../../kernel/operation/orders-of-checks.js';

const input = { id: uuid(), parameters: HistoryParameters };

/** Unknown and foreign ids are both `forbidden`. */
export const { ofTenant: inspectTenantLoginAccount, ofInstallation: inspectGlobalLoginAccount } =
  loginAccountOperations(({ name, owner }) => ({
    name: `inspect${name}LoginAccount`,
    summary: `Show one account of ${owner}, disabled ones included.`,
    example: { id: exampleId, parameters: {} },
    command: { name: 'login-accounts show' },
    effect: 'read',
    input,
    output: InspectLoginAccountResponse,
    checks: installationChecks,
    isHeavy: true,
    handler: inspect,
  }));

function inspect({
  runtime,
  authority,
  input: { id, parameters },
}: LoginAccountRequest<typeof input>) {
  const owner = { authority, id };
  const part = historyPart(owner, parameters);
  return runtime.store.read((tx) => {
    const found = findAccount(tx, authority, id);
    if (found === undefined) throw new AgentkeepError('forbidden');
    const account = showLoginAccount(tx, found, part);
    const older = cursorOfOlder(owner, account.history);
    return { contract_version: CONTRACT_VERSION, account, ...older };
  });
}
