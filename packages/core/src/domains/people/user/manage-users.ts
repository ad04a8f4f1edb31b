/** The operations that create, show, list, change and delete users. */
import { setImmediate } from 'node:timers/promises';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId, examplePassword } from '../../../contract/example-values.js';
import { uuid } from '../../../contract/schema/uuid.js';
import type { Principal } from '../../../kernel/access/principal.js';
import {
  succeeded,
  SuccessResponse,
  TenantListParameters,
  TenantParameters,
} from '../../../kernel/lists/account-lists.js';
import { decodeCursor, encodeCursor, type ListIdentity } from '../../../kernel/lists/cursor.js';
import { directoryPage } from '../../../kernel/lists/page.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { AccountRequest } from '../../../kernel/operation/requests.js';
import { passwords } from '../../../kernel/ports/counted-hasher.js';
import type { ReadTx, Transactions } from '../../../storage/store/store.js';
import { accountsByName, findAccountByName, isEmailTaken } from '../account/account-store.js';
import { accountCreated, type AccountDraft, storeNewAccount } from '../account/new-account.js';
import { User } from '../account/schema.js';
import { showUser } from '../account/show-account.js';
import type { StoredAccount } from '../account/stored-account.js';
import { removeApiKeysOf } from '../api-key/api-key-store.js';
import { apiKeyRevoked } from '../api-key/manage-api-keys.js';
import { requireStrongPassword } from '../password/require-strong-password.js';
import { storeDeletion } from './change-account.js';
import { changeUser } from './change-user.js';
import {
  actorIdOf,
  isSelf,
  managedUser,
  requireGrantable,
  requireMayGive,
  visibleUser,
} from './managed-user.js';
import { CreateUserRequest, SetRolesRequest, UpdateUserRequest, UserList } from './schema.js';
import { attemptedName, creationRefused, userDeleted } from './user-events.js';

const newUser = { parameters: TenantParameters, document: CreateUserRequest };

/** Not idempotent: a repeat fails because the name is taken. */
export const createUser = defineAccountOperation({
  name: 'createUser',
  summary: 'Make an account that can log in.',
  example: {
    parameters: {},
    document: {
      username: 'ann',
      password: examplePassword,
      email: 'ann@example.com',
      roles: ['Read', 'Write'],
    },
  },
  command: {
    name: 'people create',
    examples: ['agentkeep people create --username ann --password-file - --roles Read'],
  },
  tag: 'Users',
  input: newUser,
  output: User,
  requires: { role: 'Admin' },
  checks: accountChecks,
  errors: ['weak_password', 'already_exists', 'login_busy'],
  refused: ({ code, document }) => creationRefused(attemptedName(document), code),
  handler: async (request) => {
    const { runtime, nowMs, authority } = request;
    const { password, username, email, roles, credential_id } = request.input.document;
    const given = { roles, credentialId: credential_id };
    requireStrongPassword(password);
    await runtime.store.read((tx) => {
      requireMayGive(tx, request, request.principal, given);
      requireFree(tx, request);
    });
    const draft = {
      id: runtime.newId(),
      authority,
      username,
      passwordHash: await passwords.of(runtime).hash(password, { authority, purpose: 'change' }),
      email,
      roles,
      credentialId: credential_id,
      nowMs,
    } satisfies AccountDraft;
    return runtime.store.transact((tx) => {
      const caller = request.confirm(tx);
      requireMayGive(tx, request, caller, given);
      const account = storeNewAccount(tx, { ...draft, actorId: actorIdOf(caller) });
      request.record(tx, accountCreated(draft));
      return showUser(account);
    });
  },
});

type Request = AccountRequest<typeof newUser>;

/** Checked before the slow hashing, and again in the transaction. */
function requireFree(tx: ReadTx, { authority, input: { document } }: Request): void {
  const { username, email } = document;
  const isTaken =
    findAccountByName(tx, authority, username) !== undefined ||
    (email !== null && isEmailTaken(tx, authority, email, undefined));
  if (isTaken) throw new AgentkeepError('already_exists');
}

/** Without a role, ids of other accounts give the same error whether they exist or not. */
export const getUser = defineAccountOperation({
  name: 'getUser',
  summary: 'Show one account.',
  example: { id: exampleId, parameters: {} },
  command: { name: 'people show' },
  tag: 'Users',
  effect: 'read',
  input: { id: uuid(), parameters: TenantParameters },
  output: User,
  requires: { party: 'self' },
  checks: accountChecks,
  errors: ['target_not_found'],
  handler: (request) =>
    request.runtime.store.read((tx) =>
      showUser(visibleUser(tx, request, request.principal, request.input.id)),
    ),
});

/** In byte order of usernames, without deleted accounts. */
export const listUsers = defineAccountOperation({
  name: 'listUsers',
  summary: 'List the accounts of the authority.',
  example: { parameters: {} },
  command: {
    name: 'people list',
    columns: ['id', 'username', 'roles', 'is_active', 'last_login', 'email'],
  },
  tag: 'Users',
  effect: 'read',
  input: { parameters: TenantListParameters },
  output: UserList,
  requires: { role: 'Admin' },
  checks: accountChecks,
  isHeavy: true,
  handler: async ({ runtime, authority, input }) => {
    const { limit, cursor } = input.parameters;
    const identity: ListIdentity = { list: 'users', tenantId: authority };
    const after = cursor === undefined ? undefined : decodeCursor(identity, cursor);
    const found = await firstUsers(runtime.store, { authority, after, count: limit + 1 });
    const { items, next_cursor } = directoryPage(found, limit, showUser, (last) =>
      encodeCursor(identity, last.username),
    );
    return { users: items, next_cursor };
  },
});

