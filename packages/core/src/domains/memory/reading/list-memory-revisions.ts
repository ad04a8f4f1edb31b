/** `listMemoryRevisions`: pages through the revisions of a record, the newest first. */
import { exampleId, exampleScope, exampleVersion } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { INTEGER_MAX, PAGE_BYTES_MAX, QUERY_SLICE_RECORD_BYTES } from '../../../contract/limits.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import {
  decodeCursor,
  encodeCursor,
  type ListIdentity,
  staleCursor,
} from '../../../kernel/lists/cursor.js';
import { directoryPage } from '../../../kernel/lists/page.js';
import type { CallRequest } from '../../../kernel/operation/requests.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { Measured } from '../../../storage/store/subspace.js';
import { scopeOf } from '../documents/scope-of.js';
import { isShown, recordHistory, type RevisedRecord } from '../revision/read-revision.js';
import { readCounter } from '../record/read-port.js';
import { readCommandKey } from '../record/record-layout.js';
import {
  type MemoryRevision,
  RevisionsParameters,
  RevisionsResponse,
} from '../documents/revision-schema.js';
import { newestRevisions } from '../revision/revision-store.js';
import type { StoredRevision } from '../revision/revision-layout.js';

/** Not a snapshot: a revision that is made or goes between two pages may be seen or missed. */
export const listMemoryRevisions = defineTenantOperation({
  name: 'listMemoryRevisions',
  summary: 'List the revisions of a record, the newest first.',
  example: { id: exampleId, parameters: { ...exampleVersion, ...exampleScope } },
  tag: 'Memory',
  effect: 'read',
  input: { id: uuid(), parameters: RevisionsParameters },
  output: RevisionsResponse,
  requires: {
    capability: 'memory_read',
    scope: ({ parameters }) => scopeOf(parameters),
  },
  checks: scopedChecks,
  errors: ['record_not_found'],
  isHeavy: true,
  handler: async (request) => {
    const { credential, input } = request;
    const { limit, cursor } = input.parameters;
    const scope = scopeOf(input.parameters);
    const identity = { list: `revisions ${input.id}`, tenantId: credential.tenantId };
    const before = cursor === undefined ? undefined : positionIn(identity, cursor);
    const recordKey = { namespace: namespaceOf(credential, scope), recordId: input.id };
    const rows = await newestRows(request, recordKey, { before, limit: limit + 1 });
    const page = directoryPage(rows, limit, showRow, (last) =>
      encodeCursor(identity, String(last.revision)),
    );
    readCounter.of(request.runtime).note(credential, recordKey.namespace, [input.id]);
    return { contract_version: CONTRACT_VERSION, scope, page };
  },
});

/** A revision to show. */
interface Row extends Omit<StoredRevision, 'supersededAtMillis'> {
  readonly revision: number;
  /** Null for the current revision. */
  readonly supersededAtMillis: number | null;
}

/** The wanted rows: those below a revision, if there is one. */
interface WantedRows {
  readonly before: number | undefined;
  readonly limit: number;
}

/** Reads rows in slices, until there are enough for a page. */
async function newestRows(
  request: Pick<CallRequest<InputSchemas>, 'runtime' | 'nowMs' | 'turn'>,
  recordKey: RevisedRecord,
  { before, limit }: WantedRows,
): Promise<Row[]> {
  const { runtime, nowMs } = request;
  const rows: Row[] = [];
  let bytes = 0;
  let next = before;
  for (;;) {
    const wanted = { before: next, limit: limit - rows.length };
    const slice = await runtime.store.read((tx) => rowSlice(tx, recordKey, wanted, nowMs));
    rows.push(...slice.rows.map(({ value }) => value));
    bytes += slice.rows.reduce((sum, row) => sum + row.bytes, 0);
    next = slice.next;
    // Rows are larger as they are shown, so these fill a page.
    if (next === undefined || rows.length >= limit || bytes > PAGE_BYTES_MAX) return rows;
    await request.turn();
  }
}

/** The rows of one slice, and the revision before which to go on, if there are more. */
interface RowSlice {
  readonly rows: readonly Measured<Row>[];
  readonly next: number | undefined;
}

function rowSlice(
  tx: ReadTx,
  recordKey: RevisedRecord,
  { before, limit }: WantedRows,
  nowMs: number,
): RowSlice {
  const history = recordHistory(tx, recordKey, nowMs);
  const { value: record, content } = history.current;
  const rows: Measured<Row>[] = [];
  if (before === undefined) {
    const span = { bytes: Buffer.from(content), start: 1, end: content.length };
    const idempotencyKey = readCommandKey(span);
    const { revision } = record;
    const shown = { revision, record, idempotencyKey, redaction: null, supersededAtMillis: null };
    rows.push({ bytes: content.length, value: shown });
  }
  const { found, hasMore } = newestRevisions(tx, recordKey, {
    before: Math.min(before ?? INTEGER_MAX, record.revision),
    limit: Math.max(1, limit - rows.length),
    bytes: QUERY_SLICE_RECORD_BYTES,
  });
  for (const { value, bytes } of found) {
    // What is older is no longer kept either.
    if (!isShown(value, history, nowMs)) return { rows, next: undefined };
    rows.push({ bytes, value: { ...value, revision: value.record.revision } });
  }
  return { rows, next: hasMore ? rows.at(-1)?.value.revision : undefined };
}

function showRow({ revision, record, idempotencyKey, redaction, supersededAtMillis }: Row) {
  return {
    revision,
    ...(record.name === null ? {} : { name: record.name }),
    modified_at_millis: record.modifiedAtMillis,
    superseded_at_millis: supersededAtMillis,
    author: record.author,
    ...(record.mergedBy === undefined ? {} : { merged_by: record.mergedBy }),
    idempotency_key: idempotencyKey,
    payload: record.payload,
    redacted:
      redaction === null ? null : { at_millis: redaction.atMillis, author: redaction.author },
  } satisfies MemoryRevision;
}

/** Returns the revision in a cursor. Anyone can forge its digest, so it is checked. */
function positionIn(identity: ListIdentity, cursor: string): number {
  const before = Number(decodeCursor(identity, cursor));
  if (!Number.isSafeInteger(before) || before < 1) {
    throw new AgentkeepError('invalid_request', { members: [staleCursor] });
  }
  return before;
}
