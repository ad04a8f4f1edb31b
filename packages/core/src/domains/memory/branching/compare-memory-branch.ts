/** The operation that compares a branch with its base. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId, exampleVersion } from '../../../contract/example-values.js';
import { SEARCH_BYTES_MAX } from '../../../contract/limits.js';
import { isUuid, uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { scopeOfParts } from '../../../kernel/access/covered-scope.js';
import { baseOf, type Namespace, namespaceOf } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { decodeCursor, encodeCursor, staleCursor } from '../../../kernel/lists/cursor.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { KeyedBranch } from '../branch/branch-store.js';
import { digestOfBranch } from '../branch/merge-store.js';
import type { MemoryRecord } from '../documents/schema.js';
import { withLostSources } from '../record/lost-sources.js';
import { idOfEntry, scanEntries } from '../record/memory-store.js';
import { showRecord, type StoredRecord } from '../record/record-layout.js';
import { redactedRevisions } from '../revision/revision-store.js';
import type { ViewRequest } from '../view/build-view.js';
import { readThrough } from '../view/read-through.js';
import {
  baseRecord,
  branchRevisionOf,
  type Difference,
  differenceOf,
  redactionOf,
} from './difference.js';
import { namesBranch, shownBranch } from './manage-branches.js';
import {
  type BranchDifference,
  DifferencesParameters,
  DifferencesResponse,
} from './merge-schema.js';

/** Records of a branch that one transaction looks at. */
const SLICE_RECORDS = 64;

/** A difference, by the index of its scope in the branch. */
interface DifferencePlace {
  readonly index: number;
  readonly recordId: string;
  /** The redacted revision in the branch; absent for a record. */
  readonly revision?: number;
}

/** A difference with what was made of it. */
type Visit<T> = (tx: ReadTx, difference: Difference, place: DifferencePlace) => T;

/** Returns the namespaces of a branch for a credential, in the order of its scopes. */
export function namespacesOf(credential: ActingCredential, branch: KeyedBranch): Namespace[] {
  return branch.scopes.map((parts) =>
    namespaceOf(credential, { ...scopeOfParts(parts), branch: branch.id }),
  );
}

/** Yields what a visitor makes of each difference after a place: of a scope first its records. */
export async function* walkDifferences<T>(
  request: ViewRequest,
  namespaces: readonly Namespace[],
  from: DifferencePlace | undefined,
  visit: Visit<T>,
): AsyncGenerator<T, void> {
  for (const [index, namespace] of namespaces.entries()) {
    if (from !== undefined && index < from.index) continue;
    const start = from?.index === index ? from : undefined;
    if (start?.revision === undefined) {
      yield* walkRecords(request, { namespace, index, after: start?.recordId }, visit);
    }
    yield* walkRedactions(request, { namespace, index, after: start }, visit);
  }
}

/** A scope of a branch, and where to begin in it. */
interface WalkOf<P> {
  readonly namespace: Namespace;
  readonly index: number;
  readonly after: P | undefined;
}

async function* walkRecords<T>(
  request: ViewRequest,
  { namespace, index, after: first }: WalkOf<string>,
  visit: Visit<T>,
): AsyncGenerator<T, void> {
  let after = first;
  const { store, sources } = await readThrough(request, [namespace], null);
  const revisionAt = sources[0]?.revisionAt ?? (() => 0);
  for (;;) {
    const start = after;
    const slice = await store.read((tx) => {
      const ids = ownIds(tx, namespace, start);
      const made = ids.flatMap((recordId): T[] => {
        const found = differenceOf(tx, namespace, recordId, revisionAt);
        return found === undefined ? [] : [visit(tx, found, { index, recordId })];
      });
      return { ids, made };
    });
    yield* slice.made;
    if (slice.ids.length < SLICE_RECORDS) break;
    after = slice.ids.at(-1);
    await request.turn();
  }
}

async function* walkRedactions<T>(
  request: ViewRequest,
  { namespace, index, after: first }: WalkOf<DifferencePlace>,
  visit: Visit<T>,
): AsyncGenerator<T, void> {
  let after = first?.revision === undefined ? undefined : { ...first, revision: first.revision };
  for (;;) {
    const part = { after, limit: SLICE_RECORDS };
    const slice = await request.runtime.store.read((tx) => {
      const { redacted, last } = redactedRevisions(tx, namespace, part);
      const made = redacted.flatMap(({ recordId, revision }): T[] => {
        const found = redactionOf(tx, namespace, { recordId, revision }, request.nowMs);
        return found === undefined ? [] : [visit(tx, found, { index, recordId, revision })];
      });
      return { last, made };
    });
    yield* slice.made;
    if (slice.last === undefined) break;
    after = { index, ...slice.last };
    await request.turn();
  }
}

function ownIds(tx: ReadTx, namespace: Namespace, after: string | undefined): string[] {
  const ids: string[] = [];
  scanEntries(tx, namespace, { after, limit: SLICE_RECORDS }, (_entry, key) => {
    ids.push(idOfEntry(key));
    return true;
  });
  return ids;
}

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
