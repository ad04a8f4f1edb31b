/** Verifies the audit chains of a store link by link. The store may be in use. */
import { setImmediate } from 'node:timers/promises';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import type { Store } from '../../../storage/store/store.js';
import { nextTenantWithData } from '../../../storage/store/tenants-with-data.js';
import { findHead, listHeads } from '../audit-store.js';
import { type LogProgress, startOfLog, verifySlice } from './verify-chains.js';

/** The result of a verification. */
export interface AuditVerification {
  readonly contract_version: typeof CONTRACT_VERSION;
  readonly status: 'verified' | 'broken';
  /** Ids of the oldest and the newest kept event; null when there are none. */
  readonly first_event: string | null;
  readonly last_event: string | null;
  readonly events_checked: number;
  /**
   * The first event whose link fails, authority by authority; the oldest stored one of an authority
   * whose head is missing; null when all hold.
   */
  readonly broken_at: string | null;
}

/** The part of a store that verification uses. */
type Readable = Pick<Store, 'read'>;

const HEADS_AT_ONCE = 256;

/** Checks every stored event of every authority. Stops at the first link that fails. */
export async function verifyAudit(store: Readable): Promise<AuditVerification> {
  let checked = 0;
  let brokenAt: string | null = null;
  const ids: string[] = [];
  for await (const authority of authorities(store)) {
    const end = await verifyAuthority(store, authority);
    checked += end.events;
    for (const id of [end.firstId, end.lastId]) if (id !== null) ids.push(id);
    brokenAt = end.broken?.eventId ?? null;
    if (brokenAt !== null) break;
  }
  ids.sort();
  return {
    contract_version: CONTRACT_VERSION,
    status: brokenAt === null ? 'verified' : 'broken',
    first_event: ids[0] ?? null,
    last_event: ids.at(-1) ?? null,
    events_checked: checked,
    broken_at: brokenAt,
  };
}

/** Yields the authorities with a head, then those that have lost it. */
async function* authorities(store: Readable): AsyncGenerator<string, void> {
  let after: string | undefined;
  let count: number;
  do {
    const from = after;
    const heads = await store.read((tx) => listHeads(tx, from, HEADS_AT_ONCE));
    for (const { authority } of heads) yield authority;
    after = heads.at(-1)?.authority;
    count = heads.length;
  } while (count === HEADS_AT_ONCE);
  // The range of heads doesn't show a missing one; the blocks of its tenant do.
  for (let tenant = await nextTenant(store, undefined); tenant !== undefined;) {
    const { authority, isHeadless } = tenant;
    if (isHeadless) yield authority;
    tenant = await nextTenant(store, authority);
  }
}

function nextTenant(
  store: Readable,
  after: string | undefined,
): Promise<{ readonly authority: string; readonly isHeadless: boolean } | undefined> {
  return store.read((tx) => {
    const authority = nextTenantWithData(tx, after);
    return authority === undefined
      ? undefined
      : { authority, isHeadless: findHead(tx, authority) === undefined };
  });
}

async function verifyAuthority(store: Readable, authority: string): Promise<LogProgress> {
  let progress = startOfLog();
  for (;;) {
    const before = progress;
    ({ progress } = await store.read((tx) => verifySlice(tx, authority, before)));
    // Also yields after the last slice, because there may be many short chains.
    await setImmediate();
    if (progress.isDone) return progress;
  }
}
