/**
 * The searchable parts of a record, in bytes that can be searched without decoding: a short header,
 * the type, the tags and the folded texts. The byte FF, which UTF-8 never contains, separates the
 * parts, so no match spans two of them.
 */
import type { SearchFilter } from '../runtime/ports/memory-scan.js';
import type { ContentSpan, ValueLayout } from '../storage/store/value.js';
import { foldCase } from './case-fold.js';
import { BytePattern } from './find-bytes.js';
import type { EpisodeType, RecordPayload } from './schema.js';

const DELETED = 1;
const EXPIRES = 2;
const REVISION_AT = 1;
const EXPIRY_AT = 9;
const TYPE_SIZE_AT = 17;
const TAGS_SIZE_AT = 21;
const PARTS_AT = 25;
const SEPARATOR = 0xff;

/** The searchable parts of a payload. */
export interface SearchParts {
  readonly type: string;
  readonly tags: readonly string[];
  /** The texts, case-folded. */
  readonly texts: readonly string[];
  readonly validUntilMillis: number | null;
}

/** A search entry before encoding. A tombstone has no parts. */
export interface SearchEntry {
  readonly revision: number;
  readonly parts: SearchParts | null;
}

/** The places of the parts of an entry among its bytes, each up to the next one. */
export interface PartSpans {
  readonly bytes: Buffer;
  readonly typeAt: number;
  /** The tags, each between two separators. */
  readonly tagsAt: number;
  /** The folded texts, each followed by a separator. */
  readonly textsAt: number;
  readonly end: number;
}

/** Returns the searchable parts of a payload. */
export function searchPartsOf(payload: RecordPayload): SearchParts {
  const { primary, secondary, context } = payload.content;
  return {
    type: typeText(payload.episode_type),
    tags: payload.tags,
    texts: [foldCase(primary), foldCase(secondary ?? ''), foldCase(context ?? '')],
    validUntilMillis: payload.valid_until_millis,
  };
}

/** Encodes the filters of a query. */
export function searchFilterOf(wanted: {
  readonly text: string | null;
  readonly type: EpisodeType | null;
  readonly tags: readonly string[];
}): SearchFilter {
  const { text, type, tags } = wanted;
  return {
    text: text === null || text === '' ? null : new BytePattern(Buffer.from(foldCase(text))),
    type: type === null ? null : Buffer.from(typeText(type), 'utf8'),
    tags: tags.map((tag) => new BytePattern(tagBytes(tag))),
  };
}

/** A stored entry, examined without decoding. */
export class StoredSearchEntry {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;

  constructor({ bytes, start, end }: ContentSpan) {
    if (end - start < PARTS_AT) throw new RangeError('A search entry is too short.');
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  /** Revision of the record when the entry was written. */
  get revision(): number {
    return this.#bytes.readDoubleBE(this.#start + REVISION_AT);
  }

  /** Most bytes that a query examines. */
  get size(): number {
    return this.#end - this.#start;
  }

  /** When the record stops being visible: never is infinite, and so is deleted, below zero. */
  get visibleUntilMillis(): number {
    const flags = this.#bytes[this.#start] ?? DELETED;
    if ((flags & DELETED) !== 0) return -Infinity;
    return (flags & EXPIRES) === 0 ? Infinity : this.#bytes.readDoubleBE(this.#start + EXPIRY_AT);
  }

  /** Returns where the parts are. The bytes are on loan. */
  spans(): PartSpans {
    const bytes = this.#bytes;
    const typeAt = this.#start + PARTS_AT;
    const tagsAt = typeAt + bytes.readUInt32BE(this.#start + TYPE_SIZE_AT);
    const textsAt = tagsAt + bytes.readUInt32BE(this.#start + TAGS_SIZE_AT);
    return { bytes, typeAt, tagsAt, textsAt, end: this.#end };
  }

  /** Returns whether the record is neither deleted nor expired. */
  isVisible(nowMs: number): boolean {
    return nowMs < this.visibleUntilMillis;
  }

  /** Returns whether the record matches every part of a filter. */
  matches({ text, type, tags }: SearchFilter): boolean {
    const bytes = this.#bytes;
    const typeAt = this.#start + PARTS_AT;
    const tagsAt = typeAt + bytes.readUInt32BE(this.#start + TYPE_SIZE_AT);
    const textsAt = tagsAt + bytes.readUInt32BE(this.#start + TAGS_SIZE_AT);
    return (
      (text === null || text.indexIn(bytes, textsAt, this.#end) !== -1) &&
      (type === null || bytes.subarray(typeAt, tagsAt).equals(type)) &&
      tags.every((tag) => tag.indexIn(bytes, tagsAt, textsAt) !== -1)
    );
  }
}

/** Returns whether a search entry is that of a tombstone, without verifying it. */
export function isTombstone({ bytes, start }: ContentSpan): boolean {
  return ((bytes[start] ?? DELETED) & DELETED) !== 0;
}

/** The stored form of search entries. */
export const searchLayout: ValueLayout<SearchEntry, StoredSearchEntry> = {
  version: 1,
  encode: encodeEntry,
  decode: (content) => new StoredSearchEntry(content),
};

function encodeEntry({ revision, parts }: SearchEntry, before: number, behind: number): Buffer {
  const { type, tags, texts, validUntilMillis } = parts ?? TOMBSTONE;
  const typeSize = Buffer.byteLength(type, 'utf8');
  // A separator precedes the first tag and follows every part, so that only whole tags match.
  const tagsSize = tags.length === 0 ? 0 : sizeOf(tags) + 1;
  const size = PARTS_AT + typeSize + tagsSize + sizeOf(texts);
  const bytes = Buffer.allocUnsafe(before + size + behind);
  bytes[before] = (parts === null ? DELETED : 0) | (validUntilMillis === null ? 0 : EXPIRES);
  bytes.writeDoubleBE(revision, before + REVISION_AT);
  bytes.writeDoubleBE(validUntilMillis ?? 0, before + EXPIRY_AT);
  bytes.writeUInt32BE(typeSize, before + TYPE_SIZE_AT);
  bytes.writeUInt32BE(tagsSize, before + TAGS_SIZE_AT);
  let at = before + PARTS_AT;
  at += bytes.write(type, at, 'utf8');
  if (tags.length > 0) bytes[at++] = SEPARATOR;
  for (const tag of tags) at = writePart(bytes, at, tag);
  for (const text of texts) at = writePart(bytes, at, text);
  return bytes;
}

const TOMBSTONE: SearchParts = { type: '', tags: [], texts: [], validUntilMillis: null };

/** Returns the size of some parts, each with its separator. */
function sizeOf(parts: readonly string[]): number {
  return parts.reduce((size, part) => size + Buffer.byteLength(part, 'utf8') + 1, 0);
}

function writePart(bytes: Buffer, at: number, part: string): number {
  const end = at + bytes.write(part, at, 'utf8');
  bytes[end] = SEPARATOR;
  return end + 1;
}

/** Encodes a tag with its separators. */
function tagBytes(tag: string): Buffer {
  const bytes = Buffer.alloc(Buffer.byteLength(tag, 'utf8') + 2, SEPARATOR);
  bytes.write(tag, 1, 'utf8');
  return bytes;
}

/** Returns a type as text. Custom types start with a character that no other type has. */
function typeText(type: EpisodeType): string {
  return typeof type === 'string' ? type : `\u0001${type.Custom}`;
}
