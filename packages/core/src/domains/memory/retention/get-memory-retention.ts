/** `getMemoryRetention`: shows how long memory is kept, in the tenant or in one of its scopes. */
import { exampleVersion } from '../../../contract/example-values.js';
import type { Scope } from '../../../kernel/access/scope.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { RetentionParameters, RetentionResponse } from './retention-schema.js';
import { showRetention } from './show-retention.js';

/** Shows a setting and the retention that follows from it. */
export const getMemoryRetention = defineTenantOperation({
  name: 'getMemoryRetention',
  summary: 'Show how long memory is kept, in the tenant or in a scope.',
  example: { parameters: exampleVersion },
  command: { name: 'memory retention' },
  tag: 'Memory',
  effect: 'read',
  input: { parameters: RetentionParameters },
  output: RetentionResponse,
  requires: { capability: 'credential_admin' },
  checks: inputFirstChecks,
  handler: ({ runtime, credential: { tenantId }, input }) => {
    const target = { tenantId, scope: scopeIn(input.parameters) };
    return runtime.store.read((tx) => showRetention(tx, target));
  },
});

function scopeIn({
  project_id,
  mission_id,
  agent_id,
  visibility,
}: RetentionParameters): Scope | null {
  if (project_id === undefined || agent_id === undefined || visibility === undefined) return null;
  return { project_id, mission_id: mission_id ?? null, agent_id, visibility };
}
