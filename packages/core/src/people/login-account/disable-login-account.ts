/**
 * Disabling a login account, stated once for both views.
 *
 * @module
 */
import { storeDisabling } from '../user/change-account.js';
import { showLoginAccount } from '../account/show-account.js';
import { AdministrationRevisionRequest } from '../../identity/credential/schema.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../contract/limits.js';
import type { AuthenticatedOperation } from '../../runtime/operation.js';
import { uuid } from '../../contract/schema/uuid.js';
import { userDisabled } from '../user/user-events.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { changeableAccount } from './change-login-account.js';
import type { LoginAccountView } from './login-account-view.js';
import { LoginAccountResponse } from './schema.js';

/** What disabling reads. */
export interface DisableInput {
  readonly id: ReturnType<typeof uuid>;
  readonly document: typeof AdministrationRevisionRequest;
}

type Disable = AuthenticatedOperation<DisableInput, typeof LoginAccountResponse>;

/** Everything but the name of the operation; there is no way back. */
export function disableLoginAccount({
  tag,
  requires,
}: LoginAccountView): Omit<Disable, 'name' | 'access' | 'summary'> {
  return {
    tag,
    input: { id: uuid(), document: AdministrationRevisionRequest },
    document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
    output: LoginAccountResponse,
    requires,
    checks: ['document', 'version', 'id', 'authority', 'rules'],
    errors: [
      'invalid_request',
      'unsupported_contract_version',
      'forbidden',
      'revision_conflict',
      'last_admin',
    ],
    handler: (request) => {
      const { id, document } = request.input;
      const { actorId, nowMs } = request;
      return request.runtime.store.transact((tx) => {
        request.confirmUnchanged(tx);
        const before = changeableAccount(tx, request, id, document.expected_revision);
        const after = storeDisabling(tx, before, { actorId, nowMs });
        request.record(tx, userDisabled(after));
        return { contract_version: CONTRACT_VERSION, account: showLoginAccount(tx, after) };
      });
    },
  };
}
