/** Erasures of tenants in the store: their targets while they run, and what is left to show. */
import { putErasureMark, removeErasureMark } from '../../kernel/erased/erasure-mark-store.js';
import type { RefusedId } from '../../kernel/erased/erased-subject-store.js';
import {
  fieldsLayout,
  json,
  jsonLayout,
  number,
  text,
  type ValueOf,
} from '../../storage/store/fields.js';
import { INSTALLATION, trailingUuid } from '../../storage/store/key.js';
import { defineFamily, indexOf } from '../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { markOf, type StoredTarget } from './target.js';

const erasureLayout = fieldsLayout(2, {
  id: text,
  /** Whose erasure it is: the tenant, or `INSTALLATION` for that of a tenant. */
  tenantId: text,
  kind: json<StoredTarget['kind']>(),
  /** Null once it is finished: then only the digest is left. */
  target: json<StoredTarget | null>(),
  /**
   * What else names it while it runs: usernames and addresses of its accounts, those of before
   * included. Once it is finished, keyed digests of them.
   */
  names: json<readonly string[]>(),
  targetKey: text,
  targetDigest: text,
  /** The name that replaces the subject's; else null. */
  pseudonym: json<string | null>(),
  /** Id of a credential. */
  requestedBy: text,
  requestedAtMillis: number,
  /** How many steps are done. */
  step: number,
  /** Where the step goes on, in hexadecimal; null at its start. */
  from: json<string | null>(),
  counts: json<Readonly<Record<string, number>>>(),
  /** SHA-256 over the keys of all removed entries, each linked to those before. */
  keysDigest: text,
  dependents: number,
  /** Ids of the keys that it destroys; null before they are known. */
  keys: json<readonly string[] | null>(),
  finishedAtMillis: json<number | null>(),
  certificate: json<string | null>(),
  /** What refuses the id of a subject; empty before the end. */
  refusedIds: json<readonly RefusedId[]>(),
});

/** A stored erasure. */
export type StoredErasure = ValueOf<typeof erasureLayout>;

/** Erasures of a tenant: target, progress, certificate; by id. */
export const erasures = defineFamily({
  name: 'erasures',
  number: 110,
  key: ['uuid'],
  layout: erasureLayout,
  sealedBy: 'tenant',
  owner: 'tenant',
  exported: { not: 'working' },
  erased: 'kept',
  counts: null,
});

/** Installation: erasures that aren't finished: tenant, id. */
export const runningErasures = defineFamily({
  name: 'runningErasures',
  number: 115,
  key: ['text', 'uuid'],
  layout: jsonLayout<readonly [string, string]>(1),
  sealedBy: null,
  owner: 'named_tenant',
  exported: 'derived',
  erased: 'derived',
  counts: null,
  derived: indexOf(erasures),
});

/** Returns an erasure of a tenant, or `undefined`. */
export function findErasure(tx: ReadTx, tenantId: string, id: string): StoredErasure | undefined {
  return erasures.get(tx, tenantId, id);
}

/** Stores an erasure. While it isn't finished, its target is marked, so that nothing is written. */
export function putErasure(tx: WriteTx, erasure: StoredErasure): void {
  const { tenantId, id, finishedAtMillis } = erasure;
  // A finished erasure has forgotten its target.
  const target = erasure.target ?? findErasure(tx, tenantId, id)?.target ?? null;
  const mark = target === null ? undefined : markOf(target);
  erasures.put(tx, erasure, tenantId, id);
  if (finishedAtMillis === null) {
    runningErasures.put(tx, [tenantId, id], INSTALLATION, tenantId, id);
    if (mark !== undefined) putErasureMark(tx, id, tenantId, mark);
  } else {
    tx.remove(runningErasures.keyOf(INSTALLATION, tenantId, id));
    if (mark !== undefined) removeErasureMark(tx, id, tenantId, mark);
  }
}

/** An erasure that isn't finished. */
export type RunningErasure = readonly [tenantId: string, id: string];

/** Returns erasures of all tenants that aren't finished, after one of them. */
export function listRunningErasures(
  tx: ReadTx,
  { after, limit }: { readonly after: RunningErasure | undefined; readonly limit: number },
): RunningErasure[] {
  const start: [string, string] | undefined = after && [...after];
  return runningErasures.values(tx, INSTALLATION, { prefix: [], after: start, limit });
}

/** Returns ids of erasures of a tenant that are finished, without decoding any, and the last id. */
export function finishedIdsAfter(
  tx: ReadTx,
  tenantId: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): { readonly ids: readonly string[]; readonly last: string | undefined } {
  const start: [string] | undefined = after === undefined ? undefined : [after];
  const entries = erasures.entries(tx, tenantId, { prefix: [], after: start, limit });
  const found = Array.from(entries, ({ key }) => trailingUuid(key));
  const ids = found.filter((id) => !runningErasures.has(tx, INSTALLATION, tenantId, id));
  return { ids, last: found.length < limit ? undefined : found.at(-1) };
}

/** Returns a page of the erasures of a tenant, in ascending order of id, the oldest first. */
export function erasuresAfter(
  tx: ReadTx,
  tenantId: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): StoredErasure[] {
  const start: [string] | undefined = after === undefined ? undefined : [after];
  return erasures.values(tx, tenantId, { prefix: [], after: start, limit });
}
