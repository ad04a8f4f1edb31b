/** `listMemoryReads`: pages through who read a record, and on which days. */
import * as v from 'valibot';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId, exampleScope, exampleVersion } from '../../../contract/example-values.js';
import { textId } from '../../../contract/schema/text.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { coversScope } from '../../../kernel/access/grant-policy.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import type { Scope } from '../../../kernel/access/scope.js';
import { decodeCursor, encodeCursor, staleCursor } from '../../../kernel/lists/cursor.js';
import { directoryPage } from '../../../kernel/lists/page.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import {
  type MemoryReader,
  ReadersParameters,
  ReadersResponse,
} from '../documents/reads-schema.js';
import { findRecordState } from '../record/memory-store.js';
import { readCounter } from '../record/read-port.js';
import { firstDayKept, type ReaderReads, readersOf, timeOfDay } from '../record/read-store.js';
import { retentionOf } from '../retention/retention-store.js';

const inputs = { id: uuid(), parameters: ReadersParameters };

/** Not a snapshot: reads that are counted between two pages may be seen or missed. */
export const listMemoryReads = defineTenantOperation({
  name: 'listMemoryReads',
  summary: 'List who read a record, how often and when.',
  example: { id: exampleId, parameters: { ...exampleVersion, ...exampleScope } },
  command: { name: 'memory reads' },
  tag: 'Memory',
  effect: 'read',
  input: inputs,
  output: ReadersResponse,
  requires: { capability: ['memory_read', 'credential_admin'] },
  checks: inputFirstChecks,
  errors: ['record_not_found'],
  isHeavy: true,
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { limit, cursor } = input.parameters;
    const scope = scopeIn(input.parameters);
    requireRight(request, scope);
    const namespace = namespaceOf(credential, scope);
    const record = { namespace, recordId: input.id };
    const list = `reads ${input.id} ${JSON.stringify(scope)}`;
    const identity = { list, tenantId: credential.tenantId };
    const after = cursor === undefined ? undefined : readerIn(decodeCursor(identity, cursor));
    // What was counted by this server shows in its answer.
    await readCounter
      .of(runtime)
      .flush(credential.tenantId)
      .catch(() => undefined);
    return runtime.store.read((tx) => {
      if (findRecordState(tx, namespace, input.id) === undefined) {
        throw new AgentkeepError('record_not_found');
      }
      const { readDays } = retentionOf(tx, namespace);
      const firstDay = firstDayKept(readDays, nowMs);
      const rows = readDays === 0 ? [] : readersOf(tx, record, { after, limit: limit + 1 });
      const found = directoryPage(
        rows,
        limit,
        (row) => shown(row, firstDay),
        ({ reader }) => encodeCursor(identity, reader),
      );
      // What is no longer kept may not be removed yet.
      const items = found.items.filter(({ reads }) => reads > 0);
      const page = { read_days: readDays, items, next_cursor: found.next_cursor };
      return { contract_version: CONTRACT_VERSION, scope, page };
    });
  },
});

/** Shared memory is for administrators; a private one for who may read it, so for its subject. */
function requireRight(request: TenantRequest<typeof inputs>, scope: Scope): void {
  const { spec } = request.credential;
  if (scope.visibility === 'shared') {
    if (!spec.capabilities.includes('credential_admin')) request.deny('credential_admin');
  } else if (!spec.capabilities.includes('memory_read')) request.deny('memory_read');
  else if (!coversScope(spec, scope)) request.deny('scope');
}

/** Returns the reader in a cursor. Anyone can forge its digest, so it is checked. */
function readerIn(position: string): string {
  if (v.is(textId(), position)) return position;
  throw new AgentkeepError('invalid_request', { members: [staleCursor] });
}

function scopeIn(parameters: ReadersParameters): Scope {
  const { project_id, mission_id = null, agent_id, visibility } = parameters;
  return { project_id, mission_id, agent_id, visibility };
}

function shown({ reader, lastAtMillis, days }: ReaderReads, firstDay: number): MemoryReader {
  const kept = days.filter(([day]) => day >= firstDay).toReversed();
  return {
    subject_id: reader,
    reads: kept.reduce((sum, [, reads]) => sum + reads, 0),
    last_at_millis: lastAtMillis,
    days: kept.map(([day, reads]) => ({ date: dateOf(day), reads })),
  };
}

/** Returns a day as a date of UTC, such as `2030-01-31`. */
function dateOf(day: number): string {
  return new Date(timeOfDay(day)).toISOString().slice(0, 10);
}
