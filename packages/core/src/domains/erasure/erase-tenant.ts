/** `eraseTenant`: begins to erase a tenant with all that it has, for the master. */
import { continueErasures } from '../../upkeep/erasure/erasure-worker.js';
import { erasurePlan } from '../../upkeep/erasure/erasure-plan.js';
import { exampleVersion } from '../../contract/example-values.js';
import { putErasureMark, TENANT_MARK } from '../../kernel/erased/erasure-mark-store.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { textId } from '../../contract/schema/text.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { findTenant, removeTenant } from '../tenancy/tenant/tenant-store.js';
import { defineInstallationOperation } from '../../kernel/operation/define-operation.js';
import { installationChecks } from '../../kernel/operation/orders-of-checks.js';
import { INSTALLATION } from '../../storage/store/key.js';
import { putErasure } from '../../upkeep/stored/erasure-store.js';
import { newErasure } from '../../upkeep/erasure/new-erasure.js';
import { ErasureResponse, TenantErasureRequest } from '../../upkeep/erasure/schema.js';
import { erasureEvent, showErasure } from '../../upkeep/erasure/show-erasure.js';

/** The tenant leaves the directory at once; the work follows in slices. */
export const eraseTenant = defineInstallationOperation({
  name: 'eraseTenant',
  summary: 'Begin to erase a tenant for good, with everything that it has.',
  example: { id: 'acme', document: exampleVersion },
  command: { name: 'tenants erase', examples: ['agentkeep tenants erase acme --profile master'] },
  tag: 'Erasure',
  input: { id: textId(), document: TenantErasureRequest },
  output: ErasureResponse,
  requires: 'master',
  checks: installationChecks,
  errors: ['tenant_not_found', 'revision_conflict'],
  handler: async (request) => {
    const { runtime, credential, nowMs } = request;
    const { id } = request.input;
    const target = { kind: 'tenant', tenant_id: id } as const;
    const asked = { tenantId: INSTALLATION, target, requestedBy: credential.id, nowMs };
    const erasure = newErasure(runtime, asked);
    await runtime.store.transact((tx) => {
      request.confirm(tx);
      if (findTenant(tx, id) === undefined) throw new AgentkeepError('tenant_not_found');
      removeTenant(tx, id);
      putErasureMark(tx, erasure.id, id, TENANT_MARK);
      putErasure(tx, erasure);
      request.record(tx, erasureEvent(erasure, 'erasure_requested'));
    });
    continueErasures.of(runtime)();
    return {
      contract_version: CONTRACT_VERSION,
      erasure: showErasure(erasure, erasurePlan.of(runtime)),
    };
  },
});
