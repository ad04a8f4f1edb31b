/** The operations that show erasures and their certificates. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { exampleId, exampleVersion } from '../../contract/example-values.js';
import { isUuid, uuid } from '../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { listDirectory } from '../../kernel/lists/list-directory.js';
import {
  defineInstallationOperation,
  defineTenantOperation,
  directoryOperation,
} from '../../kernel/operation/define-operation.js';
import { inputFirstChecks, installationChecks } from '../../kernel/operation/orders-of-checks.js';
import type { Runtime } from '../../kernel/services/runtime.js';
import { INSTALLATION } from '../../storage/store/key.js';
import { erasurePlan } from '../../upkeep/erasure/erasure-plan.js';
import { ErasureResponse, ErasuresResponse } from '../../upkeep/erasure/schema.js';
import { showErasure } from '../../upkeep/erasure/show-erasure.js';
import { erasuresAfter, findErasure } from '../../upkeep/stored/erasure-store.js';

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
  handler: ({ runtime, credential: { tenantId }, input }) =>
    shownErasure(runtime, tenantId, input.id),
});

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
  handler: ({ runtime, input }) => shownErasure(runtime, INSTALLATION, input.id),
});

/** Lists the oldest first, forward only. Names no tenant, as each erasure shows keyed digests. */
export const listTenantErasures = defineInstallationOperation({
  ...directoryOperation,
  name: 'listTenantErasures',
  summary: 'List the erasures of tenants, the oldest first.',
  example: { parameters: exampleVersion },
  command: {
    name: 'tenants erasures',
    columns: ['id', 'status', 'steps_done', 'steps', 'requested_at_millis', 'finished_at_millis'],
  },
  tag: 'Erasure',
  output: ErasuresResponse,
  requires: 'master',
  handler: ({ runtime, input }) =>
    listedErasures(runtime, input.parameters, { list: 'tenant-erasures', tenantId: INSTALLATION }),
});

/** Lists the oldest first, forward only. */
export const listErasures = defineTenantOperation({
  ...directoryOperation,
  name: 'listErasures',
  summary: 'List the erasures of the tenant, the oldest first.',
  example: { parameters: exampleVersion },
  command: {
    name: 'erasures list',
    columns: ['id', 'kind', 'status', 'steps_done', 'steps', 'requested_at_millis'],
  },
  tag: 'Erasure',
  output: ErasuresResponse,
  requires: { capability: 'credential_admin' },
  handler: ({ runtime, credential: { tenantId }, input }) =>
    listedErasures(runtime, input.parameters, { list: 'erasures', tenantId }),
});

/** Shows an erasure of a tenant, or of the installation. */
async function shownErasure(runtime: Runtime, tenantId: string, id: string) {
  const found = await runtime.store.read((tx) => findErasure(tx, tenantId, id));
  if (found === undefined) throw new AgentkeepError('erasure_not_found');
  return {
    contract_version: CONTRACT_VERSION,
    erasure: showErasure(found, erasurePlan.of(runtime)),
  };
}

/** Lists the erasures of a tenant, or of the installation. */
function listedErasures(
  runtime: Runtime,
  asked: { readonly limit: number; readonly cursor?: string | undefined },
  identity: { readonly list: string; readonly tenantId: string },
) {
  return listDirectory(runtime.store, asked, {
    identity,
    read: (tx, page) => erasuresAfter(tx, identity.tenantId, page),
    show: (_tx, erasure) => showErasure(erasure, erasurePlan.of(runtime)),
    placeOf: ({ id }) => id,
    isPlace: isUuid,
  });
}
