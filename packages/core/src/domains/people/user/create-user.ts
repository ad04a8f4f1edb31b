/** `createUser`: creates an account in the authority that the caller acts in. */
import { passwords } from '../../../kernel/ports/counted-hasher.js';
import { examplePassword } from '../../../contract/example-values.js';
import { findAccountByName, isEmailTaken } from '../account/account-store.js';
import { accountCreated, type AccountDraft, storeNewAccount } from '../account/new-account.js';
import { User } from '../account/schema.js';
import { showUser } from '../account/show-account.js';
import { TenantParameters } from '../../../kernel/lists/account-lists.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { requireStrongPassword } from '../password/require-strong-password.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import type { AccountRequest } from '../../../kernel/operation/requests.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { actorIdOf, requireMayGive } from './managed-user.js';
import { CreateUserRequest } from './schema.js';
import { attemptedName, creationRefused } from './user-events.js';

const input = { parameters: TenantParameters, document: CreateUserRequest };

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
  input,
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

type Request = AccountRequest<typeof input>;

/** Checked before the slow hashing, and again in the transaction. */
function requireFree(tx: ReadTx, { authority, input: { document } }: Request): void {
  const { username, email } = document;
  const isTaken =
    findAccountByName(tx, authority, username) !== undefined ||
    (email !== null && isEmailTaken(tx, authority, email, undefined));
  if (isTaken) throw new AgentkeepError('already_exists');
}
