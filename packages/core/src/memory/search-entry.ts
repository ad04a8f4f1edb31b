/**
 * What a query examines of a record, in bytes that can be searched without decoding: a short
 * header, the type, the tags, then the folded texts. UTF-8 never holds the byte FF, so it separates
 * parts and no match can span two of them.
 * @module
 */
import { asBuffer } from '../store/bytes.js';
import type { ValueLayout } from '../store/value.js';
import { foldCase } from './case-fold.js';
import type { EpisodeType, RecordPayload } from './schema.js';

const DELETED = 1;
const EXPIRES = 2;
const REVISION_AT = 1;
const EXPIRY_AT = 9;
const TYPE_SIZE_AT = 17;
const TAGS_SIZE_AT = 21;
const PARTS_AT = 25;
const SEPARATOR = Buffer.from([0xff]);

/** The searchable parts of a payload. */
export interface SearchParts {
  readonly type: Uint8Array;
  readonly tags: Uint8Array;
  readonly text: Uint8Array;
  readonly validUntilMillis: number | null;
}

/** What is stored for the scan: the parts of a record, or a tombstone without any. */
export interface SearchEntry {
  readonly revision: number;
  readonly parts: SearchParts | null;
}

/** The filters of a query in the same bytes. */
export interface SearchFilter {
  readonly text: Buffer | null;
  readonly type: Buffer | null;
  readonly tags: readonly Buffer[];
}

/** The searchable parts of a payload. */
export function searchPartsOf(payload: RecordPayload): SearchParts {
  const { primary, secondary, context } = payload.content;
  return {
    type: typeBytes(payload.episode_type),
    tags: payload.tags.length === 0 ? new Uint8Array(0) : separated(['', ...payload.tags, '']),
    text: separated([primary, secondary ?? '', context ?? ''].map(foldCase)),
    validUntilMillis: payload.valid_until_millis,
  };
}

/** Bytes to search for. */
export function searchFilterOf(wanted: {
  readonly text: string | null;
  readonly type: EpisodeType | null;
  readonly tags: readonly string[];
}): SearchFilter {
  const { text, type, tags } = wanted;
  return {
    text: text === null || text === '' ? null : Buffer.from(foldCase(text), 'utf8'),
    type: type === null ? null : typeBytes(type),
    tags: tags.map((tag) => separated(['', tag, ''])),
  };
}

/** An entry as it lies in the store, examined in place. */
export class StoredSearchEntry {
  readonly #bytes: Buffer;

  constructor(content: Uint8Array) {
    this.#bytes = asBuffer(content);
    if (content.length < PARTS_AT) throw new RangeError('A search entry is too short.');
  }

  /** Revision of the record that the entry was made with. */
  get revision(): number {
    return this.#bytes.readDoubleBE(REVISION_AT);
  }

  /** Whether the record is neither deleted nor expired. */
  isVisible(nowMs: number): boolean {
    const flags = this.#bytes[0] ?? DELETED;
    if ((flags & DELETED) !== 0) return false;
    return (flags & EXPIRES) === 0 || nowMs < this.#bytes.readDoubleBE(EXPIRY_AT);
  }

  /** Whether the record matches every part of a filter. */
  matches(filter: SearchFilter): boolean {
    const bytes = this.#bytes;
    const tagsAt = PARTS_AT + bytes.readUInt32BE(TYPE_SIZE_AT);
    const textAt = tagsAt + bytes.readUInt32BE(TAGS_SIZE_AT);
    return (
      (filter.text === null || bytes.includes(filter.text, textAt)) &&
      (filter.type === null || bytes.subarray(PARTS_AT, tagsAt).equals(filter.type)) &&
      filter.tags.every((tag) => bytes.subarray(tagsAt, textAt).includes(tag))
    );
  }
}

/** How search entries are stored. */
export const searchLayout: ValueLayout<SearchEntry, StoredSearchEntry> = {
  version: 1,
  encode: encodeEntry,
  decode: (content) => new StoredSearchEntry(content),
};

function encodeEntry({ revision, parts }: SearchEntry): Uint8Array {
  const { type, tags, text, validUntilMillis } = parts ?? TOMBSTONE;
  const bytes = Buffer.allocUnsafe(PARTS_AT + type.length + tags.length + text.length);
  bytes[0] = (parts === null ? DELETED : 0) | (validUntilMillis === null ? 0 : EXPIRES);
  bytes.writeDoubleBE(revision, REVISION_AT);
  bytes.writeDoubleBE(validUntilMillis ?? 0, EXPIRY_AT);
  bytes.writeUInt32BE(type.length, TYPE_SIZE_AT);
  bytes.writeUInt32BE(tags.length, TAGS_SIZE_AT);
  bytes.set(type, PARTS_AT);
  bytes.set(tags, PARTS_AT + type.length);
  bytes.set(text, PARTS_AT + type.length + tags.length);
  return bytes;
}

const NOTHING = new Uint8Array(0);
const TOMBSTONE: SearchParts = {
  type: NOTHING,
  tags: NOTHING,
  text: NOTHING,
  validUntilMillis: null,
};

function typeBytes(type: EpisodeType): Buffer {
  return typeof type === 'string' ? Buffer.from(type) : Buffer.from(`\u0001${type.Custom}`);
}

function separated(parts: readonly string[]): Buffer {
  const pieces = parts.flatMap((part) => [Buffer.from(part, 'utf8'), SEPARATOR]);
  return Buffer.concat(pieces.slice(0, -1));
}