/** Accounts of one transaction. An authority can have any number of deleted ones. */
const SLICE_ACCOUNTS = 256;

async function firstUsers(
  store: Transactions,
  { authority, after, count }: { authority: string; after: string | undefined; count: number },
): Promise<StoredAccount[]> {
  const found: StoredAccount[] = [];
  let last = after;
  for (;;) {
    const from = last;
    const slice: StoredAccount[] = await store.read((tx) =>
      accountsByName(tx, authority, from, SLICE_ACCOUNTS),
    );
    found.push(...slice.filter(({ deletedAtMillis }) => deletedAtMillis === null));
    last = slice.at(-1)?.username;
    if (slice.length < SLICE_ACCOUNTS || found.length >= count) return found.slice(0, count);
    // A read alone does not let other work run.
    await setImmediate();
  }
}

const changedUser = { id: uuid(), parameters: TenantParameters, document: UpdateUserRequest };

/** An account may change its own e-mail address; other changes need the right to manage it. */
export const updateUser = defineAccountOperation({
  name: 'updateUser',
  summary: 'Change e-mail address, password, activity or roles of an account.',
  example: {
    id: exampleId,
    parameters: {},
    document: { email: 'ann@example.com', is_active: true },
  },
  command: { name: 'people update', examples: ['agentkeep people update <id> --is-active false'] },
  tag: 'Users',
  input: changedUser,
  // An account can store any number of new addresses over time; the other members end or protect an
  // account.
  whenFull: { of: ({ document }) => (document.email === undefined ? 'served' : 'refused') },
  output: User,
  requires: { party: 'self' },
  checks: accountChecks,
  errors: [
    'weak_password',
    'target_not_found',
    'account_disabled',
    'already_exists',
    'last_admin',
    'login_busy',
  ],
  handler: (request) => {
    const { email, password, is_active: isActive, roles } = request.input.document;
    if (password !== undefined) requireStrongPassword(password);
    return changeUser(request, { email, password, isActive, roles }, (tx, caller) =>
      changeableUser(tx, request, caller),
    );
  },
});

function changeableUser(
  tx: ReadTx,
  request: AccountRequest<typeof changedUser>,
  caller: Principal,
): StoredAccount {
  const { id, document } = request.input;
  const { password, is_active, roles } = document;
  const isHarmless = [password, is_active, roles].every((member) => member === undefined);
  if (isHarmless && isSelf(request, caller, id)) return visibleUser(tx, request, caller, id);
  requireGrantable(request, caller, roles ?? []);
  return managedUser(tx, request, caller, id);
}

/** The same set in another order changes nothing. */
export const setUserRoles = defineAccountOperation({
  name: 'setUserRoles',
  summary: 'Replace the roles of an account; its sessions end.',
  example: { id: exampleId, parameters: {}, document: { roles: ['Read'] } },
  command: {
    name: 'people set-roles',
    examples: ['agentkeep people set-roles <id> --roles Read --roles Write'],
  },
  tag: 'Users',
  input: { id: uuid(), parameters: TenantParameters, document: SetRolesRequest },
  whenFull: 'served',
  output: User,
  requires: { role: 'Admin' },
  checks: accountChecks,
  errors: ['target_not_found', 'account_disabled', 'last_admin'],
  handler: (request) => {
    const { id, document } = request.input;
    const { roles } = document;
    return changeUser(request, { roles }, (tx, caller) => {
      requireGrantable(request, caller, roles);
      return managedUser(tx, request, caller, id);
    });
  },
});

/** The account stays in the platform view, disabled, so that its name stays taken. */
export const deleteUser = defineAccountOperation({
  name: 'deleteUser',
  summary: 'Delete an account with its sessions and API keys; its name stays taken.',
  example: { id: exampleId, parameters: {} },
  command: { name: 'people delete' },
  tag: 'Users',
  input: { id: uuid(), parameters: TenantParameters },
  whenFull: 'served',
  output: SuccessResponse,
  requires: { role: 'Admin' },
  checks: accountChecks,
  errors: ['target_not_found', 'account_disabled', 'last_admin'],
  handler: async (request) => {
    const { runtime, nowMs, input } = request;
    await runtime.store.transact((tx) => {
      const caller = request.confirm(tx);
      const account = managedUser(tx, request, caller, input.id);
      storeDeletion(tx, account, {
        ...{ actorId: actorIdOf(caller), nowMs },
        record: (event) => request.record(tx, event),
      });
      const keyIds = removeApiKeysOf(tx, { authority: account.authority, accountId: account.id });
      for (const keyId of keyIds) request.record(tx, apiKeyRevoked(keyId));
      request.record(tx, userDeleted(account));
    });
    return succeeded(
      'The account is deleted, and its sessions, keys and connected programs have ended.',
    );
  },
});
