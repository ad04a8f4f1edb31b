/**
 * `rotateCredential`: replaces the secret of a credential. The old one is invalid from the commit
 * on, or from the end of the overlap that the caller chose.
 */
import { exampleId, exampleVersion } from '../../../contract/example-values.js';
import { formatSecret, SECRET_BYTES, verifierOf } from '../../../kernel/access/secret.js';
import { thumbprintIn } from '../../../kernel/access/key-thumbprint.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { changeTarget, storeCredentialChange } from './change-credential.js';
import { decideEnding } from './credential-policy.js';
import { requireSecretOrKey } from './require-secret-or-key.js';
import { requireSecrets } from './require-secrets.js';
import { rotatedSecrets } from './previous-secret.js';
import { IssuedCredential, RotationRequest } from './schema.js';

/** Also rotates expired credentials, which stay expired. Never revives a revoked one. */
export const rotateCredential = defineTenantOperation({
  name: 'rotateCredential',
  summary: 'Replace the secret of a credential; the new one is delivered once.',
  example: { id: exampleId, document: { ...exampleVersion, expected_revision: 1 } },
  command: {
    name: 'credentials rotate',
    revisionFrom: 'inspectCredential',
    examples: [
      'agentkeep credentials rotate <id> --write-secret ./new-secret',
      'agentkeep credentials rotate <id> --overlap-seconds 3600 --write-secret ./new-secret',
    ],
  },
  tag: 'Identity',
  input: { id: uuid(), document: RotationRequest },
  whenFull: 'served',
  output: IssuedCredential,
  requires: { capability: 'credential_admin' },
  confirms: 'revision',
  checks: authorityFirstChecks,
  errors: ['revision_conflict'],
  handler: (request) => {
    const { id, document } = request.input;
    const bytes = request.runtime.entropy.bytes(SECRET_BYTES);
    const secret = { kind: 'ak1', id, bytes } as const;
    const verifier = verifierOf(secret);
    return request.runtime.store.transact((tx) => {
      const target = changeTarget(tx, request, id, (found) =>
        decideEnding(found, document.expected_revision),
      );
      requireSecrets(tx, target.tenantId);
      if (thumbprintIn(target.verifier) !== undefined) throw hasKey();
      requireSecretOrKey(target);
      const { nowMs } = request;
      const overlapSeconds = document.overlap_seconds;
      const change = rotatedSecrets(target, { verifier }, { nowMs, overlapSeconds });
      const credential = storeCredentialChange(tx, request, target, change, { action: 'rotated' });
      return { contract_version: CONTRACT_VERSION, credential, secret: formatSecret(secret) };
    });
  },
});

function hasKey(): AgentkeepError {
  const expected =
    'a credential with a secret; replace the key of this one with replaceCredentialKey';
  return new AgentkeepError('invalid_request', { members: [{ path: 'id', expected }] });
}
