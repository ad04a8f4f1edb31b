/** Says which scopes were erased since an export was made. */
import type { NamespaceParts } from '../../access/namespace.js';
import { INSTALLATION } from '../../storage/store/keyspace.js';
import type { Transactions } from '../../storage/store/store.js';
import { erasuresAfter, type StoredErasure } from './erasure-store.js';
import { scopeTargets } from './found-targets.js';
import { isAbout } from './target.js';

const ERASURES_AT_ONCE = 256;

/** What an import is about. */
interface Imported {
  /** The tenant that it goes to, and the one that the lines come from. */
  readonly tenants: readonly string[];
  /** When the export was made; `undefined` if its lines don't say it. */
  readonly exportedAtMillis: number | undefined;
}

/** What was erased after an export was made, so that its lines may not come back. */
export interface ErasedSince {
  /** Whether the tenant was. */
  readonly isTenant: boolean;
  /** Whether a scope, its subject or its tenant was. */
  readonly has: (parts: NamespaceParts) => boolean;
  /** Whether a subject or its tenant was. */
  readonly hasSubject: (subjectId: string) => boolean;
}

/** Finds out what was erased after an export was made. */
export async function erasedSince(
  store: Transactions,
  { tenants, exportedAtMillis = 0 }: Imported,
): Promise<ErasedSince> {
  const erasures: StoredErasure[] = [];
  for (const tenantId of new Set([INSTALLATION, ...tenants])) {
    for await (const erasure of erasuresOf(store, tenantId)) {
      if (erasure.requestedAtMillis >= exportedAtMillis) erasures.push(erasure);
    }
  }
  const isTenant = erasures.some((erasure) =>
    tenants.some((tenant_id) => isAbout(erasure, { kind: 'tenant', tenant_id })),
  );
  const has = (parts: NamespaceParts): boolean => {
    if (isTenant) return true;
    if (erasures.length === 0) return false;
    const owner = parts[4];
    const targets = scopeTargets(parts);
    if (owner !== null) targets.push({ kind: 'subject', subject_id: owner });
    return erasures.some((erasure) => targets.some((target) => isAbout(erasure, target)));
  };
  const hasSubject = (subject_id: string): boolean =>
    isTenant || erasures.some((erasure) => isAbout(erasure, { kind: 'subject', subject_id }));
  return { isTenant, has, hasSubject };
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
