/** Walks through what a branch changed, scope by scope, in the order of record ids. */
import { scopeOfParts } from '../../../kernel/access/covered-scope.js';
import { type Namespace, namespaceOf } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { KeyedBranch } from '../branch/branch-store.js';
import { idOfEntry, scanEntries } from '../record/memory-store.js';
import type { ViewRequest } from '../view/build-view.js';
import { readThrough } from '../view/read-through.js';
import { redactedRevisions } from '../revision/revision-store.js';
import { type Difference, differenceOf, redactionOf } from './difference.js';

/** Records of a branch that one transaction looks at. */
const SLICE_RECORDS = 64;

/** A difference, by the index of its scope in the branch. */
export interface DifferencePlace {
  readonly index: number;
  readonly recordId: string;
  /** The redacted revision in the branch; absent for a record. */
  readonly revision?: number;
}

/** A difference with what was made of it. */
export type Visit<T> = (tx: ReadTx, difference: Difference, place: DifferencePlace) => T;

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
