/** `listErasures`: pages through the erasures of the tenant. */
import { erasurePlan } from '../../upkeep/erasure/erasure-plan.js';
import { exampleVersion } from '../../contract/example-values.js';
import { isUuid } from '../../contract/schema/uuid.js';
import { directoryOperation } from '../../kernel/operation/directory-operation.js';
import { listDirectory } from '../../kernel/lists/list-directory.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { erasuresAfter } from '../../upkeep/stored/erasure-store.js';
import { ErasuresResponse } from '../../upkeep/erasure/schema.js';
import { showErasure } from '../../upkeep/erasure/show-erasure.js';

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
    listDirectory(runtime.store, input.parameters, {
      identity: { list: 'erasures', tenantId },
      read: (tx, page) => erasuresAfter(tx, tenantId, page),
      show: (_tx, erasure) => showErasure(erasure, erasurePlan.of(runtime)),
      placeOf: ({ id }) => id,
      isPlace: isUuid,
    }),
});
