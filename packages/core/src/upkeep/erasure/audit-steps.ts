/** The steps that replace the names of an erased subject in the audit log of its tenant. */
import { encodeKey } from '../../storage/store/key.js';
import {
  auditBlocks,
  type AuditSeam,
  findSeam,
  rawBlocksFrom,
} from '../../kernel/audit-log/audit-store.js';
import { type EventFields, memberOf } from '../../kernel/audit-log/event-fields.js';
import { namesReplacer } from '../../kernel/audit-log/event-names.js';
import { rewriteEvents } from '../../kernel/audit-log/rewrite-events.js';
import { findErasure, type StoredErasure } from '../stored/erasure-store.js';
import type { Step } from './slice.js';

/** Blocks of one slice. Each has up to 64 events with their postings. */
const BLOCKS_AT_ONCE = 16;
const ENTRIES_OF_SLICE = 256;
const SEQUENCE_BYTES = 8;

/** Where the step goes on: before its own work began, or within it. */
const WAITING = new Uint8Array([0]);
const BEGUN = new Uint8Array([1]);

/** Members of events about an account that name it. */
const naming = ['new_username', 'new_email', 'deleted_username', 'target_username'] as const;

const ACCOUNT_RESOURCE = /^user:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/u;

/** Remembers names that the accounts had before, such as an address that was replaced. */
export function collectFormerNames(
  isOfTarget: (slice: Parameters<Step>[0], id: string) => boolean,
): Step {
  return (slice, from) => {
    const { tenantId } = slice.erasure;
    let at = from === undefined ? 0 : Number(Buffer.from(from).readBigUInt64BE());
    for (;;) {
      const range = { from: at, limit: BLOCKS_AT_ONCE };
      const blocks = rawBlocksFrom(slice.tx, tenantId, range);
      if (blocks.length === 0) return undefined;
      for (const { sequence, block } of blocks) {
        if (!slice.hasRoom) return positionAt(at);
        const events = block?.events ?? [];
        for (const [, fields] of events) {
          const [, id] = ACCOUNT_RESOURCE.exec(memberOf(fields, 'resource')) ?? [];
          if (id !== undefined && isOfTarget(slice, id)) addNames(slice, fields);
        }
        slice.use(1 + events.length);
        at = sequence + Math.max(1, events.length);
      }
    }
  };
}

function positionAt(sequence: number): Uint8Array {
  const bytes = Buffer.alloc(SEQUENCE_BYTES);
  bytes.writeBigUInt64BE(BigInt(sequence));
  return bytes;
}

function addNames(slice: Parameters<Step>[0], fields: EventFields): void {
  const metadata = memberOf(fields, 'metadata');
  for (const member of naming) {
    const name = metadata[member];
    if (typeof name === 'string') slice.addName(name);
  }
}

/** Replaces the names. An erasure that another one interrupted is brought to its end first. */
export const replaceNames: Step = (slice, from) => {
  const { tx, erasure } = slice;
  const { tenantId } = erasure;
  const found = findSeam(tx, tenantId);
  const hasBegun = from?.[0] === BEGUN[0];
  if (found === undefined && hasBegun) return undefined;
  const seam: AuditSeam = found ?? { erasureId: erasure.id, at: 0, chains: {} };
  const isOwn = seam.erasureId === erasure.id;
  const acting = isOwn ? erasure : findErasure(tx, tenantId, seam.erasureId);
  // Names that this slice has found itself are not stored with the erasure yet.
  const replace = replacerOf(acting, isOwn ? slice.names : (acting?.names ?? []));
  const { blocks, isDone } = rewriteEvents(tx, tenantId, {
    seam,
    replace,
    blocksMax: BLOCKS_AT_ONCE,
  });
  const { number, shape } = auditBlocks;
  for (const block of blocks)
    slice.count(auditBlocks.name, encodeKey(tenantId, number, shape, [block]));
  slice.use(ENTRIES_OF_SLICE);
  if (!isOwn) return WAITING;
  return isDone ? undefined : BEGUN;
};

function replacerOf(
  erasure: StoredErasure | undefined,
  names: readonly string[],
): ReturnType<typeof namesReplacer> {
  if (erasure?.target?.kind !== 'subject' || erasure.pseudonym === null) return (fields) => fields;
  return namesReplacer([erasure.target.subject_id, ...names], erasure.pseudonym);
}
