/**
 * Replacing the password of a login account, stated once for both views.
 *
 * @module
 */
import { plannedChange, storeChange } from '../user/change-account.js';
import { showLoginAccount } from '../account/show-account.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../contract/limits.js';
import { prepareLockoutChange, settleNewPassword } from '../lockout/change-lockout.js';
import { requireStrongPassword } from '../password/require-strong-password.js';
import type { AuthenticatedOperation, OperationRequest } from '../../runtime/operation.js';
import { uuid } from '../../contract/schema/uuid.js';
import { changeEvents } from '../user/user-events.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { changeableAccount, unchangedAccount } from './change-login-account.js';
import type { LoginAccountView } from './login-account-view.js';
import { LoginAccountResponse, LoginPasswordRequest } from './schema.js';

/** What replacing a password reads. */
export interface PasswordInput {
  readonly id: ReturnType<typeof uuid>;
  readonly document: typeof LoginPasswordRequest;
}

type ChangePassword = AuthenticatedOperation<PasswordInput, typeof LoginAccountResponse>;

/** Everything but the name of the operation; the old password is not asked for. */
export function changeLoginPassword({
  tag,
  requires,
}: LoginAccountView): Omit<ChangePassword, 'name' | 'access' | 'summary'> {
  return {
    tag,
    input: { id: uuid(), document: LoginPasswordRequest },
    document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
    output: LoginAccountResponse,
    requires,
    checks: ['document', 'version', 'id', 'authority', 'rules'],
    errors: [
      'invalid_request',
      'unsupported_contract_version',
      'weak_password',
      'forbidden',
      'revision_conflict',
      'login_busy',
    ],
    handler: changePassword,
  };
}

async function changePassword(request: OperationRequest<PasswordInput>) {
  const { runtime, nowMs, actorId, principal } = request;
  const { id, document } = request.input;
  const { expected_revision: revision, password } = document;
  const seen = await runtime.store.read((tx) => changeableAccount(tx, request, id, revision));
  const { authority, username } = seen;
  requireStrongPassword(password);
  const passwordHash = await runtime.passwords.hash(password);
  const lockout = prepareLockoutChange(runtime, { authority, username });
  return runtime.store.transact((tx) => {
    request.confirmUnchanged(tx);
    const before = unchangedAccount(tx, seen);
    const planned = plannedChange(tx, before, { hasNewPassword: true }) ?? before;
    const after = storeChange(tx, before, planned, { actorId, nowMs, passwordHash });
    settleNewPassword(tx, lockout);
    const newPassword = { isOwn: principal.id === id };
    for (const event of changeEvents({ before, after, newPassword })) request.record(tx, event);
    return { contract_version: CONTRACT_VERSION, account: showLoginAccount(tx, after) };
  });
}
