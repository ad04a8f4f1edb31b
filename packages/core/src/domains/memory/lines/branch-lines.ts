/**
 * Lines of branches: exports show the live ones, each with the scopes that it has written to, and
 * imports store them over what their scopes have by then.
 */
import * as v from 'valibot';
import { shownAs, storedAs } from '../../../contract/schema/member-names.js';
import { scopeOfParts } from '../../../kernel/access/covered-scope.js';
import { basePartsOf, type NamespaceParts, namespaces } from '../../../kernel/access/namespace.js';
import { isErasedSubject } from '../../../kernel/erased/erased-subject-store.js';
import { refuseErased, refuseErasedSubject } from '../../../kernel/erased/erasure-mark-store.js';
import { afterKey, trailingDigest, trailingUuid } from '../../../storage/store/key.js';
import type { Entry, HeldState } from '../../../storage/store/store.js';
import type {
  BranchLines,
  ExportedBranch,
  ExportedScope,
  ExportPlan,
} from '../../../upkeep/lines/domain-lines.js';
import { entriesBetween, slicesOf } from '../../../upkeep/lines/state-slices.js';
import type { Importing, StoreLine } from '../../../upkeep/lines/stored-line.js';
import { BRANCH_SECONDS_MAX } from '../branch/branch-policy.js';
import {
  findStoredBranch,
  hasEnded,
  holdRevisions,
  type KeyedBranch,
  memoryBranches,
  memoryBranchSpaces,
  noteBranchSpace,
  putBranch,
  type StoredBranch,
} from '../branch/branch-store.js';
import { isLive, isOver, ownerOf } from '../branch/live-branch.js';
import { memoryBranchMerged, type StoredMerged } from '../branch/merge-store.js';
import { decideBranchIn } from '../branching/manage-branches.js';
import { settledPosition } from '../journal/change-cursor.js';
import { BranchLine } from './line-schemas.js';

/** Yields the live branches: all of a tenant, else those with something in the export. */
async function* branchesOf(
  state: HeldState,
  plan: ExportPlan,
): AsyncGenerator<ExportedBranch | undefined, void> {
  const { tenantId, of, nowMs } = plan;
  for await (const entries of slicesOf(state, { tenantId, family: memoryBranches })) {
    for (const { key, value } of entries) {
      const stored = memoryBranches.open(key, value);
      const branch = { ...stored, id: trailingUuid(key) };
      if (!isLive(branch, nowMs)) continue;
      const scopes = () => branchScopes(state, plan, branch.id);
      const own = of.type === 'tenant' ? undefined : await namesOf(scopes());
      const shown = branch.scopes.filter((parts) => own?.has(nameOf(parts)) !== false);
      // Without the private scopes of its subject it would be a branch for all after an import.
      const isWhose = ownerOf(branch) === ownerOf({ scopes: shown });
      if (shown.length === 0 || !isWhose) continue;
      const shownScopes = shown.map(scopeOfParts);
      const line = shownAs(BranchLine, branch, { line: 'branch', scopes: shownScopes });
      yield { line, scopes };
    }
    yield undefined;
  }
}

async function* branchScopes(
  state: HeldState,
  { tenantId, selects }: ExportPlan,
  id: string,
): AsyncGenerator<ExportedScope | undefined, void> {
  const spaces = { tenantId, family: memoryBranchSpaces, prefix: [id] };
  for await (const entries of slicesOf(state, spaces)) {
    for (const { key } of entries) {
      const digest = trailingDigest(key);
      const from = namespaces.keyOf(tenantId, digest);
      const [found] = await state.entries({ from, to: afterKey(from) });
      if (found === undefined) continue;
      const parts = namespaces.open(found.key, found.value);
      if (selects(parts)) yield { digest, parts };
    }
    yield undefined;
  }
}

async function namesOf(
  scopes: AsyncIterable<ExportedScope | undefined>,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for await (const scope of scopes) {
    if (scope !== undefined) names.add(nameOf(basePartsOf(scope.parts)));
  }
  return names;
}

