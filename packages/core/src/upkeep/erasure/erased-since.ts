/** Says from the erasures of a store what was erased at a time or later. */
import type { NamespaceParts } from '../../kernel/access/namespace.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { Transactions } from '../../storage/store/store.js';
import { erasuresAfter, type StoredErasure } from '../stored/erasure-store.js';
import { scopeTargets } from './found-targets.js';
import { isAbout } from '../stored/target.js';

const ERASURES_AT_ONCE = 256;

type StoredTarget = ReturnType<typeof scopeTargets>[number];

/** What was erased and when, so that lines from before may not come back. */
export interface ErasedSince {
  /** Whether the tenant was erased at a time or later. */
  readonly isTenant: (sinceMillis: number) => boolean;
  /** Whether a scope, its subject or its tenant was. */
  readonly has: (parts: NamespaceParts, sinceMillis: number) => boolean;
  /** Whether a subject or its tenant was. */
  readonly hasSubject: (subjectId: string, sinceMillis: number) => boolean;
  /** Whether anything was. */
  readonly hasAny: (sinceMillis: number) => boolean;
}

/** Finds out what was erased in the tenants that lines go to and come from. */
export async function erasedSince(
  store: Transactions,
  tenants: readonly string[],
): Promise<ErasedSince> {
  const erasures: StoredErasure[] = [];
  for (const tenantId of new Set([INSTALLATION, ...tenants])) {
    for await (const erasure of erasuresOf(store, tenantId)) erasures.push(erasure);
  }
  const lastOf = (targets: readonly StoredTarget[]): number =>
    latest(erasures.filter((erasure) => targets.some((target) => isAbout(erasure, target))));
  // An import asks the same often.
  const known = new Map<string, number>();
  const lastKnown = (key: unknown, targets: () => StoredTarget[]): number => {
    const name = JSON.stringify(key);
    const last = known.get(name) ?? lastOf(targets());
    known.set(name, last);
    return last;
  };
  const ofTenant = lastOf(tenants.map((tenant_id) => ({ kind: 'tenant', tenant_id })));
  const ofAny = latest(erasures);
  const isTenant = (since: number): boolean => ofTenant >= since;
  const ofSubject = (subject_id: string): StoredTarget => ({ kind: 'subject', subject_id });
  return {
    isTenant,
    has: (parts, since) => {
      if (ofAny < since) return false;
      const owner = parts[4];
      const targets = (): StoredTarget[] =>
        owner === null ? scopeTargets(parts) : [...scopeTargets(parts), ofSubject(owner)];
      return isTenant(since) || lastKnown(parts, targets) >= since;
    },
    hasSubject: (id, since) => isTenant(since) || lastKnown(id, () => [ofSubject(id)]) >= since,
    hasAny: (since) => ofAny >= since,
  };
}

/** When the last of some erasures was asked for; -1 without any. */
function latest(erasures: readonly StoredErasure[]): number {
  return erasures.reduce((last, { requestedAtMillis: at }) => Math.max(last, at), -1);
}

/** Yields the erasures of a tenant, the oldest first. */
export async function* erasuresOf(
  store: Pick<Transactions, 'read'>,
  tenantId: string,
): AsyncGenerator<StoredErasure, void> {
  let after: string | undefined;
  for (;;) {
    const from = after;
    const found = await store.read((tx) =>
      erasuresAfter(tx, tenantId, { after: from, limit: ERASURES_AT_ONCE }),
    );
    yield* found;
    if (found.length < ERASURES_AT_ONCE) return;
    after = found.at(-1)?.id;
  }
}
