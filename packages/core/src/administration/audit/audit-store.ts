/**
 * Audit events in the store: blocks of consecutive events, the head of each chain, and postings
 * that say which blocks hold a value.
 * @module
 */
import type { AuditDraft, AuditMetadata } from '../../runtime/audit/audit.js';
import { noteChange } from '../../runtime/counts/noted-changes.js';
import { asBuffer } from '../../storage/store/bytes.js';
import { trailingUuid } from '../../storage/store/key.js';
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import type { Entry, ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout, readable, type ValueLayout } from '../../storage/store/value.js';
import { eventMetadata, eventText, eventTextOrNull, eventUserAgent } from './event-text.js';
import type { AuditEventType, AuditResult } from '../../runtime/audit/event-type.js';

/** The stored members of an event, in their order. */
export type EventFields = [
  id: string,
  type: AuditEventType,
  atMillis: number,
  userId: string | null,
  username: string | null,
  action: string,
  resource: string,
  result: AuditResult,
  ipAddress: string | null,
  userAgent: string | null,
  metadata: AuditMetadata,
];

/** Consecutive events of one authority that were stored at one time. */
export interface StoredBlock {
  readonly recordedAtMillis: number;
  /** The link of the event before the first one. */
  readonly previous: string;
  readonly events: readonly (readonly [link: string, fields: EventFields])[];
}

/** A block on its way to the store: members as the text that its link covers. */
export interface NewBlock {
  readonly recordedAtMillis: number;
  readonly previous: string;
  readonly events: readonly { readonly link: string; readonly text: string }[];
}

/** Where the chain of an authority stands. */
export interface AuditHead {
  /** The tenant, or an empty text for the installation. */
  readonly authority: string;
  /** Sequence number of the oldest event that is kept. */
  readonly first: number;
  /** Sequence number of the next event. */
  readonly next: number;
  /** Link of the newest event. */
  readonly link: string;
  /** Id of the newest event. */
  readonly lastId: string;
  /** When the newest event was recorded; never goes back. */
  readonly recordedAtMillis: number;
  /** The longest time that ever lay between an event and its recording. */
  readonly lagMillis: number;
  /** Sequence number behind the oldest block that is still stored. */
  readonly oldestEnd: number;
  /** When the oldest block that is still stored was recorded. */
  readonly oldestMillis: number;
}

type HeadFields = [string, number, number, string, string, number, number, number, number];

/** Members that a query finds without looking at every event. */
export const indexedMembers = [
  'event_type',
  'user_id',
  'username',
  'action',
  'result',
  'ip_address',
] as const;

/** A member with postings. */
export type IndexedMember = (typeof indexedMembers)[number];

const UUID_BYTES = 16;
const INTEGER_BYTES = 8;
const UUID_MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const heads = new Subspace(
  keyspace.auditHeads,
  fieldsLayout<AuditHead, HeadFields>(
    1,
    (it) => [
      it.authority,
      it.first,
      it.next,
      it.link,
      it.lastId,
      it.recordedAtMillis,
      it.lagMillis,
      it.oldestEnd,
      it.oldestMillis,
    ],
    ([authority, first, next, link, lastId, ...times]) => {
      const [recordedAtMillis, lagMillis, oldestEnd, oldestMillis] = times;
      const ends = { first, next, link, lastId };
      return { authority, ...ends, recordedAtMillis, lagMillis, oldestEnd, oldestMillis };
    },
  ),
);

const blockLayout: ValueLayout<NewBlock, StoredBlock> = {
  version: 1,
  // Joined from texts that exist already, since the links needed them.
  encode: ({ recordedAtMillis, previous, events }, before, behind) => {
    const all = events.map(({ link, text }) => `["${link}",${text}]`).join(',');
    const content = `[${recordedAtMillis},"${previous}",[${all}]]`;
    const bytes = Buffer.allocUnsafe(before + Buffer.byteLength(content, 'utf8') + behind);
    bytes.write(content, before, 'utf8');
    return bytes;
  },
  decode: ({ bytes, start, end }) => {
    const [recordedAtMillis, previous, events] = JSON.parse(bytes.toString('utf8', start, end)) as [
      number,
      string,
      [string, EventFields][],
    ];
    return { recordedAtMillis, previous, events };
  },
};

const blocks = new Subspace(keyspace.auditBlocks, blockLayout);

const postings = new Subspace(
  keyspace.auditPostings,
  fieldsLayout<null, []>(
    1,
    () => [],
    () => null,
  ),
);

/** The subspaces of this file by their names, for whoever examines every entry. */
export const auditSubspaces = {
  auditHeads: heads,
  auditBlocks: blocks,
  auditPostings: postings,
};

/** The members of an event, cleaned, in their order. */
export function fieldsOf(draft: AuditDraft): EventFields {
  return [
    draft.id,
    draft.type,
    draft.atMillis,
    draft.userId,
    eventTextOrNull(draft.username),
    eventText(draft.action),
    eventText(draft.resource),
    draft.result,
    eventTextOrNull(draft.ipAddress),
    eventUserAgent(draft.userAgent),
    eventMetadata(draft.metadata),
  ];
}

