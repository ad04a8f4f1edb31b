/** `inspectGlobalCredential`: returns a credential of the installation, without its secret. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { defineInstallationOperation } from '../../runtime/define-operation.js';
import { uuid } from '../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { mayInspect } from './global-credential-policy.js';
import { findGlobalCredential, showGlobalCredential } from './global-credential-store.js';
import { GlobalCredentialResponse } from './schema.js';

/** Unknown ids and credentials with more capabilities than the caller's are both `forbidden`. */
export const inspectGlobalCredential = defineInstallationOperation({
  name: 'inspectGlobalCredential',
  summary: 'Show one credential of the installation, revoked and expired ones included.',
  tag: 'Administration',
  effect: 'read',
  input: { id: uuid() },
  output: GlobalCredentialResponse,
  requires: 'global_credential_admin',
  checks: ['id', 'authority'],
  errors: ['invalid_request', 'forbidden'],
  handler: ({ runtime, credential, input }) =>
    runtime.store.read((tx) => {
      const target = findGlobalCredential(tx, input.id);
      if (target === undefined || !mayInspect(credential, target)) {
        throw new AgentkeepError('forbidden');
      }
      return { contract_version: CONTRACT_VERSION, credential: showGlobalCredential(tx, target) };
    }),
});
