/** `readMemoryRecord`: returns a current, unexpired record of a scope. */
import type { Scope } from '../access/scope.js';
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { defineTenantOperation } from '../runtime/define-operation.js';
import { uuid } from '../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import { readAtOnce, whenSettled } from '../storage/store/read-at-once.js';
import { findRecord } from './memory-store.js';
import { namespaceOf } from '../access/namespace.js';
import { isVisible, showRecord } from './record-layout.js';
import { ReadParameters, RecordResponse } from './schema.js';

/** Checks the id last, so that a caller without the scope learns nothing about ids. */
export const readMemoryRecord = defineTenantOperation({
  name: 'readMemoryRecord',
  summary: 'Read one current record of a scope.',
  tag: 'Memory',
  effect: 'read',
  input: { id: uuid(), parameters: ReadParameters },
  output: RecordResponse,
  requires: {
    capability: 'memory_read',
    scope: ({ parameters }) => scopeOf(parameters),
  },
  checks: ['parameters', 'version', 'rules', 'authority', 'id'],
  errors: ['invalid_request', 'unsupported_contract_version', 'forbidden', 'record_not_found'],
  handler: ({ runtime, credential, input, nowMs }) => {
    const scope = scopeOf(input.parameters);
    const namespace = namespaceOf(credential, scope);
    const reading = readAtOnce(runtime.store, (tx) => findRecord(tx, namespace, input.id));
    return whenSettled(reading, (record) => {
      if (record === undefined || !isVisible(record, nowMs)) {
        throw new AgentkeepError('record_not_found');
      }
      return { contract_version: CONTRACT_VERSION, scope, record: showRecord(input.id, record) };
    });
  },
});

/** Returns the scope that the parameters of a read name. */
export function scopeOf(parameters: ReadParameters): Scope {
  const { project_id, mission_id, agent_id, visibility } = parameters;
  return { project_id, mission_id: mission_id ?? null, agent_id, visibility };
}