/** The value of an indexed member of an event. */
export function indexedValue(fields: EventFields, member: IndexedMember): string | null {
  switch (member) {
    case 'event_type':
      return fields[1];
    case 'user_id':
      return fields[3];
    case 'username':
      return fields[4];
    case 'action':
      return fields[5];
    case 'result':
      return fields[7];
    case 'ip_address':
      return fields[8];
  }
}

/** The head of an authority, if it ever had an event. */
export function findHead(tx: ReadTx, authority: string): AuditHead | undefined {
  return heads.get(tx, INSTALLATION, authority);
}

/** Stores the head of an authority, in place of the one before. */
export function putHead(tx: WriteTx, head: AuditHead, before: AuditHead | undefined): void {
  const key = heads.put(tx, head, INSTALLATION, head.authority);
  noteChange(tx, 'audit_events', eventsBehind(head) - eventsBehind(before), key);
}

/** How many events are kept of the authority that a stored head belongs to; 0 if it is damaged. */
export function eventsOfHead({ key, value }: Entry): number {
  return eventsBehind(readable(() => heads.open(key, value)));
}

/** Heads of authorities that ever had an event, in order of their names, behind one of them. */
export function listHeads(tx: ReadTx, after: string | undefined, limit: number): AuditHead[] {
  const start = after === undefined ? {} : { after: [after] as [string] };
  const rows = heads.rows(tx, INSTALLATION, { prefix: [], limit, ...start });
  return Array.from(rows, ({ value }) => value);
}

/** A stored block with its place. */
export interface PlacedBlock {
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
  blocks.put(tx, block, authority, sequence, events[0]?.[0] ?? '');
  forEachPosting(events, (member, value) => {
    postings.put(tx, null, authority, member, value, sequence);
  });
}

/** Removes a block with its postings. */
export function removeBlock(
  tx: WriteTx,
  authority: string,
  { sequence, block }: PlacedBlock,
): void {
  const events = block.events.map(([, fields]) => fields);
  tx.remove(blocks.keyOf(authority, sequence, events[0]?.[0] ?? ''));
  forEachPosting(events, (member, value) => {
    tx.remove(postings.keyOf(authority, member, value, sequence));
  });
}

/** Blocks that begin before a sequence number, newest first. */
export function blocksBefore(
  tx: ReadTx,
  authority: string,
  before: number,
  limit: number,
): PlacedBlock[] {
  const span = { prefix: [] as [], before: [before] as [number], limit, reverse: true };
  return placed(blocks.rows(tx, authority, span));
}

/** The block that begins with a sequence number. */
export function blockAt(tx: ReadTx, authority: string, sequence: number): PlacedBlock | undefined {
  return placed(blocks.rows(tx, authority, { prefix: [sequence], limit: 1 }))[0];
}

/** A block as it lies in the store, whether or not it can be read. */
export interface RawBlock {
  readonly sequence: number;
  /** Id of its first event. */
  readonly firstId: string;
  /** `undefined` when its bytes do not verify. */
  readonly block: StoredBlock | undefined;
}

/** The first block that begins with a sequence number or behind it. */
export function rawBlockFrom(tx: ReadTx, authority: string, from: number): RawBlock | undefined {
  const start = from === 0 ? {} : { after: [from - 1, UUID_MAX] as [number, string] };
  for (const { key, value } of blocks.entries(tx, authority, { prefix: [], limit: 1, ...start })) {
    const firstId = trailingUuid(key);
    const sequence = integerBefore(key, UUID_BYTES);
    return { sequence, firstId, block: readable(() => blocks.open(key, value)) };
  }
  return undefined;
}

/** Numbers of blocks, below a bound and greatest first, that hold a value of a member. */
export function postingsBefore(
  tx: ReadTx,
  authority: string,
  [member, value]: readonly [IndexedMember, string],
  before: number,
  limit: number,
): number[] {
  const entries = postings.entries(tx, authority, {
    prefix: [member, value],
    before: [member, value, before],
    limit,
    reverse: true,
  });
  return Array.from(entries, ({ key }) => integerBefore(key, 0));
}

function eventsBehind(head: AuditHead | undefined): number {
  return head === undefined ? 0 : head.next - head.first;
}

function forEachPosting(
  events: readonly EventFields[],
  visit: (member: IndexedMember, value: string) => void,
): void {
  for (const member of indexedMembers) {
    const seen = new Set<string>();
    for (const fields of events) {
      const value = indexedValue(fields, member);
      if (value === null || seen.has(value)) continue;
      seen.add(value);
      visit(member, value);
    }
  }
}

function placed(rows: Iterable<{ key: Uint8Array; value: StoredBlock }>): PlacedBlock[] {
  return Array.from(rows, ({ key, value }) => ({
    sequence: integerBefore(key, UUID_BYTES),
    block: value,
  }));
}

/** The integer that stands so many bytes before the end of a key. */
function integerBefore(key: Uint8Array, bytes: number): number {
  return Number(asBuffer(key).readBigUInt64BE(key.length - bytes - INTEGER_BYTES));
}
