/** `replaceCredentialKey`: gives a credential another key, instead of its key or its secret. */
import { exampleId, exampleVersion } from '../../../contract/example-values.js';
import { keyTokenOf } from '../../../kernel/access/key-token.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { changeTarget, storeCredentialChange } from '../credential/change-credential.js';
import { decideEnding } from '../credential/credential-policy.js';
import { requireSecretOrKey } from '../credential/require-secret-or-key.js';
import { rotatedSecrets } from '../credential/previous-secret.js';
import { verifierOfKey } from './checked-key.js';
import { KeyCredentialResponse, ReplaceKeyRequest } from './schema.js';

/** A rotation in which the holder keeps what proves it to itself. */
export const replaceCredentialKey = defineTenantOperation({
  name: 'replaceCredentialKey',
  summary: 'Replace the key or the secret of a credential by a key.',
  example: {
    id: exampleId,
    document: {
      ...exampleVersion,
      expected_revision: 1,
      public_key: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
    },
  },
  command: { name: 'credentials replace-key', revisionFrom: 'inspectCredential' },
  tag: 'Identity',
  input: { id: uuid(), document: ReplaceKeyRequest },
  whenFull: 'served',
  output: KeyCredentialResponse,
  requires: { capability: 'credential_admin' },
  confirms: 'revision',
  checks: authorityFirstChecks,
  errors: ['revision_conflict'],
  handler: (request) => {
    const { runtime, nowMs } = request;
    const { id, document } = request.input;
    const verifier = verifierOfKey(document.public_key);
    return runtime.store.transact((tx) => {
      const target = changeTarget(tx, request, id, (found) =>
        decideEnding(found, document.expected_revision),
      );
      requireSecretOrKey(target);
      const overlapSeconds = document.overlap_seconds;
      const change = rotatedSecrets(target, { verifier }, { nowMs, overlapSeconds });
      const credential = storeCredentialChange(tx, request, target, change, { action: 'rotated' });
      return { contract_version: CONTRACT_VERSION, credential, token: keyTokenOf(id) };
    });
  },
});
