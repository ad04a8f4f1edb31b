/** `readNamedRecord`: returns the current, unexpired record of a scope with a name. */
import { exampleScope, exampleVersion } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { readAtOnce, whenSettled } from '../../../storage/store/read-at-once.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { withLostSources } from '../record/lost-sources.js';
import { findNamed, type NamedRecord } from '../record/memory-store.js';
import { asOfIn } from '../documents/as-of-schema.js';
import { readNamed, readThrough } from '../view/read-through.js';
import { scopeOf } from '../documents/scope-of.js';
import { isVisible, showRecord } from '../record/record-layout.js';
import { NamedReadParameters, RecordResponse } from '../documents/schema.js';

/** Answers as `readMemoryRecord` does. */
export const readNamedRecord = defineTenantOperation({
  name: 'readNamedRecord',
  summary: 'Read the current record of a scope that has a name.',
  example: { parameters: { ...exampleVersion, ...exampleScope, name: 'n' } },
  tag: 'Memory',
  effect: 'read',
  input: { parameters: NamedReadParameters },
  output: RecordResponse,
  requires: {
    capability: 'memory_read',
    scope: ({ parameters }) => scopeOf(parameters),
  },
  checks: inputFirstChecks,
  errors: ['record_not_found', 'history_gone', 'branch_not_found'],
  handler: (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { name } = input.parameters;
    const asOf = asOfIn(input.parameters);
    const scope = scopeOf(input.parameters);
    const namespace = namespaceOf(credential, scope);
    const withLosses = (tx: ReadTx, { recordId, record }: NamedRecord): NamedRecord => ({
      recordId,
      record: withLostSources(tx, namespace, recordId, record),
    });
    const shown = (found: NamedRecord | undefined, atMillis: number) => {
      if (found === undefined || !isVisible(found.record, atMillis)) {
        throw new AgentkeepError('record_not_found');
      }
      const record = showRecord(found.recordId, found.record);
      return { contract_version: CONTRACT_VERSION, scope, record };
    };
    if (asOf !== undefined || scope.branch !== undefined) {
      return whenSettled(readThrough(request, [namespace], asOf), async (through) =>
        shown(await readNamed(through, name, withLosses), through.atMillis),
      );
    }
    const reading = readAtOnce(runtime.store, (tx) => {
      const found = findNamed(tx, namespace, name);
      return found && withLosses(tx, found);
    });
    return whenSettled(reading, (found) => shown(found, nowMs));
  },
});
