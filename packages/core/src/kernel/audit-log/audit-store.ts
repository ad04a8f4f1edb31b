/**
 * Audit events in the store: blocks of consecutive events, the head of each chain, and postings,
 * which list the blocks that contain a value.
 *
 * The seam of an audit log: where the links of blocks that were rewritten end, and those of the
 * blocks behind them still follow the links from before.
 */
import { sha256Text } from '../../contract/digest.js';
import { asBuffer } from '../../storage/store/bytes.js';
import { defineFamily, indexOf, working } from '../../storage/store/family.js';
import { INSTALLATION, trailingUuid, UUID_MAX } from '../../storage/store/key.js';
import { jsonLayout, tupleLayout } from '../../storage/store/fields.js';
import type { Entry, ReadTx, WriteTx } from '../../storage/store/store.js';
import { noteChange } from '../counts/counts.js';
import { blockLayout, type NewBlock, type StoredBlock } from './block-layout.js';
import { type EventFields, type EventMember, memberOf } from './event-fields.js';
import { type AuditHead, headLayout } from './head-layout.js';
import { type AuditQuota, auditQuotas } from './quota-policy.js';

/** Members of queries with postings, and the members of events that they match. */
const indexed = {
  event_type: 'type',
  user_id: 'userId',
  username: 'username',
  action: 'action',
  resource: 'resource',
  result: 'result',
  ip_address: 'ipAddress',
} as const satisfies Readonly<Record<string, EventMember>>;

/** A member of queries with postings. */
export type IndexedMember = keyof typeof indexed;

/** Members that a query finds without reading every event. */
export const indexedMembers = Object.keys(indexed) as readonly IndexedMember[];

/** The member of postings that list the blocks of a quota. */
const QUOTA = 'quota';

/** More events than any block holds. */
const BLOCK_EVENTS_BOUND = 64;

/** Most blocks that are looked through for one that may have been stored. */
const LOOKED_BLOCKS_MAX = 512;

/** Characters of the digest of a resource in postings: 132 bits. */
const RESOURCE_CHARS = 22;

const UUID_BYTES = 16;
const INTEGER_BYTES = 8;

/** Installation: the head of an authority's audit chains, by tenant id. */
export const auditHeads = defineFamily({
  name: 'auditHeads',
  number: 9,
  key: ['text'],
  layout: headLayout,
  sealedBy: null,
  owner: 'named_tenant',
  exported: { not: 'audit' },
  erased: 'kept',
  counts: (entry) => ({ name: 'audit_events', by: eventsOfHead(entry) }),
});

/** Up to 64 audit events in a block, by the sequence number and the id of the first one. */
export const auditBlocks = defineFamily({
  name: 'auditBlocks',
  number: 10,
  key: ['integer', 'uuid'],
  layout: blockLayout,
  sealedBy: 'tenant',
  owner: 'tenant',
  exported: { not: 'audit' },
  erased: 'pseudonym',
  counts: null,
});

/**
 * Blocks by the values of an indexed member, or by quota: member, value, number of the block. Of a
 * resource, the value is a digest.
 */
export const auditPostings = defineFamily({
  name: 'auditPostings',
  number: 11,
  key: ['text', 'text', 'integer'],
  layout: tupleLayout<readonly []>(1),
  sealedBy: null,
  owner: 'tenant',
  exported: { not: 'audit' },
  erased: 'pseudonym',
  counts: null,
  derived: indexOf(auditBlocks),
});

/** Returns the value of an indexed member of an event. */
export function indexedValue(fields: EventFields, member: IndexedMember): string | null {
  return memberOf(fields, indexed[member]);
}

/** Returns the head of an authority, or `undefined` if it never had an event. */
export function findHead(tx: ReadTx, authority: string): AuditHead | undefined {
  return auditHeads.get(tx, INSTALLATION, authority);
}

/** Replaces the head `before` of an authority. */
export function putHead(tx: WriteTx, head: AuditHead, before: AuditHead | undefined): void {
  const key = auditHeads.put(tx, head, INSTALLATION, head.authority);
  noteChange(tx, 'audit_events', keptEvents(head) - keptEvents(before), key);
}

/** Removes the head of an authority whose events are all gone. */
export function removeHead(tx: WriteTx, authority: string): void {
  tx.remove(auditHeads.keyOf(INSTALLATION, authority));
}

/** Returns how many events an authority has, by its stored head; 0 if the head is damaged. */
export function eventsOfHead({ key, value }: Entry): number {
  return keptEvents(auditHeads.openIfReadable(key, value));
}

