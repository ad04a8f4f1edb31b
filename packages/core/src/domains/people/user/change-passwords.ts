/** The operations that change the own password, or reset that of a user. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import {
  exampleId,
  examplePassword,
  otherExamplePassword,
} from '../../../contract/example-values.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { uuid } from '../../../contract/schema/uuid.js';
import {
  succeeded,
  SuccessResponse,
  TenantParameters,
} from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { passwords } from '../../../kernel/ports/counted-hasher.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { findAccount, passwordHashOf } from '../account/account-store.js';
import { isActiveAccount } from '../account/stored-account.js';
import { checkLogin } from '../lockout/check-login.js';
import { requireStrongPassword } from '../password/require-strong-password.js';
import { plannedChange, storeAccountChange } from './change-account.js';
import { changeUser } from './change-user.js';
import { actorIdOf, managedUser } from './managed-user.js';
import { ChangePasswordRequest, ResetPasswordRequest } from './schema.js';
import { changeEvents } from './user-events.js';

/** A wrong current password counts as a failed login of the account. */
export const changeOwnPassword = defineAccountOperation({
  name: 'changeOwnPassword',
  summary: 'Replace the password of the calling account; all its sessions and programs end.',
  example: { document: { current_password: examplePassword, new_password: otherExamplePassword } },
  command: {
    name: 'people change-own-password',
    examples: [
      'agentkeep people change-own-password --current-password-file ./old ' +
        '--new-password-file ./new',
    ],
  },
  tag: 'Users',
  input: { document: ChangePasswordRequest },
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
  whenFull: 'served',
  output: SuccessResponse,
  requires: { party: 'account' },
  checks: accountChecks,
  errors: [
    'weak_password',
    'invalid_login',
    'account_locked',
    'passwords_not_allowed',
    'login_busy',
  ],
  handler: async (request) => {
    const { runtime, principal, authority } = request;
    const { current_password: current, new_password: next } = request.input.document;
    if (principal.kind !== 'account') return request.deny('self');
    requireStrongPassword(next);
    let passwordHash: string | undefined;
    await checkLogin(runtime, {
      authority,
      username: principal.username,
      password: current,
      purpose: 'change',
      origin: request.origin,
      find: (tx) => ownLogin(tx, authority, principal.id),
      prepare: async () => {
        // Checked last: only a caller who knows the old password may learn that they are equal.
        if (next === current) {
          const expected = 'another password than the current one';
          throw new AgentkeepError('invalid_request', {
            members: [{ path: 'new_password', expected }],
          });
        }
        passwordHash = await passwords.of(runtime).hash(next, { authority, purpose: 'change' });
      },
      succeed: (tx, { account: before }, nowMs) => {
        const actorId = actorIdOf(request.confirm(tx));
        const planned = plannedChange(tx, before, { hasNewPassword: true }) ?? before;
        const after = storeAccountChange(tx, before, planned, {
          ...{ actorId, nowMs, passwordHash },
          record: (event) => request.record(tx, event),
        });
        const [event] = changeEvents({ before, after, newPassword: { isOwn: true } });
        if (event !== undefined) request.record(tx, event);
      },
    });
    return succeeded(
      'The password is replaced, and all sessions and connected programs have ended. Log in again.',
    );
  },
});

function ownLogin(tx: ReadTx, authority: string, accountId: string) {
  const account = findAccount(tx, authority, accountId);
  if (account === undefined) return undefined;
  const passwordHash = passwordHashOf(tx, account);
  return { account, accountId, passwordHash, mayLogIn: isActiveAccount(account) };
}

/** Doesn't ask for the old password. Ends a lock that failures caused. */
export const resetPassword = defineAccountOperation({
  name: 'resetPassword',
  summary: 'Replace the password of an account; its sessions and programs end.',
  example: { id: exampleId, parameters: {}, document: { new_password: otherExamplePassword } },
  command: {
    name: 'people reset-password',
    examples: ['agentkeep people reset-password <user-id> --new-password-file -'],
  },
  tag: 'Users',
  input: { id: uuid(), parameters: TenantParameters, document: ResetPasswordRequest },
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
  whenFull: 'served',
  output: SuccessResponse,
  requires: { role: 'Admin' },
  checks: accountChecks,
  errors: ['weak_password', 'target_not_found', 'account_disabled', 'login_busy'],
  handler: async (request) => {
    const { id, document } = request.input;
    const { new_password: password } = document;
    requireStrongPassword(password);
    await changeUser(request, { password }, (tx, caller) => managedUser(tx, request, caller, id));
    return succeeded(
      'The password is reset, and the sessions and connected programs of the account have ended.',
    );
  },
});
