/** `whoAmI`: returns the credential that the caller acts with. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { copyJson } from '../../../contract/schema/json-copy.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { readAtOnce } from '../../../storage/store/read-at-once.js';
import { findCredential, showCredential } from './credential-store.js';
import { CredentialResponse, type CredentialSpec } from './schema.js';

/** Requires no capability. An account without a bound credential is refused. */
export const whoAmI = defineTenantOperation({
  name: 'whoAmI',
  summary: 'Show the credential that the caller acts with.',
  example: {},
  command: { name: 'whoami', examples: ['agentkeep whoami --profile work'] },
  tag: 'Identity',
  effect: 'read',
  input: {},
  output: CredentialResponse,
  requires: {},
  checks: authorityFirstChecks,
  handler: ({ runtime, credential }) =>
    readAtOnce(runtime.store, (tx) => {
      const { tenantId, id, spec, actingService } = credential;
      const current = findCredential(tx, tenantId, id);
      if (current === undefined) throw new AgentkeepError('storage_inconsistency');
      const shown = showCredential(tx, current);
      const acting =
        actingService === undefined
          ? {}
          : { spec: copyJson(spec) as CredentialSpec, acting_service: { ...actingService } };
      return { contract_version: CONTRACT_VERSION, credential: { ...shown, ...acting } };
    }),
});
