/** `inspectCredential`: returns a credential of the caller's tenant, without its secret. */
import { exampleId } from '../../../contract/example-values.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import {
  cursorOfOlder,
  HistoryParameters,
  historyPart,
} from '../../../kernel/lists/history-page.js';
import { findCredential, showCredential } from './credential-store.js';
import { InspectCredentialResponse } from './schema.js';

/**
 * Ids that are unknown or belong to another tenant are both `forbidden`, so ids can't be probed.
 */
export const inspectCredential = defineTenantOperation({
  name: 'inspectCredential',
  summary: 'Show one credential of the tenant, revoked and expired ones included.',
  example: { id: exampleId, parameters: {} },
  command: { name: 'credentials show' },
  tag: 'Identity',
  effect: 'read',
  input: { id: uuid(), parameters: HistoryParameters },
  output: InspectCredentialResponse,
  requires: { capability: 'credential_admin' },
  checks: authorityFirstChecks,
  isHeavy: true,
  handler: ({ runtime, credential: { tenantId }, input: { id, parameters } }) => {
    const owner = { authority: tenantId, id };
    const part = historyPart(owner, parameters);
    return runtime.store.read((tx) => {
      const target = findCredential(tx, tenantId, id);
      if (target === undefined) throw new AgentkeepError('forbidden');
      const credential = showCredential(tx, target, part);
      const older = cursorOfOlder(owner, credential.history);
      return { contract_version: CONTRACT_VERSION, credential, ...older };
    });
  },
});
