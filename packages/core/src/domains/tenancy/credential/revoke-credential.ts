/** `revokeCredential`: permanently revokes a credential. */
import { exampleId, exampleVersion } from '../../../contract/example-values.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { changeTarget, storeCredentialChange } from './change-credential.js';
import { decideEnding } from './credential-policy.js';
import { CredentialResponse, RevisionRequest } from './schema.js';

/** Irreversible and not idempotent: a second revocation is `forbidden`. */
export const revokeCredential = defineTenantOperation({
  name: 'revokeCredential',
  summary: 'End a credential for good.',
  example: { id: exampleId, document: { ...exampleVersion, expected_revision: 1 } },
  command: { name: 'credentials revoke', revisionFrom: 'inspectCredential' },
  tag: 'Identity',
  input: { id: uuid(), document: RevisionRequest },
  whenFull: 'served',
  output: CredentialResponse,
  requires: { capability: 'credential_admin' },
  confirms: 'revision',
  checks: authorityFirstChecks,
  errors: ['revision_conflict'],
  handler: (request) => {
    const { id, document } = request.input;
    return request.runtime.store.transact((tx) => {
      const target = changeTarget(tx, request, id, (found) =>
        decideEnding(found, document.expected_revision),
      );
      const end = { revokedAtMillis: request.nowMs, previous: null };
      const credential = storeCredentialChange(tx, request, target, end, { action: 'revoked' });
      return { contract_version: CONTRACT_VERSION, credential };
    });
  },
});
