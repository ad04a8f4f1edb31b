/** The stored form of records, and its conversion to documents. */
import {
  addedLast,
  type Fields,
  nested,
  orNull,
  spread,
  text,
} from '../../../storage/store/fields.js';
import type { ValueLayout } from '../../../storage/store/value.js';
import { DEFAULT_SPACE } from '../documents/default-space.js';
import { embeddingField, payloadFields } from '../documents/payload-members.js';
import type { CurrentState } from '../retention/retention-policy.js';
import { headSize, readHead, type RecordHead, writeHead } from './record-head.js';
import type { Author } from '../documents/author-schema.js';
import type { MemoryRecord, RecordPayload } from '../documents/schema.js';
import type { LostSource } from '../documents/lineage-schema.js';

/** Embeddings by the name of their space. */
export type AttachedEmbeddings = ReadonlyMap<string, readonly number[]>;

/** A stored record or tombstone. Its id is a part of the key. */
export interface StoredRecord {
  readonly revision: number;
  readonly createdAtMillis: number;
  readonly modifiedAtMillis: number;
  readonly author: Author;
  /** Null in the tombstone of a deleted record. */
  readonly payload: RecordPayload | null;
  /** Null for a record without a name, and in a tombstone. */
  readonly name: string | null;
  /** Embeddings that were attached to this revision, beside its payload, by their space. */
  readonly attached?: AttachedEmbeddings | undefined;
  /** Who merged this revision from a branch; absent where it was written outside of branches. */
  readonly mergedBy?: Author | undefined;
  /** What was taken away of its sources; never stored, and absent where nothing was. */
  readonly lostSources?: readonly LostSource[];
  /** In a tombstone, when the content of the deleted record goes; null if it went at once. */
  readonly keptUntilMillis: number | null;
}

/** A record as it is written: with the key of the command or batch that made the revision. */
export interface WrittenRecord extends StoredRecord {
  /** Null where none is known. Only `readCommandKey()` reads it. */
  readonly idempotencyKey: string | null;
}

/** What follows the head of a record. */
interface RecordTail extends Pick<StoredRecord, 'payload' | 'name'> {
  readonly subjectId: string;
}

const tailFields: Fields<RecordTail> = {
  subjectId: text,
  payload: orNull(nested(payloadFields)),
  name: addedLast<string>(),
};
const tail = spread(tailFields);
/** Attached embeddings follow the name, or null. */
const ATTACHED_AT = tail.elements;

const VERSION = 3;

/** The layout of records: a binary head, then subject, payload and name as JSON. */
export const recordLayout: ValueLayout<WrittenRecord, StoredRecord> = {
  version: VERSION,
  encode: (record, before, behind) => {
    const { author, payload, name, attached, mergedBy } = record;
    const isDeleted = payload === null;
    const head: RecordHead = { ...record, isDeleted, credentialId: author.credential_id };
    const array: unknown[] = [];
    tail.write({ subjectId: author.subject_id, payload, name }, array);
    if (attached !== undefined) {
      if (name === null) array.push(null);
      writeAttached(attached, array);
    }
    // The only object among texts and arrays, at the end.
    if (mergedBy !== undefined) array.push(mergedBy);
    const json = JSON.stringify(array);
    const at = before + headSize(head);
    const bytes = Buffer.allocUnsafe(at + Buffer.byteLength(json, 'utf8') + behind);
    writeHead(bytes, before, head);
    bytes.write(json, at, 'utf8');
    return bytes;
  },
  decode: (content) => {
    const head = readHead(content);
    const { revision, createdAtMillis, modifiedAtMillis, keptUntilMillis } = head;
    const json = content.bytes.toString('utf8', head.end, content.end);
    const array = JSON.parse(json) as unknown[];
    const mergedBy = takeMergedBy(array);
    const { subjectId, payload, name } = tail.read(array, 0);
    const author = { credential_id: head.credentialId, subject_id: subjectId };
    const times = { createdAtMillis, modifiedAtMillis, keptUntilMillis };
    const record = { revision, ...times, author, payload, name };
    const isPlain = mergedBy === undefined && array.length <= ATTACHED_AT;
    return isPlain ? record : { ...record, ...furtherOf(array, mergedBy) };
  },
};

/** Returns the members that few records have. */
function furtherOf(array: readonly unknown[], mergedBy: Author | undefined) {
  const isAttached = array.length > ATTACHED_AT;
  return {
    ...(mergedBy === undefined ? {} : { mergedBy }),
    ...(isAttached ? { attached: readAttached(array.slice(ATTACHED_AT)) } : {}),
  };
}

/** Takes who merged a revision from the end of its members, if it was merged. */
function takeMergedBy(array: unknown[]): Author | undefined {
  const last = array.at(-1);
  const isMerged = typeof last === 'object' && last !== null && !Array.isArray(last);
  return isMerged ? (array.pop() as Author) : undefined;
}

/** Appends the embedding of the default space, then name and embedding of each other one. */
function writeAttached(attached: AttachedEmbeddings, array: unknown[]): void {
  const own = attached.get(DEFAULT_SPACE);
  embeddingField.write(own === undefined ? null : [...own], array);
  for (const [space, values] of attached) {
    if (space === DEFAULT_SPACE) continue;
    array.push(space);
    embeddingField.write([...values], array);
  }
}

function readAttached(array: readonly unknown[]): AttachedEmbeddings {
  const attached = new Map<string, readonly number[]>();
  const own = embeddingField.read(array, 0);
  if (own !== null) attached.set(DEFAULT_SPACE, own);
  for (let at = 1; at < array.length; at += 2) {
    attached.set(array[at] as string, embeddingField.read(array, at + 1) ?? []);
  }
  return attached;
}

/** Reads the state of a record, without decoding its content where it can. */
export const recordStateLayout: ValueLayout<never, CurrentState> = {
  version: VERSION,
  encode: () => {
    throw new TypeError('A state is never stored.');
  },
  decode: readHead,
};

/** Returns whether a record is neither deleted nor expired. It expires at `valid_until_millis`. */
export function isVisible({ payload }: StoredRecord, nowMs: number): boolean {
  const endMillis = payload?.valid_until_millis;
  return endMillis !== undefined && (endMillis === null || nowMs < endMillis);
}

/** Returns a record without what belongs to its revision only, beside its payload. */
export function withoutAttached({
  attached: _attached,
  mergedBy: _mergedBy,
  ...record
}: StoredRecord): StoredRecord {
  return record;
}

/** Shows a record that is not deleted. */
export function showRecord(recordId: string, record: StoredRecord): MemoryRecord {
  if (record.payload === null) throw new TypeError('A tombstone cannot be shown.');
  return {
    schema_version: 1,
    record_id: recordId,
    ...(record.name === null ? {} : { name: record.name }),
    revision: record.revision,
    created_at_millis: record.createdAtMillis,
    modified_at_millis: record.modifiedAtMillis,
    author: record.author,
    ...(record.mergedBy === undefined ? {} : { merged_by: record.mergedBy }),
    payload: record.payload,
    ...(record.lostSources === undefined ? {} : { lost_sources: [...record.lostSources] }),
  };
}
