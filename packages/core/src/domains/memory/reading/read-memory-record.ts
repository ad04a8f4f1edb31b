/** The operations that read one record, by id or by name. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId, exampleScope, exampleVersion } from '../../../contract/example-values.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks, scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { type AsOf, asOfIn } from '../documents/as-of-schema.js';
import { NamedReadParameters, ReadParameters, RecordResponse } from '../documents/schema.js';
import { scopeOf } from '../documents/scope-of.js';
import { readCounter } from '../record/read-port.js';
import { findShownRecord, withLostSources } from '../record/lost-sources.js';
import { findNamed, type NamedRecord } from '../record/memory-store.js';
import { isVisible, showRecord, type StoredRecord } from '../record/record-layout.js';
import { readRevision, type RevisedRecord, revisionAsOf } from '../revision/read-revision.js';
import { readNamed, readThrough } from '../view/read-through.js';

const inputs = { id: uuid(), parameters: ReadParameters };

/** Checks the id last, so that a caller without the scope learns nothing about ids. */
export const readMemoryRecord = defineTenantOperation({
  name: 'readMemoryRecord',
  summary: 'Read one current record of a scope, or one of its revisions.',
  example: { id: exampleId, parameters: { ...exampleVersion, ...exampleScope } },
  tag: 'Memory',
  effect: 'read',
  input: inputs,
  output: RecordResponse,
  requires: {
    capability: 'memory_read',
    scope: ({ parameters }) => scopeOf(parameters),
  },
  checks: scopedChecks,
  errors: ['record_not_found', 'history_gone', 'branch_not_found'],
  handler: read,
});

async function read(request: TenantRequest<typeof inputs>) {
  const { runtime, credential, input, nowMs } = request;
  const { revision, as_of_millis: asOfMillis } = input.parameters;
  const asOf = asOfIn(input.parameters);
  const scope = scopeOf(input.parameters);
  const namespace = namespaceOf(credential, scope);
  const shown = (record: StoredRecord) => {
    readCounter.of(runtime).note(credential, namespace, [input.id]);
    return { contract_version: CONTRACT_VERSION, scope, record: showRecord(input.id, record) };
  };
  const recordKey = { namespace, recordId: input.id };
  if (revision !== undefined) {
    return shown(await runtime.store.read((tx) => readRevision(tx, recordKey, revision, nowMs)));
  }
  if (scope.branch !== undefined || (asOf !== undefined && 'cursor' in asOf)) {
    return shown(await recordAt(request, recordKey, asOf));
  }
  if (asOfMillis !== undefined) return shown(await revisionAsOf(request, recordKey, asOfMillis));
  const record = await runtime.store.read((tx) => findShownRecord(tx, namespace, input.id));
  if (record === undefined || !isVisible(record, nowMs)) {
    throw new AgentkeepError('record_not_found');
  }
  return shown(record);
}

async function recordAt(
  request: TenantRequest<typeof inputs>,
  { namespace, recordId }: RevisedRecord,
  asOf: AsOf | undefined,
): Promise<StoredRecord> {
  const through = await readThrough(request, [namespace], asOf);
  const [source] = through.sources;
  const found = await through.read((tx) => {
    const record = source?.find(tx, recordId)?.value;
    return record && withLostSources(tx, namespace, recordId, record);
  });
  if (found !== undefined && isVisible(found, through.atMillis)) return found;
  throw new AgentkeepError('record_not_found');
}

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
  handler: async (request) => {
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
      readCounter.of(runtime).note(credential, namespace, [found.recordId]);
      const record = showRecord(found.recordId, found.record);
      return { contract_version: CONTRACT_VERSION, scope, record };
    };
    if (asOf !== undefined || scope.branch !== undefined) {
      const through = await readThrough(request, [namespace], asOf);
      return shown(await readNamed(through, name, withLosses), through.atMillis);
    }
    const found = await runtime.store.read((tx) => {
      const named = findNamed(tx, namespace, name);
      return named && withLosses(tx, named);
    });
    return shown(found, nowMs);
  },
});
