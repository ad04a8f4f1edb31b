/**
 * Changes of login accounts: `changePassword…` and `disable…`, each for a tenant and for the
 * installation (docs/contract/login-accounts.md#log-27).
 */
import { passwords } from '../../../kernel/ports/counted-hasher.js';
import { exampleId, examplePassword, exampleVersion } from '../../../contract/example-values.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import { findAccount } from '../account/account-store.js';
import { showLoginAccount } from '../account/show-account.js';
import type { StoredAccount } from '../account/stored-account.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { AdministrationRevisionRequest } from '../../tenancy/credential/schema.js';
import { prepareLockoutChange, settleNewPassword } from '../lockout/change-lockout.js';
import { requireStrongPassword } from '../password/require-strong-password.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { plannedChange, storeAccountChange, storeDisabling } from '../user/change-account.js';
import { changeEvents, userDisabled } from '../user/user-events.js';
import { loginAccountOperations, type LoginAccountRequest } from './login-account-operation.js';
import { decideChange } from './login-account-policy.js';
import { LoginAccountResponse, LoginPasswordRequest } from './schema.js';
import { installationChecks } from '../../../kernel/operation/orders-of-checks.js';

const passwordInput = { id: uuid(), document: LoginPasswordRequest };
const disableInput = { id: uuid(), document: AdministrationRevisionRequest };

type PasswordRequest = LoginAccountRequest<typeof passwordInput>;
type DisableRequest = LoginAccountRequest<typeof disableInput>;

/** Members of both. They end in `revision_conflict` also when the caller itself was changed. */
const change = {
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
  whenFull: 'served',
  output: LoginAccountResponse,
  checks: installationChecks,
} as const;

/** Doesn't ask for the old password. */
export const {
  ofTenant: changePasswordTenantLoginAccount,
  ofInstallation: changePasswordGlobalLoginAccount,
} = loginAccountOperations(({ name, owner }) => ({
  ...change,
  name: `changePassword${name}LoginAccount`,
  summary: `Replace the password of an account of ${owner}; its sessions end.`,
  example: {
    id: exampleId,
    document: { ...exampleVersion, expected_revision: 1, password: examplePassword },
  },
  command: {
    name: 'login-accounts set-password',
    revisionFrom: 'inspectTenantLoginAccount',
    examples: ['agentkeep login-accounts set-password <id> --password-file -'],
  },
  input: passwordInput,
  errors: ['revision_conflict', 'weak_password', 'login_busy'],
  handler: changePassword,
}));

/** A disabled account stays disabled. */
export const { ofTenant: disableTenantLoginAccount, ofInstallation: disableGlobalLoginAccount } =
  loginAccountOperations(({ name, owner }) => ({
    ...change,
    name: `disable${name}LoginAccount`,
    summary: `Disable an account of ${owner} for good.`,
    example: { id: exampleId, document: { ...exampleVersion, expected_revision: 1 } },
    command: { name: 'login-accounts disable', revisionFrom: 'inspectTenantLoginAccount' },
    input: disableInput,
    errors: ['revision_conflict', 'last_admin'],
    handler: disable,
  }));

async function changePassword(request: PasswordRequest) {
  const { runtime, nowMs, credential, principal } = request;
  const { id, document } = request.input;
  const { password } = document;
  const seen = await runtime.store.read((tx) => changeableAccount(tx, request));
  requireStrongPassword(password);
  const { authority, username } = seen;
  const passwordHash = await passwords.of(runtime).hash(password, { authority, purpose: 'change' });
  const lockout = prepareLockoutChange(runtime, { authority, username });
  return runtime.store.transact((tx) => {
    request.confirm(tx);
    const before = unchangedAccount(tx, seen);
    const planned = plannedChange(tx, before, { hasNewPassword: true }) ?? before;
    const record = (event: EventSubject): void => request.record(tx, event);
    const mark = { actorId: credential.id, nowMs, passwordHash, record };
    const after = storeAccountChange(tx, before, planned, mark);
    settleNewPassword(tx, lockout);
    const newPassword = { isOwn: principal.id === id };
    for (const event of changeEvents({ before, after, newPassword })) request.record(tx, event);
    return { contract_version: CONTRACT_VERSION, account: showLoginAccount(tx, after) };
  });
}

function disable(request: DisableRequest) {
  const { runtime, nowMs } = request;
  return runtime.store.transact((tx) => {
    const { id: actorId } = request.confirm(tx);
    const before = changeableAccount(tx, request);
    const after = storeDisabling(tx, before, {
      ...{ actorId, nowMs },
      record: (event) => request.record(tx, event),
    });
    request.record(tx, userDisabled(after));
    return { contract_version: CONTRACT_VERSION, account: showLoginAccount(tx, after) };
  });
}

/**
 * Returns the account that the caller may change at the expected revision.
 *
 * @throws {AgentkeepError} `forbidden`, `revision_conflict`
 */
function changeableAccount(
  tx: ReadTx,
  { authority, principal, input: { id, document } }: PasswordRequest | DisableRequest,
): StoredAccount {
  const account = findAccount(tx, authority, id);
  const decision = decideChange(principal, account, document.expected_revision);
  if (decision.type === 'stale') throw new AgentkeepError('revision_conflict');
  if (decision.type === 'forbidden') throw new AgentkeepError('forbidden');
  return decision.account;
}

/**
 * Returns the account as it is in the transaction that changes it.
 *
 * @throws {AgentkeepError} `revision_conflict` when its revision isn't the one that was seen.
 */
function unchangedAccount(tx: ReadTx, seen: StoredAccount): StoredAccount {
  const current = findAccount(tx, seen.authority, seen.id);
  if (current?.revision === seen.revision) return current;
  throw new AgentkeepError('revision_conflict');
}
