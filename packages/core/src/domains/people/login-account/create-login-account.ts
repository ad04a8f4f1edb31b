/** `createTenantLoginAccount`, `createGlobalLoginAccount`: make an account that can log in. */
import { passwords } from '../../../kernel/ports/counted-hasher.js';
import { exampleId, examplePassword, exampleVersion } from '../../../contract/example-values.js';
import { type BoundCredential, findBindable } from '../account/account-principal.js';
import { findAccountByName } from '../account/account-store.js';
import { accountCreated, type AccountDraft, storeNewAccount } from '../account/new-account.js';
import { showLoginAccount } from '../account/show-account.js';
import { isLive } from '../../tenancy/credential/credential-policy.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { requireStrongPassword } from '../password/require-strong-password.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { attemptedName, creationRefused } from '../user/user-events.js';
import { loginAccountOperations, type LoginAccountRequest } from './login-account-operation.js';
import { CreateLoginAccountRequest, LoginAccountResponse } from './schema.js';
import { installationChecks } from '../../../kernel/operation/orders-of-checks.js';

const input = { document: CreateLoginAccountRequest };

type Request = LoginAccountRequest<typeof input>;

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
    input,
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
