/**
 * Audit events in the store: blocks of consecutive events, the head of each chain, and postings,
 * which list the blocks that contain a value.
 */
import { noteChange } from '../../runtime/counts/noted-changes.js';
import { asBuffer } from '../../storage/store/bytes.js';
import { trailingUuid } from '../../storage/store/key.js';
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import type { Entry, ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { number, text } from '../../storage/store/fields.js';
import { fieldsLayout, tupleLayout, type ValueOf } from '../../storage/store/layouts.js';
import type { ValueLayout } from '../../storage/store/value.js';
import { type EventFields, type EventMember, memberOf } from './event-fields.js';

/** Consecutive events of one authority that were stored together. */
export interface StoredBlock {
  readonly recordedAtMillis: number;
  /** The link of the event before the first one. */
  readonly previous: string;
  readonly events: readonly (readonly [link: string, fields: EventFields])[];
}

/** A block to be stored, with the fields of each event as the text that its link covers. */
export interface NewBlock {
  readonly recordedAtMillis: number;
  readonly previous: string;
  readonly events: readonly { readonly link: string; readonly text: string }[];
}

const headLayout = fieldsLayout(1, {
  /** Tenant id, or `INSTALLATION`. */
  authority: text,
  /** Sequence number of the oldest event that is kept. */
  first: number,
  /** Sequence number of the next event. */
  next: number,
  /** Link of the newest event. */
  link: text,
  /** Id of the newest event. */
  lastId: text,
  /** When the newest event was recorded. Never goes back. */
  recordedAtMillis: number,
  /** The longest time between an event and its recording so far. */
  lagMillis: number,
  /** Sequence number after the oldest stored block. */
  oldestEnd: number,
  /** When the oldest stored block was recorded. */
  oldestMillis: number,
});

/** The end of the chain of an authority. */
export type AuditHead = ValueOf<typeof headLayout>;

/** Members of queries with postings, and the members of events that they match. */
const indexed = {
  event_type: 'type',
  user_id: 'userId',
  username: 'username',
  action: 'action',
  result: 'result',
  ip_address: 'ipAddress',
} as const satisfies Readonly<Record<string, EventMember>>;

/** A member of queries with postings. */
export type IndexedMember = keyof typeof indexed;

/** Members that a query finds without reading every event. */
export const indexedMembers = Object.keys(indexed) as readonly IndexedMember[];

const UUID_BYTES = 16;
const INTEGER_BYTES = 8;
const UUID_MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const heads = new Subspace(keyspace.auditHeads, headLayout);

const blockLayout: ValueLayout<NewBlock, StoredBlock> = {
  version: 1,
  // Joined from existing texts, which were needed for the links.
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

const postings = new Subspace(keyspace.auditPostings, tupleLayout<readonly []>(1));

/** The subspaces of the audit log, by their names in the key space. */
export const auditSubspaces = {
  auditHeads: heads,
  auditBlocks: blocks,
  auditPostings: postings,
};

/** Returns the value of an indexed member of an event. */
export function indexedValue(fields: EventFields, member: IndexedMember): string | null {
  return memberOf(fields, indexed[member]);
}

/** Returns the head of an authority, or `undefined` if it never had an event. */
export function findHead(tx: ReadTx, authority: string): AuditHead | undefined {
  return heads.get(tx, INSTALLATION, authority);
}

/** Replaces the head `before` of an authority. */
export function putHead(tx: WriteTx, head: AuditHead, before: AuditHead | undefined): void {
  const key = heads.put(tx, head, INSTALLATION, head.authority);
  noteChange(tx, 'audit_events', eventsBehind(head) - eventsBehind(before), key);
}

/** Returns how many events an authority has, by its stored head; 0 if the head is damaged. */
export function eventsOfHead({ key, value }: Entry): number {
  return eventsBehind(heads.openIfReadable(key, value));
}

/** Returns the heads after an authority, in the order of authorities. */
export function listHeads(tx: ReadTx, after: string | undefined, limit: number): AuditHead[] {
  const start: [string] | undefined = after === undefined ? undefined : [after];
  return heads.values(tx, INSTALLATION, { prefix: [], after: start, limit });
}

/** A stored block with its place in the chain. */
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
  blocks.put(tx, block, authority, sequence, firstIdOf(events));
  forEachPosting(events, (member, value) => {
    postings.put(tx, [], authority, member, value, sequence);
  });
}

/** Removes a block with its postings. */
export function removeBlock(
  tx: WriteTx,
  authority: string,
  { sequence, block }: PlacedBlock,
): void {
  const events = block.events.map(([, fields]) => fields);
  tx.remove(blocks.keyOf(authority, sequence, firstIdOf(events)));
  forEachPosting(events, (member, value) => {
    tx.remove(postings.keyOf(authority, member, value, sequence));
  });
}

/** Returns blocks that begin before a sequence number, newest first. */
export function blocksBefore(
  tx: ReadTx,
  authority: string,
  before: number,
  limit: number,
): PlacedBlock[] {
  const span = { prefix: [] as [], before: [before] as [number], limit, reverse: true };
  return placed(blocks.rows(tx, authority, span));
}

/** Returns the block that begins with a sequence number, or `undefined`. */
export function blockAt(tx: ReadTx, authority: string, sequence: number): PlacedBlock | undefined {
  return placed(blocks.rows(tx, authority, { prefix: [sequence], limit: 1 }))[0];
}

/** A stored block that may be damaged. */
export interface RawBlock {
  readonly sequence: number;
  /** Id of its first event. */
  readonly firstId: string;
  /** `undefined` when it is damaged. */
  readonly block: StoredBlock | undefined;
}

/** Returns the first block that begins with a sequence number or after it. */
export function rawBlockFrom(tx: ReadTx, authority: string, from: number): RawBlock | undefined {
  const after: [number, string] | undefined = from === 0 ? undefined : [from - 1, UUID_MAX];
  for (const { key, value } of blocks.entries(tx, authority, { prefix: [], limit: 1, after })) {
    const firstId = trailingUuid(key);
    const sequence = integerBefore(key, UUID_BYTES);
    return { sequence, firstId, block: blocks.openIfReadable(key, value) };
  }
  return undefined;
}

/** Returns the numbers of blocks below a bound in which a value occurs, greatest first. */
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

/** Returns the id of the first event, which is a part of the key of a block. */
function firstIdOf(events: readonly EventFields[]): string {
  const [first] = events;
  return first === undefined ? '' : memberOf(first, 'id');
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

/** Reads the integer that ends so many bytes before the end of a key. */
function integerBefore(key: Uint8Array, bytes: number): number {
  return Number(asBuffer(key).readBigUInt64BE(key.length - bytes - INTEGER_BYTES));
}