const nameOf = (parts: NamespaceParts): string => JSON.stringify(parts);

/** Which revision outside of its branch a record has, by record id. */
export type BasesOf = ReadonlyMap<string, StoredMerged>;

/** Returns the bases of the records of a branch from one to another. */
export async function basesBetween(
  state: HeldState,
  { tenantId, digest, branch }: { tenantId: string; digest: Uint8Array; branch: string },
  { first, last }: { readonly first: string; readonly last: string },
): Promise<BasesOf> {
  const part = { tenantId, family: memoryBranchMerged };
  const entries = await entriesBetween(
    state,
    part,
    [branch, digest, first],
    [branch, digest, last],
  );
  return new Map(
    entries.map(({ key, value }: Entry) => [
      trailingUuid(key),
      memoryBranchMerged.open(key, value),
    ]),
  );
}

/** The lines of branches. */
export const branchLines: BranchLines = {
  exported: branchesOf,
  prepare: async (value, importing, runtime) => {
    const typed = v.safeParse(BranchLine, value);
    if (!typed.success) return undefined;
    const position = await settledPosition(runtime, importing.tenantId);
    const { output } = typed;
    return { id: output.id.toLowerCase(), write: branchWrite(output, position, importing) };
  },
  isThere: (tx, { tenantId, parts }, id, { nowMs }) => {
    const branch = findStoredBranch(tx, tenantId, id);
    return branch !== undefined && isLive(branch, nowMs) && isOver(branch, parts);
  },
  noteSpace: noteBranchSpace,
};

/** Prepares a branch, over its scopes as they are at a position of the tenant's changes. */
function branchWrite(
  { line: _line, ...line }: BranchLine,
  position: Uint8Array,
  { tenantId, nowMs, erased }: Importing,
): StoreLine {
  const branch: KeyedBranch = {
    ...storedAs(line),
    id: line.id.toLowerCase(),
    scopes: line.scopes.map(
      ({ project_id, mission_id, agent_id, visibility }) =>
        [
          project_id,
          mission_id,
          agent_id,
          visibility,
          // A branch over a private scope is its author's.
          visibility === 'private' ? line.author.subject_id : null,
        ] as const,
    ),
    position: Buffer.from(position).toString('hex'),
    endsAtMillis: Math.min(line.ends_at_millis, nowMs + 1_000 * BRANCH_SECONDS_MAX),
  };
  return (tx) => {
    refuseErased(tx, tenantId, branch.scopes);
    refuseErasedSubject(tx, tenantId, branch.author.subject_id);
    const { subject_id: maker } = branch.author;
    const { createdAtMillis: at } = branch;
    const isErased = erased.hasSubject(maker, at) || isErasedSubject(tx, tenantId, maker);
    if (isErased || branch.scopes.some((parts) => erased.has(parts, at))) return 'erased';
    const known = findStoredBranch(tx, tenantId, branch.id);
    const isOverdue = !isLive(known ?? branch, nowMs);
    if (isOverdue || hasEnded(tx, tenantId, branch.id)) return 'branch_ended';
    if (known !== undefined) return isSame(known, branch) ? 'unchanged' : 'conflict';
    const decision = decideBranchIn(tx, tenantId, branch, nowMs);
    if (decision !== 'made') return decision === 'too_many' ? 'branch_limit' : decision;
    putBranch(tx, tenantId, branch);
    for (const parts of branch.scopes) holdRevisions(tx, tenantId, parts, branch.endsAtMillis);
    return 'stored';
  };
}

/** Whether a stored branch is the one of a line, which may name some of its scopes only. */
function isSame(known: StoredBranch, line: KeyedBranch): boolean {
  const isMade = known.name === line.name && known.createdAtMillis === line.createdAtMillis;
  const isBy = known.author.subject_id === line.author.subject_id;
  return isMade && isBy && line.scopes.every((parts) => isOver(known, parts));
}
