/** `getTenantErasure`: shows the erasure of a tenant, how far it has got, and its certificate. */
import { erasurePlan } from '../../upkeep/erasure/erasure-plan.js';
import { exampleId } from '../../contract/example-values.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { uuid } from '../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { defineInstallationOperation } from '../../kernel/operation/define-operation.js';
import { installationChecks } from '../../kernel/operation/orders-of-checks.js';
import { INSTALLATION } from '../../storage/store/key.js';
import { findErasure } from '../../upkeep/stored/erasure-store.js';
import { ErasureResponse } from '../../upkeep/erasure/schema.js';
import { showErasure } from '../../upkeep/erasure/show-erasure.js';

/** Shows it without naming the tenant. */
export const getTenantErasure = defineInstallationOperation({
  name: 'getTenantErasure',
  summary: 'Show the erasure of a tenant, how far it has got, and its certificate.',
  example: { id: exampleId },
  command: { name: 'tenants erasure' },
  tag: 'Erasure',
  effect: 'read',
  input: { id: uuid() },
  output: ErasureResponse,
  requires: 'master',
  checks: installationChecks,
  errors: ['erasure_not_found'],
  handler: async ({ runtime, input }) => {
    const found = await runtime.store.read((tx) => findErasure(tx, INSTALLATION, input.id));
    if (found === undefined) throw new AgentkeepError('erasure_not_found');
    return {
      contract_version: CONTRACT_VERSION,
      erasure: showErasure(found, erasurePlan.of(runtime)),
    };
  },
});
