/**
 * Making a login account, stated once for both views.
 *
 * @module
 */
import { type BoundCredential, findBindable } from '../account/account-principal.js';
import { findAccountByName } from '../account/account-store.js';
import { accountCreated, type AccountDraft, storeNewAccount } from '../account/new-account.js';
import { showLoginAccount } from '../account/show-account.js';
import { isLive } from '../../identity/credential/credential-policy.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../contract/limits.js';
import { requireStrongPassword } from '../password/require-strong-password.js';
import type { AuthenticatedOperation, OperationRequest } from '../../runtime/operation.js';
import type { ReadTx } from '../../storage/store/store.js';
import { attemptedName, creationRefused } from '../user/user-events.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { LoginAccountView } from './login-account-view.js';
import { CreateLoginAccountRequest, LoginAccountResponse } from './schema.js';

/** What making an account reads. */
export interface CreateInput {
  readonly document: typeof CreateLoginAccountRequest;
}

type Create = AuthenticatedOperation<CreateInput, typeof LoginAccountResponse>;

/** Everything but the name of the operation; always bound to a credential of the same authority. */
export function createLoginAccount({
  tag,
  requires,
}: LoginAccountView): Omit<Create, 'name' | 'access' | 'summary'> {
  return {
    tag,
    input: { document: CreateLoginAccountRequest },
    document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
    output: LoginAccountResponse,
    requires,
    checks: ['document', 'version', 'authority', 'rules'],
    errors: [
      'invalid_request',
      'unsupported_contract_version',
      'weak_password',
      'forbidden',
      'revision_conflict',
      'login_busy',
    ],
    refused: ({ code, document }) => creationRefused(attemptedName(document), code),
    handler: create,
  };
}

async function create(request: OperationRequest<CreateInput>) {
  const { runtime, authority, actorId, nowMs } = request;
  const { username, password, credential_id: credentialId } = request.input.document;
  const bound = await runtime.store.read((tx) => bindable(tx, request));
  requireStrongPassword(password);
  const draft: AccountDraft = {
    id: runtime.newId(),
    authority,
    username,
    passwordHash: await runtime.passwords.hash(password),
    email: null,
    roles: ['Read'],
    credentialId,
    actorId,
    nowMs,
  };
  return runtime.store.transact((tx) => {
    request.confirmUnchanged(tx);
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

/** The credential to bind; unknown, dead and foreign ones are not told apart. */
function bindable(tx: ReadTx, request: OperationRequest<CreateInput>): BoundCredential {
  const { credential_id: credentialId } = request.input.document;
  const credential = findBindable(tx, request.authority, credentialId);
  if (credential !== undefined && isLive(credential, request.nowMs)) return credential;
  throw new AgentkeepError('forbidden');
}
