/** `issueFederatedCredential`: issues a credential that a trusted issuer proves. */
import { exampleScope, exampleVersion } from '../../../contract/example-values.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { credentialChanged } from '../credential/credential-event.js';
import { insertCredential, showCredential } from '../credential/credential-store.js';
import { checkedSpec, newCredentialState } from '../credential/new-credential.js';
import { CredentialResponse } from '../credential/schema.js';
import { beyondMaker } from './federated-maker-policy.js';
import { federatedVerifier } from './federated-pin.js';
import { findIssuer } from './issuer-store.js';
import { IssueFederatedRequest } from './schema.js';

/** Not idempotent: a repeat issues another credential. */
export const issueFederatedCredential = defineTenantOperation({
  name: 'issueFederatedCredential',
  summary: 'Issue a credential that a trusted issuer proves; it has no secret.',
  example: {
    document: {
      ...exampleVersion,
      spec: { subject_id: 'deployer', capabilities: ['memory_read'], grants: [exampleScope] },
      federation: { issuer: 'ci', sub: { mode: 'prefix', prefix: 'repo:acme/' } },
    },
  },
  command: { name: 'credentials issue-federated' },
  tag: 'Identity',
  input: { document: IssueFederatedRequest },
  output: CredentialResponse,
  requires: { capability: 'credential_admin' },
  confirms: 'revision',
  checks: authorityFirstChecks,
  errors: ['issuer_not_found', 'revision_conflict', 'subject_erased'],
  handler: (request) => {
    const { runtime, credential: actor, nowMs } = request;
    const { spec: requested, federation } = request.input.document;
    const { tenantId } = actor;
    const spec = checkedSpec(requested, nowMs);
    const message = beyondMaker(spec, actor);
    if (message !== undefined) throw new AgentkeepError('forbidden', { message });
    const id = runtime.newId();
    const { credential, event } = newCredentialState(
      { id, tenantId, spec, verifier: federatedVerifier(id), federation },
      { action: 'issued', actorId: actor.id, nowMs },
    );
    return runtime.store.transact((tx) => {
      request.confirm(tx);
      if (findIssuer(tx, tenantId, federation.issuer) === undefined) {
        throw new AgentkeepError('issuer_not_found');
      }
      request.record(tx, credentialChanged(credential, 'issued'));
      insertCredential(tx, credential, event);
      return { contract_version: CONTRACT_VERSION, credential: showCredential(tx, credential) };
    });
  },
});
