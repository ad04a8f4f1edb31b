/** `compareMemoryBranch`: pages through what a branch changed. */
import { exampleId, exampleVersion } from '../../../contract/example-values.js';
import { scopeOfParts } from '../../../kernel/access/covered-scope.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { SEARCH_BYTES_MAX } from '../../../contract/limits.js';
import { isUuid, uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { decodeCursor, encodeCursor, staleCursor } from '../../../kernel/lists/cursor.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { baseOf, type Namespace } from '../../../kernel/access/namespace.js';
import type { MemoryRecord } from '../documents/schema.js';
import { digestOfBranch } from '../branch/merge-store.js';
import { withLostSources } from '../record/lost-sources.js';
import { showRecord, type StoredRecord } from '../record/record-layout.js';
import { namesBranch } from './branch-operation.js';
import { baseRecord, branchRevisionOf, type Difference } from './difference.js';
import {
  type BranchDifference,
  DifferencesParameters,
  DifferencesResponse,
} from './merge-schema.js';
import { shownBranch } from './show-branch.js';
import { type DifferencePlace, namespacesOf, walkDifferences } from './walk-differences.js';

/** A page is of one moment of the branch: a cursor stays good while the branch is changed. */
export const compareMemoryBranch = defineTenantOperation({
  ...namesBranch,
  name: 'compareMemoryBranch',
  summary: 'Page through the records that a branch of memory changed.',
  example: { id: exampleId, parameters: exampleVersion },
  command: {
    name: 'memory diff',
    columns: [
      ...['record_id', 'base_revision', 'branch_revision', 'current_revision'],
      ...['redacted_revision', 'conflict'],
    ],
    examples: ['agentkeep memory diff <id>'],
  },
  effect: 'read',
  input: { id: uuid(), parameters: DifferencesParameters },
  output: DifferencesResponse,
  requires: { capability: 'memory_read' },
  isHeavy: true,
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { limit, cursor } = input.parameters;
    const { branch, digest } = await runtime.store.read((tx) => ({
      branch: shownBranch(tx, credential, input.id, nowMs),
      digest: digestOfBranch(tx, credential.tenantId, input.id),
    }));
    const identity = { list: `differences ${branch.id}`, tenantId: credential.tenantId };
    const from = cursor === undefined ? undefined : placeIn(decodeCursor(identity, cursor));
    const items: BranchDifference[] = [];
    let last: DifferencePlace | undefined;
    let bytes = 0;
    let hasMore = false;
    const namespaces = namespacesOf(credential, branch);
    for await (const each of walkDifferences(request, namespaces, from, shown)) {
      const size = JSON.stringify(each.item).length;
      hasMore = items.length === limit || (items.length > 0 && bytes + size > SEARCH_BYTES_MAX);
      if (hasMore) break;
      items.push(each.item);
      bytes += size;
      last = each.place;
    }
    const position = last !== undefined && hasMore ? textOf(last) : undefined;
    const next_cursor = position === undefined ? null : encodeCursor(identity, position);
    return { contract_version: CONTRACT_VERSION, digest, page: { items, next_cursor } };
  },
});

function textOf({ index, recordId, revision }: DifferencePlace): string {
  return [index, recordId, ...(revision === undefined ? [] : [revision])].join(' ');
}

function placeIn(position: string): DifferencePlace {
  const [index = '', recordId = '', revision] = position.split(' ');
  if (/^\d\d?$/.test(index) && isUuid(recordId)) {
    const place = { index: Number(index), recordId };
    if (revision === undefined) return place;
    if (/^\d{1,15}$/.test(revision)) return { ...place, revision: Number(revision) };
  }
  throw new AgentkeepError('invalid_request', { members: [staleCursor] });
}

function shown(tx: ReadTx, difference: Difference, place: DifferencePlace) {
  const { namespace, recordId, current, conflict } = difference;
  const outside = baseOf(namespace);
  const show = (record: StoredRecord | undefined, of: Namespace): MemoryRecord | null =>
    record === undefined || record.payload === null
      ? null
      : showRecord(recordId, withLostSources(tx, of, recordId, record));
  const item: BranchDifference = {
    ...revisionsOf(difference),
    conflict,
    ...(difference.kind === 'record'
      ? {
          redacted_revision: null,
          base: show(baseRecord(tx, difference), outside),
          branch: show(difference.branch, namespace),
        }
      : {
          redacted_revision: difference.baseRevision,
          base: show(difference.base, outside),
          branch: null,
        }),
    current: show(current, outside),
  };
  return { item, place };
}

/** Returns the record and the revisions of a difference, as answers show them. */
export function revisionsOf(difference: Difference) {
  const { namespace, recordId, baseRevision, current } = difference;
  return {
    scope: scopeOfParts(baseOf(namespace).parts),
    record_id: recordId,
    base_revision: baseRevision === 0 ? null : baseRevision,
    branch_revision: branchRevisionOf(difference),
    current_revision: current?.revision ?? null,
  };
}
