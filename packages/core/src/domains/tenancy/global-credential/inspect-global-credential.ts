/** `inspectGlobalCredential`: returns a credential of the installation, without its secret. */
import { exampleId } from '../../../contract/example-values.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineInstallationOperation } from '../../../kernel/operation/define-operation.js';
import { installationChecks } from '../../../kernel/operation/orders-of-checks.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import {
  cursorOfOlder,
  HistoryParameters,
  historyPart,
} from '../../../kernel/lists/history-page.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import { mayInspect } from './global-credential-policy.js';
import { findGlobalCredential, showGlobalCredential } from './global-credential-store.js';
import { InspectGlobalCredentialResponse } from './schema.js';

/** Unknown ids and credentials with more capabilities than the caller's are both `forbidden`. */
export const inspectGlobalCredential = defineInstallationOperation({
  name: 'inspectGlobalCredential',
  summary: 'Show one credential of the installation, revoked and expired ones included.',
  example: { id: exampleId, parameters: {} },
  command: { name: 'global-credentials show' },
  tag: 'Administration',
  effect: 'read',
  input: { id: uuid(), parameters: HistoryParameters },
  output: InspectGlobalCredentialResponse,
  requires: 'global_credential_admin',
  checks: installationChecks,
  isHeavy: true,
  handler: ({ runtime, credential: caller, input: { id, parameters } }) => {
    const owner = { authority: INSTALLATION, id };
    const part = historyPart(owner, parameters);
    return runtime.store.read((tx) => {
      const target = findGlobalCredential(tx, id);
      if (target === undefined || !mayInspect(caller, target)) {
        throw new AgentkeepError('forbidden');
      }
      const credential = showGlobalCredential(tx, target, part);
      const older = cursorOfOlder(owner, credential.history);
      return { contract_version: CONTRACT_VERSION, credential, ...older };
    });
  },
});
