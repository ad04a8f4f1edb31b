/** Verifies the audit chains of a store link by link. The store may be in use. */
import { setImmediate } from 'node:timers/promises';
import type { ReadTx, Transactions } from '../../storage/store/store.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { type AuditHead, findHead, listHeads, type RawBlock, rawBlockFrom } from './audit-store.js';
import { memberOf } from './event-fields.js';
import { linkOf } from './chain.js';

/** The result of a verification. */
export interface AuditVerification {
  readonly contract_version: typeof CONTRACT_VERSION;
  readonly status: 'verified' | 'broken';
  /** Ids of the oldest and the newest event that are kept; null when there are none. */
  readonly first_event: string | null;
  readonly last_event: string | null;
  readonly events_checked: number;
  /** The first event whose link fails, authority by authority; null when all hold. */
  readonly broken_at: string | null;
}

/** Blocks that are verified before other work may run. */
const SLICE_BLOCKS = 32;

const HEADS_AT_ONCE = 256;

/** Progress in one chain. */
interface Progress {
  /** Sequence number of the next event to check. */
  readonly next: number;
  /** Link of the previous event; `undefined` before the oldest block, which states it. */
  readonly link: string | undefined;
  readonly checked: number;
  readonly firstId: string | null;
  readonly lastId: string | null;
  readonly brokenAt: string | null;
  readonly isDone: boolean;
}

/** Checks every stored event of every authority. Stops at the first link that fails. */
export async function verifyAudit(store: Transactions): Promise<AuditVerification> {
  let checked = 0;
  let brokenAt: string | null = null;
  const ids: string[] = [];
  let after: string | undefined;
  let heads: readonly AuditHead[];
  do {
    heads = await store.read((tx) => listHeads(tx, after, HEADS_AT_ONCE));
    after = heads.at(-1)?.authority;
    for (const { authority } of heads) {
      const end = await verifyChain(store, authority);
      checked += end.checked;
      for (const id of [end.firstId, end.lastId]) if (id !== null) ids.push(id);
      brokenAt ??= end.brokenAt;
    }
  } while (heads.length === HEADS_AT_ONCE && brokenAt === null);
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

async function verifyChain(store: Transactions, authority: string): Promise<Progress> {
  let progress: Progress = {
    next: 0,
    link: undefined,
    checked: 0,
    firstId: null,
    lastId: null,
    brokenAt: null,
    isDone: false,
  };
  for (;;) {
    const from = progress;
    progress = await store.read((tx) => verifySlice(tx, authority, from));
    if (progress.isDone) return progress;
    await setImmediate();
  }
}

function verifySlice(tx: ReadTx, authority: string, from: Progress): Progress {
  const head = findHead(tx, authority);
  if (head === undefined) return { ...from, isDone: true };
  let progress = from;
  // The oldest events may have expired since the last slice; then start at the first stored one.
  if (head.first > progress.next) progress = { ...progress, next: head.first, link: undefined };
  for (let blocks = 0; blocks < SLICE_BLOCKS && !progress.isDone; blocks += 1) {
    progress = verifyNextBlock(tx, head, progress);
  }
  return progress;
}

function verifyNextBlock(tx: ReadTx, head: AuditHead, progress: Progress): Progress {
  const { next } = progress;
  if (next >= head.next) {
    const holds = progress.link === undefined || progress.link === head.link;
    return holds ? { ...progress, isDone: true } : broken(progress, head.lastId);
  }
  const raw = blockWith(tx, head, progress);
  // A missing end is reported at the newest event, which the head names.
  if (raw === undefined) return broken(progress, head.lastId);
  if (raw.block === undefined || raw.sequence > next) return broken(progress, raw.firstId);
  return verifyBlock(head, progress, raw.sequence, raw.block);
}

/** Returns the block with the next event. The oldest kept event may be inside its block. */
function blockWith(tx: ReadTx, head: AuditHead, { next, link }: Progress): RawBlock | undefined {
  if (link !== undefined) return rawBlockFrom(tx, head.authority, next);
  let raw = rawBlockFrom(tx, head.authority, 0);
  while (raw?.block !== undefined && raw.sequence + raw.block.events.length <= next) {
    raw = rawBlockFrom(tx, head.authority, raw.sequence + 1);
  }
  return raw;
}

function verifyBlock(
  { authority, next: end }: AuditHead,
  from: Progress,
  sequence: number,
  { recordedAtMillis, previous, events }: NonNullable<RawBlock['block']>,
): Progress {
  let { next, link, checked, firstId, lastId } = from;
  link ??= next === sequence ? previous : events[next - sequence - 1]?.[0];
  const isLinked = next > sequence || link === previous;
  for (const [stored, fields] of events.slice(next - sequence)) {
    const place = { authority, previous: link ?? '', sequence: next, recordedAtMillis };
    const expected = linkOf(place, JSON.stringify(fields));
    if (!isLinked || expected !== stored || next >= end)
      return broken({ ...from, checked }, memberOf(fields, 'id'));
    firstId ??= memberOf(fields, 'id');
    lastId = memberOf(fields, 'id');
    link = stored;
    next += 1;
    checked += 1;
  }
  return { ...from, next, link, checked, firstId, lastId };
}

function broken(progress: Progress, id: string): Progress {
  return { ...progress, brokenAt: id, isDone: true };
}
