/**
 * The operations that create, show, list and change login accounts.
 *
 * Changes of login accounts: `changePassword…` and `disable…`, each for a tenant and for the
 * installation (docs/contract/login-accounts.md#log-27).
 *
 * Decides which callers may change an account in the platform's views
 * (docs/contract/login-accounts.md#log-26).
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId, examplePassword, exampleVersion } from '../../../contract/example-values.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { isTextId } from '../../../contract/schema/text.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import type { Principal } from '../../../kernel/access/principal.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import { cursorOfOlder, HistoryParameters, historyPart } from '../../../kernel/lists/page.js';
import { listDirectory } from '../../../kernel/lists/list-directory.js';
import { directoryOperation } from '../../../kernel/operation/define-operation.js';
import { installationChecks } from '../../../kernel/operation/orders-of-checks.js';
import { passwords } from '../../../kernel/ports/counted-hasher.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { isLive } from '../../tenancy/credential/credential-policy.js';
import { AdministrationRevisionRequest } from '../../tenancy/credential/schema.js';
import { type BoundCredential, findBindable } from '../account/account-principal.js';
import { findAccount, findAccountByName, listAccounts } from '../account/account-store.js';
import { accountCreated, type AccountDraft, storeNewAccount } from '../account/new-account.js';
import { showLoginAccount } from '../account/show-account.js';
import type { StoredAccount } from '../account/stored-account.js';
import { prepareLockoutChange, settleNewPassword } from '../lockout/change-lockout.js';
import { requireStrongPassword } from '../password/require-strong-password.js';
import { plannedChange, storeAccountChange, storeDisabling } from '../user/change-account.js';
import { attemptedName, changeEvents, creationRefused, userDisabled } from '../user/user-events.js';
import { loginAccountOperations, type LoginAccountRequest } from './login-account-operation.js';
import {
  CreateLoginAccountRequest,
  InspectLoginAccountResponse,
  LoginAccountResponse,
  LoginPasswordRequest,
} from './schema.js';

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

const newAccount = { document: CreateLoginAccountRequest };

type Request = LoginAccountRequest<typeof newAccount>;

/** The account is always bound to a credential of the same authority. */
export const { ofTenant: createTenantLoginAccount, ofInstallation: createGlobalLoginAccount } =
  loginAccountOperations(({ name, owner }) => ({
    name: `create${name}LoginAccount`,
    summary: `Make an account of ${owner} that can log in.`,
    example: {
      document: {
        ...exampleVersion,
        username: 'ann',
        password: examplePassword,
        credential_id: exampleId,
      },
    },
    command: {
      name: 'login-accounts create',
      examples: [
        'agentkeep login-accounts create --username ann --password-file - --credential-id ' +
          '<id>',
      ],
    },
    input: newAccount,
    document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
    output: LoginAccountResponse,
    checks: installationChecks,
    errors: ['weak_password', 'revision_conflict', 'login_busy'],
    refused: ({ code, document }) => creationRefused(attemptedName(document), code),
    handler: create,
  }));

async function create(request: Request) {
  const { runtime, authority, credential, nowMs } = request;
  const { username, password, credential_id: credentialId } = request.input.document;
  const bound = await runtime.store.read((tx) => bindable(tx, request));
  requireStrongPassword(password);
  const draft: AccountDraft = {
    id: runtime.newId(),
    authority,
    username,
    passwordHash: await passwords.of(runtime).hash(password, { authority, purpose: 'change' }),
    email: null,
    roles: ['Read'],
    credentialId,
    actorId: credential.id,
    nowMs,
  };
  return runtime.store.transact((tx) => {
    request.confirm(tx);
    const current = findBindable(tx, authority, credentialId);
    const isChanged = current?.revision !== bound.revision;
    if (isChanged || findAccountByName(tx, authority, username) !== undefined) {
      throw new AgentkeepError('revision_conflict');
    }
    const account = storeNewAccount(tx, draft);
    request.record(tx, accountCreated(draft));
    return { contract_version: CONTRACT_VERSION, account: showLoginAccount(tx, account) };
  });
}

/** Returns the credential to bind; unknown, dead and foreign ones give the same error. */
function bindable(tx: ReadTx, { authority, input: { document }, nowMs }: Request): BoundCredential {
  const credential = findBindable(tx, authority, document.credential_id);
  if (credential !== undefined && isLive(credential, nowMs)) return credential;
  throw new AgentkeepError('forbidden');
}

/** A live, forward-only traversal in the order of JSON-encoded usernames. */
export const { ofTenant: listTenantLoginAccounts, ofInstallation: listGlobalLoginAccounts } =
  loginAccountOperations(({ name, owner, list: output }) => ({
    ...directoryOperation,
    name: `list${name}LoginAccounts`,
    summary: `List the accounts of ${owner}, disabled and deleted ones included.`,
    example: { parameters: exampleVersion },
    command: {
      name: 'login-accounts list',
      columns: ['id', 'username', 'credential_id', 'revision', 'disabled_at_millis'],
    },
    output,
    handler: list,
  }));

function list({
  runtime,
  authority,
  input: { parameters },
}: LoginAccountRequest<typeof directoryOperation.input>) {
  return listDirectory(runtime.store, parameters, {
    identity: { list: 'login-accounts', tenantId: authority },
    read: (tx, page) => listAccounts(tx, authority, page),
    show: showLoginAccount,
    placeOf: ({ username }) => username,
    isPlace: isTextId,
  });
}

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

/** The decision on a request to change an account. */
type LoginAccountDecision =
  | { readonly type: 'proceed'; readonly account: StoredAccount }
  | { readonly type: 'forbidden' }
  | { readonly type: 'stale' };

/** The caller of a change, already authorized to use the operation. */
type Caller = Pick<Principal, 'kind' | 'id' | 'role' | 'global'>;

/** Decides in this order: unknown or foreign, disabled, not manageable, stale revision. */
export function decideChange(
  caller: Caller,
  account: StoredAccount | undefined,
  expectedRevision: number,
): LoginAccountDecision {
  if (account === undefined || account.disabledAtMillis !== null || !mayManage(caller, account)) {
    return { type: 'forbidden' };
  }
  if (account.revision !== expectedRevision) return { type: 'stale' };
  return { type: 'proceed', account };
}

/**
 * Only a SuperAdmin, the master and the account itself manage an account with rights over others.
 */
function mayManage({ kind, id, role, global }: Caller, account: StoredAccount): boolean {
  const hasRights = account.roles.some((each) => each === 'Admin' || each === 'SuperAdmin');
  // The master keeps its power in any account that it acts through, whatever the roles of the
  // account.
  if (!hasRights || role === 'SuperAdmin' || global?.isMaster === true) return true;
  return kind === 'account' && id === account.id;
}
