/** `issueKeyCredential`: issues a credential whose holder proves a key. There is no secret. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId, exampleScope, exampleVersion } from '../../../contract/example-values.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import {
  importPublicKey,
  keyTokenOf,
  keyVerifier,
  type PublicKey,
  thumbprintOf,
} from '../../../kernel/access/key-thumbprint.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { credentialChanged } from '../credential/credential-event.js';
import { decideEnding } from '../credential/credential-policy.js';
import { insertCredential, showCredential } from '../credential/credential-store.js';
import { changeTarget, storeCredentialChange } from '../credential/manage-credentials.js';
import { checkedSpec, newCredentialState } from '../credential/new-credential.js';
import { rotatedSecrets } from '../credential/credential-rows.js';
import { requireSecretOrKey } from '../credential/require-secrets.js';
import { IssueKeyRequest, KeyCredentialResponse, ReplaceKeyRequest } from './schema.js';

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

/**
 * Returns what is stored of a key.
 *
 * @throws {AgentkeepError} `invalid_request` if its numbers are no point of its curve.
 */
function verifierOfKey(key: PublicKey): string {
  if (importPublicKey(key) !== undefined) return keyVerifier(thumbprintOf(key));
  const members = [{ path: 'public_key', expected: `a point of ${key.crv}` }];
  throw new AgentkeepError('invalid_request', { members });
}
