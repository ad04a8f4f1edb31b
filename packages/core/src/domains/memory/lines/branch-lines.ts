/** The live branches of an export, each with its line and the scopes that it has written to. */
import { shownAs } from '../../../contract/schema/member-names.js';
import { basePartsOf, type NamespaceParts, namespaces } from '../../../kernel/access/namespace.js';
import { scopeOfParts } from '../../../kernel/access/covered-scope.js';
import { memoryBranches, memoryBranchSpaces } from '../branch/branch-store.js';
import { isLive, ownerOf } from '../branch/live-branch.js';
import { type StoredMerged, memoryBranchMerged } from '../branch/merge-store.js';
import { afterKey, trailingDigest, trailingUuid } from '../../../storage/store/key.js';
import type { Entry, HeldState } from '../../../storage/store/store.js';
import type {
  ExportedBranch,
  ExportedScope,
  ExportPlan,
} from '../../../upkeep/lines/domain-lines.js';
import { entriesBetween, slicesOf } from '../../../upkeep/lines/state-slices.js';
import { BranchLine } from './line-schemas.js';

/** Yields the live branches: all of a tenant, else those with something in the export. */
export async function* branchesOf(
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
