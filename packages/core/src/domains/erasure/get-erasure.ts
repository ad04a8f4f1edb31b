/** `getErasure`: shows an erasure, how far it has got, and its certificate. */
import { erasurePlan } from '../../upkeep/erasure/erasure-plan.js';
import { exampleId } from '../../contract/example-values.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { uuid } from '../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../kernel/operation/orders-of-checks.js';
import { findErasure } from '../../upkeep/stored/erasure-store.js';
import { ErasureResponse } from '../../upkeep/erasure/schema.js';
import { showErasure } from '../../upkeep/erasure/show-erasure.js';

/** Shows what the tenant asked to erase, without naming it. */
export const getErasure = defineTenantOperation({
  name: 'getErasure',
  summary: 'Show an erasure, how far it has got, and its certificate.',
  example: { id: exampleId },
  command: { name: 'erasures show' },
  tag: 'Erasure',
  effect: 'read',
  input: { id: uuid() },
  output: ErasureResponse,
  requires: { capability: 'credential_admin' },
  checks: inputFirstChecks,
  errors: ['erasure_not_found'],
  handler: async ({ runtime, credential: { tenantId }, input }) => {
    const found = await runtime.store.read((tx) => findErasure(tx, tenantId, input.id));
    if (found === undefined) throw new AgentkeepError('erasure_not_found');
    return {
      contract_version: CONTRACT_VERSION,
      erasure: showErasure(found, erasurePlan.of(runtime)),
    };
  },
});
