/** Finds in a store what a keyed digest is about: each candidate is digested and compared. */
import type { NamespaceParts } from '../../kernel/access/namespace.js';
import type { Scope } from '../../kernel/access/scope.js';
import { afterPrefix, encodeKey, INSTALLATION, partsOfKey } from '../../storage/store/key.js';
import type { ReadTx, Transactions } from '../../storage/store/store.js';
import type { Families, StoredFamily } from '../../storage/families/families.js';
import { nextTenantWithData } from '../../storage/store/tenants-with-data.js';
import { namespaceSlices, walkOver } from '../../kernel/services/sweeper.js';
import type { StoredErasure } from '../stored/erasure-store.js';
import type { StoredTarget } from '../stored/target.js';
import { isAbout } from '../stored/target.js';
import type { ErasurePlan } from './erasure-plan.js';

/** What one read looks at. */
const LOOKED_AT_ONCE = 256;

/** Returns the families with the id of a subject in their keys, and which part it is. */
function namingSubjects({ all }: Families): { readonly family: string; readonly at: number }[] {
  return all.flatMap(({ name, facts: { owner, subjectAt } }) => {
    const at = subjectAt ?? (owner === 'subject' ? 0 : undefined);
    return at === undefined ? [] : [{ family: name, at }];
  });
}

/** Finds targets of erasures in one store. */
export class FoundTargets {
  readonly #store: Transactions;
  readonly #plan: ErasurePlan;
  readonly #candidates = new Map<string, readonly StoredTarget[]>();

  constructor(store: Transactions, plan: ErasurePlan) {
    this.#store = store;
    this.#plan = plan;
  }

  /** Returns what an erasure is about, or `undefined` if nothing of it is stored. */
  async find(erasure: StoredErasure): Promise<StoredTarget | undefined> {
    const candidates = await this.#candidatesOf(erasure.tenantId);
    return candidates.find((target) => isAbout(erasure, target));
  }

  async #candidatesOf(tenantId: string): Promise<readonly StoredTarget[]> {
    const known = this.#candidates.get(tenantId);
    if (known !== undefined) return known;
    const found = await (tenantId === INSTALLATION
      ? tenantsIn(this.#store)
      : targetsIn(this.#store, this.#plan, tenantId));
    this.#candidates.set(tenantId, found);
    return found;
  }
}

async function tenantsIn(store: Transactions): Promise<StoredTarget[]> {
  const found: StoredTarget[] = [];
  let after: string | undefined = INSTALLATION;
  do {
    const from: string = after;
    after = await store.read((tx) => nextTenantWithData(tx, from));
    if (after !== undefined) found.push({ kind: 'tenant', tenant_id: after });
  } while (after !== undefined);
  return found;
}

async function targetsIn(
  store: Transactions,
  plan: ErasurePlan,
  tenantId: string,
): Promise<StoredTarget[]> {
  const subjects = new Set<string>();
  const scopes = new Map<string, StoredTarget>();
  const walk = walkOver(store);
  for await (const slice of namespaceSlices(walk, tenantId)) {
    for (const { parts } of slice) {
      const owner = parts[4];
      if (owner !== null) subjects.add(owner);
      for (const target of scopeTargets(parts)) scopes.set(JSON.stringify(target), target);
    }
  }
  for await (const id of plan.subjectsIn(store, tenantId)) subjects.add(id);
  for (const { family, at } of namingSubjects(plan.families)) {
    await addSubjects(store, { tenantId, family: plan.families.get(family), at }, subjects);
  }
  const ofSubjects = [...subjects].map((id) => ({ kind: 'subject', subject_id: id }) as const);
  return [...ofSubjects, ...scopes.values()];
}

/** Returns the targets that a namespace belongs to. */
export function scopeTargets(parts: NamespaceParts): StoredTarget[] {
  const [project_id, mission_id, agent_id, visibility, owner] = parts;
  const scope = { project_id, mission_id, agent_id, visibility } as Scope;
  const all: StoredTarget = { kind: 'scope', scope, subject_id: null };
  return owner === null ? [all] : [all, { kind: 'scope', scope, subject_id: owner }];
}

interface Named {
  readonly tenantId: string;
  readonly family: StoredFamily;
  readonly at: number;
}

/** Adds the subjects in the keys of a family. Skips what more there is of each. */
async function addSubjects(
  store: Transactions,
  named: Named,
  subjects: Set<string>,
): Promise<void> {
  const { number, shape } = named.family;
  let from: Uint8Array | undefined = encodeKey(named.tenantId, number, shape, []);
  while (from !== undefined) {
    const start: Uint8Array = from;
    const found = await store.read((tx) => someSubjects(tx, named, start));
    for (const id of found.ids) subjects.add(id);
    from = found.next;
  }
}

function someSubjects(
  tx: ReadTx,
  { tenantId, family, at }: Named,
  start: Uint8Array,
): { readonly ids: readonly string[]; readonly next: Uint8Array | undefined } {
  const { number, shape } = family;
  const to = afterPrefix(encodeKey(tenantId, number, shape, []));
  const ids: string[] = [];
  let from = start;
  while (ids.length < LOOKED_AT_ONCE) {
    let parts: readonly unknown[] | undefined;
    for (const { key } of tx.range({ from, to, limit: 1 })) parts = partsOfKey(shape, key);
    if (parts === undefined) return { ids, next: undefined };
    const id = parts[at];
    // An encrypted store has its digest; the credentials of the subject name it.
    if (typeof id === 'string') ids.push(id);
    from = afterPrefix(encodeKey(tenantId, number, shape, parts.slice(0, at + 1)));
  }
  return { ids, next: from };
}
