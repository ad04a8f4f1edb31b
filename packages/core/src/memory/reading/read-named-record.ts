/** `readNamedRecord`: returns the current, unexpired record of a scope with a name. */
import { namespaceOf } from '../../access/namespace.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { defineTenantOperation } from '../../runtime/operation/define-operation.js';
import { readAtOnce, whenSettled } from '../../storage/store/read-at-once.js';
import { withLostSources } from '../record/lost-sources.js';
import { findNamed } from '../record/memory-store.js';
import { scopeOf } from '../documents/scope-of.js';
import { isVisible, showRecord } from '../record/record-layout.js';
import { NamedReadParameters, RecordResponse } from '../documents/schema.js';

/** Answers as `readMemoryRecord` does. */
export const readNamedRecord = defineTenantOperation({
  name: 'readNamedRecord',
  summary: 'Read the current record of a scope that has a name.',
  tag: 'Memory',
  effect: 'read',
  input: { parameters: NamedReadParameters },
  output: RecordResponse,
  requires: {
    capability: 'memory_read',
    scope: ({ parameters }) => scopeOf(parameters),
  },
  checks: ['parameters', 'version', 'rules', 'authority'],
  errors: ['record_not_found'],
  handler: ({ runtime, credential, input, nowMs }) => {
    const { name } = input.parameters;
    const scope = scopeOf(input.parameters);
    const namespace = namespaceOf(credential, scope);
    const reading = readAtOnce(runtime.store, (tx) => {
      const found = findNamed(tx, namespace, name);
      if (found === undefined) return undefined;
      const record = withLostSources(tx, namespace, found.recordId, found.record);
      return { ...found, record };
    });
    return whenSettled(reading, (found) => {
      if (found === undefined || !isVisible(found.record, nowMs)) {
        throw new AgentkeepError('record_not_found');
      }
      const record = showRecord(found.recordId, found.record);
      return { contract_version: CONTRACT_VERSION, scope, record };
    });
  },
});
