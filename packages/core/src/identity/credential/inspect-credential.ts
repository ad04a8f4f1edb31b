/** `inspectCredential`: returns a credential of the caller's tenant, without its secret. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { defineTenantOperation } from '../../runtime/define-operation.js';
import { uuid } from '../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { findCredential, showCredential } from './credential-store.js';
import { CredentialResponse } from './schema.js';

/**
 * Ids that are unknown or belong to another tenant are both `forbidden`, so ids can't be probed.
 */
export const inspectCredential = defineTenantOperation({
  name: 'inspectCredential',
  summary: 'Show one credential of the tenant, revoked and expired ones included.',
  tag: 'Identity',
  effect: 'read',
  input: { id: uuid() },
  output: CredentialResponse,
  requires: { capability: 'credential_admin' },
  checks: ['authority', 'id'],
  errors: ['invalid_request', 'forbidden'],
  handler: ({ runtime, credential, input }) =>
    runtime.store.read((tx) => {
      const target = findCredential(tx, credential.tenantId, input.id);
      if (target === undefined) throw new AgentkeepError('forbidden');
      return { contract_version: CONTRACT_VERSION, credential: showCredential(tx, target) };
    }),
});
