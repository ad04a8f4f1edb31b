/** `issueKeyCredential`: issues a credential whose holder proves a key. There is no secret. */
import { exampleScope, exampleVersion } from '../../../contract/example-values.js';
import { keyTokenOf } from '../../../kernel/access/key-token.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { credentialChanged } from '../credential/credential-event.js';
import { insertCredential, showCredential } from '../credential/credential-store.js';
import { checkedSpec, newCredentialState } from '../credential/new-credential.js';
import { verifierOfKey } from './checked-key.js';
import { IssueKeyRequest, KeyCredentialResponse } from './schema.js';

/** Not idempotent: a repeat issues another credential. */
export const issueKeyCredential = defineTenantOperation({
  name: 'issueKeyCredential',
  summary: 'Issue a credential for a public key; it has no secret.',
  example: {
    document: {
      ...exampleVersion,
      spec: { subject_id: 'helper', capabilities: ['memory_read'], grants: [exampleScope] },
      public_key: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
    },
  },
  command: {
    name: 'credentials issue-key',
    examples: [
      'agentkeep credentials issue-key --subject-id robot --capabilities memory_read ' +
        `--public-key '{"kty":"OKP","crv":"Ed25519","x":"…"}'`,
    ],
  },
  tag: 'Identity',
  input: { document: IssueKeyRequest },
  output: KeyCredentialResponse,
  requires: { capability: 'credential_admin' },
  confirms: 'revision',
  checks: authorityFirstChecks,
  errors: ['revision_conflict', 'subject_erased'],
  handler: (request) => {
    const { runtime, credential: actor, nowMs } = request;
    const { document } = request.input;
    const spec = checkedSpec(document.spec, nowMs);
    const verifier = verifierOfKey(document.public_key);
    const { credential, event } = newCredentialState(
      { id: runtime.newId(), tenantId: actor.tenantId, spec, verifier },
      { action: 'issued', actorId: actor.id, nowMs },
    );
    return runtime.store.transact((tx) => {
      request.confirm(tx);
      request.record(tx, credentialChanged(credential, 'issued'));
      insertCredential(tx, credential, event);
      return {
        contract_version: CONTRACT_VERSION,
        credential: showCredential(tx, credential),
        token: keyTokenOf(credential.id),
      };
    });
  },
});