/** Returns the heads after an authority, in the order of authorities. */
export function listHeads(tx: ReadTx, after: string | undefined, limit: number): AuditHead[] {
  const start: [string] | undefined = after === undefined ? undefined : [after];
  return auditHeads.values(tx, INSTALLATION, { prefix: [], after: start, limit });
}

/** A stored block with its sequence number. */
export interface NumberedBlock {
  /** Sequence number of its first event. */
  readonly sequence: number;
  readonly block: StoredBlock;
}

/** Stores a block under the number and id of its first event, with the postings of its values. */
export function putBlock(
  tx: WriteTx,
  authority: string,
  sequence: number,
  block: NewBlock,
  events: readonly EventFields[],
): void {
  auditBlocks.put(tx, block, authority, sequence, firstIdOf(events));
  forEachPosting(block.quota, events, (member, value) => {
    auditPostings.put(tx, [], authority, member, value, sequence);
  });
}

/** Removes a block with its postings. */
export function removeBlock(
  tx: WriteTx,
  authority: string,
  { sequence, block }: NumberedBlock,
): void {
  const events = block.events.map(([, fields]) => fields);
  tx.remove(auditBlocks.keyOf(authority, sequence, firstIdOf(events)));
  forEachPosting(block.quota, events, (member, value) => {
    tx.remove(auditPostings.keyOf(authority, member, value, sequence));
  });
}

/** Yields blocks that begin before a sequence number, newest first. */
export function blocksBefore(
  tx: ReadTx,
  authority: string,
  before: number,
  limit: number,
): Generator<NumberedBlock, void> {
  const span = { prefix: [] as [], before: [before] as [number], limit, reverse: true };
  return placed(auditBlocks.rows(tx, authority, span));
}

/** Returns the block that begins with a sequence number, or `undefined`. */
export function blockAt(
  tx: ReadTx,
  authority: string,
  sequence: number,
): NumberedBlock | undefined {
  const [found] = placed(auditBlocks.rows(tx, authority, { prefix: [sequence], limit: 1 }));
  return found;
}

/** Returns whether an authority has blocks. */
export function hasBlocks(tx: ReadTx, authority: string): boolean {
  return endOfBlocks(tx, authority) > 0;
}

/** Returns the sequence number after the newest block, as far as blocks show it; 0 without any. */
export function endOfBlocks(tx: ReadTx, authority: string): number {
  const span = { prefix: [] as [], limit: 1, reverse: true };
  for (const { key, value } of auditBlocks.entries(tx, authority, span)) {
    const sequence = integerBefore(key, UUID_BYTES);
    return sequence + (auditBlocks.openIfReadable(key, value)?.events.length ?? BLOCK_EVENTS_BOUND);
  }
  return 0;
}

/**
 * Returns the oldest block of a quota, or `undefined`. Removes postings of blocks that are missing.
 */
export function oldestBlockOf(
  tx: WriteTx,
  authority: string,
  quota: AuditQuota,
): NumberedBlock | undefined {
  const oldest = rawBlockFrom(tx, authority, 0);
  // Blocks of version 1 have no posting of their quota. They are older than all others.
  if (oldest?.block?.quota === quota) return { sequence: oldest.sequence, block: oldest.block };
  for (;;) {
    const span = { prefix: [QUOTA, quota] as [string, string], limit: 1 };
    const [entry] = Array.from(auditPostings.entries(tx, authority, span), ({ key }) =>
      Buffer.from(key),
    );
    if (entry === undefined) return undefined;
    const sequence = integerBefore(entry, 0);
    const raw = rawBlockFrom(tx, authority, sequence);
    if (raw?.sequence === sequence) return raw.block && { sequence, block: raw.block };
    tx.remove(entry);
  }
}

/** A stored block that may be damaged. */
interface RawBlock {
  readonly sequence: number;
  /** Id of its first event. */
  readonly firstId: string;
  /** `undefined` when it is damaged. */
  readonly block: StoredBlock | undefined;
}

/** Returns the first block that begins with a sequence number or after it. */
export function rawBlockFrom(tx: ReadTx, authority: string, from: number): RawBlock | undefined {
  return rawBlocksFrom(tx, authority, { from, limit: 1 })[0];
}

/** Returns the first blocks that begin with a sequence number or after it. */
export function rawBlocksFrom(
  tx: ReadTx,
  authority: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): RawBlock[] {
  const after: [number, string] | undefined = from === 0 ? undefined : [from - 1, UUID_MAX];
  const entries = auditBlocks.entries(tx, authority, { prefix: [], limit, after });
  return Array.from(entries, ({ key, value }) => ({
    sequence: integerBefore(key, UUID_BYTES),
    firstId: trailingUuid(key),
    block: auditBlocks.openIfReadable(key, value),
  }));
}

