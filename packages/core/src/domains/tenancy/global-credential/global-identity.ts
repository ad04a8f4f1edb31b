/** `globalIdentity`: returns the credential of the installation that the caller acts with. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineInstallationOperation } from '../../../kernel/operation/define-operation.js';
import { installationChecks } from '../../../kernel/operation/orders-of-checks.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { findGlobalCredential, showGlobalCredential } from './global-credential-store.js';
import { GlobalCredentialResponse } from './schema.js';

/** Requires no capability. */
export const globalIdentity = defineInstallationOperation({
  name: 'globalIdentity',
  summary: 'Show the credential of the installation that the caller acts with.',
  example: {},
  command: { name: 'global-credentials whoami' },
  tag: 'Administration',
  effect: 'read',
  input: {},
  output: GlobalCredentialResponse,
  requires: 'any',
  checks: installationChecks,
  handler: ({ runtime, credential }) =>
    runtime.store.read((tx) => {
      const current = findGlobalCredential(tx, credential.id);
      if (current === undefined) throw new AgentkeepError('storage_inconsistency');
      return { contract_version: CONTRACT_VERSION, credential: showGlobalCredential(tx, current) };
    }),
});