/** Returns whether one of the next blocks from a sequence number on begins with an event. */
export function hasBlockOf(
  tx: ReadTx,
  authority: string,
  { firstId, from }: { readonly firstId: string; readonly from: number },
): boolean {
  const after: [number, string] | undefined = from === 0 ? undefined : [from - 1, UUID_MAX];
  const span = { prefix: [] as [], limit: LOOKED_BLOCKS_MAX, after };
  return Array.from(auditBlocks.entries(tx, authority, span), ({ key }) =>
    trailingUuid(key),
  ).includes(firstId);
}

/** Returns the numbers of blocks below a bound in which a value occurs, greatest first. */
export function postingsBefore(
  tx: ReadTx,
  authority: string,
  [member, value]: readonly [IndexedMember, string],
  before: number,
  limit: number,
): number[] {
  const posted = postedValue(member, value);
  const entries = auditPostings.entries(tx, authority, {
    prefix: [member, posted],
    before: [member, posted, before],
    limit,
    reverse: true,
  });
  return Array.from(entries, ({ key }) => integerBefore(key, 0));
}

/** Returns the id of the first event, which is a part of the key of a block. */
function firstIdOf(events: readonly EventFields[]): string {
  const [first] = events;
  return first === undefined ? '' : memberOf(first, 'id');
}

/** Returns how many events an authority keeps, by its head. */
export function keptEvents(head: AuditHead | undefined): number {
  if (head === undefined) return 0;
  return auditQuotas.reduce((sum, quota) => {
    const { first, next } = head.chains[quota] ?? { first: 0, next: 0 };
    return sum + next - first;
  }, 0);
}

/**
 * Returns a value as postings have it. Resources name what a call was about, which may be a person
 * or a tenant that is erased, and keys are not sealed: postings have digests of them.
 */
function postedValue(member: IndexedMember, value: string): string {
  return member === 'resource' ? sha256Text(value, 'base64url').slice(0, RESOURCE_CHARS) : value;
}

function forEachPosting(
  quota: AuditQuota,
  events: readonly EventFields[],
  visit: (member: IndexedMember | typeof QUOTA, value: string) => void,
): void {
  visit(QUOTA, quota);
  for (const member of indexedMembers) {
    const seen = new Set<string>();
    for (const fields of events) {
      const value = indexedValue(fields, member);
      if (value === null || seen.has(value)) continue;
      seen.add(value);
      visit(member, postedValue(member, value));
    }
  }
}

function* placed(
  rows: Iterable<{ key: Uint8Array; value: StoredBlock }>,
): Generator<NumberedBlock, void> {
  for (const { key, value } of rows) {
    yield { sequence: integerBefore(key, UUID_BYTES), block: value };
  }
}

/** Reads the integer that ends so many bytes before the end of a key. */
function integerBefore(key: Uint8Array, bytes: number): number {
  return Number(asBuffer(key).readBigUInt64BE(key.length - bytes - INTEGER_BYTES));
}

/** Where the rewritten part of a chain ends. */
export interface SeamEnd {
  /** Number of the next event in the chain. */
  readonly next: number;
  /** Link of the last event that was rewritten. */
  readonly link: string;
}

/** How far a log is rewritten. */
export interface AuditSeam {
  /** The erasure that does it. */
  readonly erasureId: string;
  /** Sequence number of the next block. */
  readonly at: number;
  /** The chains that have changed so far. */
  readonly chains: Readonly<Partial<Record<AuditQuota, SeamEnd>>>;
}

/** How far names in the audit log of a tenant were replaced, while an erasure does it. */
export const auditSeams = defineFamily({
  name: 'auditSeams',
  number: 112,
  key: [],
  layout: jsonLayout<AuditSeam>(1),
  sealedBy: 'tenant',
  owner: 'tenant',
  exported: { not: 'working' },
  erased: 'kept',
  counts: null,
  derived: working,
});

/** Returns the seam of a log, or `undefined` if nothing rewrites it. */
export function findSeam(tx: ReadTx, authority: string): AuditSeam | undefined {
  return auditSeams.get(tx, authority);
}

/** Stores how far a log is rewritten. */
export function putSeam(tx: WriteTx, authority: string, seam: AuditSeam): void {
  auditSeams.put(tx, seam, authority);
}

/** Ends the rewriting of a log. */
export function removeSeam(tx: WriteTx, authority: string): void {
  tx.remove(auditSeams.keyOf(authority));
}
