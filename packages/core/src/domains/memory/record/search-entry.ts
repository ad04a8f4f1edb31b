/**
 * The searchable parts of a record, in bytes that can be searched without decoding: a short header,
 * the type, the tags and the folded texts. The byte FF, which UTF-8 never contains, separates the
 * parts, so no match spans two of them.
 */
import type { SearchFilter, WantedTerms } from '../../../kernel/ports/memory-scan.js';
import {
  compactSize,
  type ContentSpan,
  readCompact,
  type ValueLayout,
  writeCompact,
} from '../../../storage/store/value.js';
import { foldText } from '../text/fold-text.js';
import { BytePattern } from '../text/find-bytes.js';
import type { EpisodeType, RecordPayload } from '../documents/schema.js';

const DELETED = 1;
const EXPIRES = 2;
const TIME_BYTES = 8;
const SEPARATOR = 0xff;
/** Texts of an entry, each with a separator behind it. */
const TEXTS = 3;

/** The searchable parts of a payload. */
export interface SearchParts {
  readonly type: string;
  readonly tags: readonly string[];
  /** The texts, folded. */
  readonly texts: readonly string[];
  readonly validUntilMillis: number | null;
  readonly eventMillis: number;
}

/** A search entry before encoding. A tombstone has no parts. */
export interface SearchEntry {
  readonly revision: number;
  readonly parts: SearchParts | null;
}

/** Offsets of the parts of an entry among its bytes. Each part ends where the next one starts. */
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
    texts: [foldText(primary), foldText(secondary ?? ''), foldText(context ?? '')],
    validUntilMillis: payload.valid_until_millis,
    eventMillis: payload.event_time_millis,
  };
}

/** Returns the search entry of a revision as it is stored. */
export function searchEntryOf({
  revision,
  payload,
}: {
  readonly revision: number;
  readonly payload: RecordPayload | null;
}): StoredSearchEntry {
  const parts = payload === null ? null : searchPartsOf(payload);
  const bytes = encodeEntry({ revision, parts }, 0, 0);
  const content = { bytes, start: 0, end: bytes.length };
  return new StoredSearchEntry(content, headerOf(content));
}

/** Encodes the filters of a query. */
export function searchFilterOf(wanted: {
  readonly text: string | null;
  readonly type: EpisodeType | null;
  readonly tags: readonly string[];
  readonly terms?: WantedTerms | undefined;
}): SearchFilter {
  const { text, type, tags, terms } = wanted;
  return {
    text: text === null || text === '' ? null : new BytePattern(Buffer.from(foldText(text))),
    type: type === null ? null : Buffer.from(typeText(type), 'utf8'),
    tags: tags.map((tag) => new BytePattern(tagBytes(tag))),
    terms: terms ?? null,
  };
}

/** The header of a stored entry, and where its parts begin. */
interface Header {
  readonly revision: number;
  /** Infinite without an expiry. */
  readonly expiryMillis: number;
  readonly eventMillis: number;
  readonly typeSize: number;
  readonly tagsSize: number;
  readonly partsAt: number;
}

/** A stored entry, examined without decoding. */
export class StoredSearchEntry {
  /** Revision of the record when the entry was written. */
  readonly revision: number;
  /** 0 for a tombstone. */
  readonly eventMillis: number;
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;
  readonly #expiryMillis: number;
  readonly #typeAt: number;
  readonly #tagsAt: number;
  readonly #textsAt: number;

  constructor({ bytes, start, end }: ContentSpan, header: Header) {
    const { revision, expiryMillis, eventMillis, typeSize, tagsSize, partsAt } = header;
    if (partsAt + typeSize + tagsSize > end) throw new RangeError('A search entry is too short.');
    this.revision = revision;
    this.eventMillis = eventMillis;
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#expiryMillis = expiryMillis;
    this.#typeAt = partsAt;
    this.#tagsAt = partsAt + typeSize;
    this.#textsAt = this.#tagsAt + tagsSize;
  }

  /** Most bytes that a query examines. */
  get size(): number {
    return this.#end - this.#start;
  }

  /** When the record stops being visible: never is infinite, and so is deleted, below zero. */
  get visibleUntilMillis(): number {
    const flags = this.#bytes[this.#start] ?? DELETED;
    return (flags & DELETED) === 0 ? this.#expiryMillis : -Infinity;
  }

  /** Returns the same entry in bytes of its own. */
  copied(): StoredSearchEntry {
    const bytes = Buffer.from(this.#bytes.subarray(this.#start, this.#end));
    const header = {
      revision: this.revision,
      expiryMillis: this.#expiryMillis,
      eventMillis: this.eventMillis,
      typeSize: this.#tagsAt - this.#typeAt,
      tagsSize: this.#textsAt - this.#tagsAt,
      partsAt: this.#typeAt - this.#start,
    };
    return new StoredSearchEntry({ bytes, start: 0, end: bytes.length }, header);
  }

  /** Returns where the parts are. The bytes are on loan. */
  spans(): PartSpans {
    return {
      bytes: this.#bytes,
      typeAt: this.#typeAt,
      tagsAt: this.#tagsAt,
      textsAt: this.#textsAt,
      end: this.#end,
    };
  }

  /** Bytes of the folded texts together. */
  get textBytes(): number {
    return textBytesOf(this.#end - this.#textsAt);
  }

  /** Returns whether the record is neither deleted nor expired. */
  isVisible(nowMs: number): boolean {
    return nowMs < this.visibleUntilMillis;
  }

  /** The folded texts. */
  get texts(): readonly string[] {
    return textsIn(this.#bytes, this.#textsAt, this.#end);
  }

  /** Returns whether the record matches every part of a filter, except for its terms. */
  matches({ text, type, tags }: SearchFilter): boolean {
    const bytes = this.#bytes;
    return (
      (text === null || text.indexIn(bytes, this.#textsAt, this.#end) !== -1) &&
      (type === null || bytes.subarray(this.#typeAt, this.#tagsAt).equals(type)) &&
      tags.every((tag) => tag.indexIn(bytes, this.#tagsAt, this.#textsAt) !== -1)
    );
  }
}

/** Returns the folded texts of an entry, from where they are among other bytes. */
export function textsIn(bytes: Buffer, from: number, to: number): string[] {
  const texts: string[] = [];
  for (let start = from; start < to;) {
    const end = bytes.indexOf(SEPARATOR, start);
    texts.push(bytes.toString('utf8', start, end));
    start = end + 1;
  }
  return texts;
}

/** Returns the bytes of the texts of an entry alone, from those with their separators. */
export function textBytesOf(bytes: number): number {
  return Math.max(0, bytes - TEXTS);
}

/** Returns whether a search entry belongs to a tombstone. Does not verify it. */
export function isTombstone({ bytes, start }: ContentSpan): boolean {
  return ((bytes[start] ?? DELETED) & DELETED) !== 0;
}

/**
 * The stored form of search entries: flags, the numbers of the header as they need it, parts.
 * Another form of folded texts is another version.
 */
export const searchLayout: ValueLayout<SearchEntry, StoredSearchEntry> = {
  version: 4,
  encode: encodeEntry,
  decode: (content) => new StoredSearchEntry(content, headerOf(content)),
};

function headerOf({ bytes, start }: ContentSpan): Header {
  const expires = ((bytes[start] ?? 0) & EXPIRES) !== 0;
  let at = start + 1;
  const expiryMillis = expires ? bytes.readDoubleBE(at) : Infinity;
  if (expires) at += TIME_BYTES;
  const eventMillis = bytes.readDoubleBE(at);
  at += TIME_BYTES;
  const revision = readCompact(bytes, at);
  at += compactSize(revision);
  const typeSize = readCompact(bytes, at);
  at += compactSize(typeSize);
  const tagsSize = readCompact(bytes, at);
  return {
    revision,
    expiryMillis,
    eventMillis,
    typeSize,
    tagsSize,
    partsAt: at + compactSize(tagsSize),
  };
}

function encodeEntry({ revision, parts }: SearchEntry, before: number, behind: number): Buffer {
  const { type, tags, texts, validUntilMillis, eventMillis } = parts ?? TOMBSTONE;
  const typeSize = Buffer.byteLength(type, 'utf8');
  // A separator precedes the first tag and follows every part, so that only whole tags match.
  const tagsSize = tags.length === 0 ? 0 : sizeOf(tags) + 1;
  const sizes = compactSize(revision) + compactSize(typeSize) + compactSize(tagsSize);
  const times = TIME_BYTES * (validUntilMillis === null ? 1 : 2);
  const headerSize = 1 + times + sizes;
  const size = headerSize + typeSize + tagsSize + sizeOf(texts);
  const bytes = Buffer.allocUnsafe(before + size + behind);
  let at = before;
  bytes[at++] = (parts === null ? DELETED : 0) | (validUntilMillis === null ? 0 : EXPIRES);
  if (validUntilMillis !== null) at = bytes.writeDoubleBE(validUntilMillis, at);
  at = bytes.writeDoubleBE(eventMillis, at);
  at = writeCompact(bytes, at, revision);
  at = writeCompact(bytes, at, typeSize);
  at = writeCompact(bytes, at, tagsSize);
  at += bytes.write(type, at, 'utf8');
  if (tags.length > 0) bytes[at++] = SEPARATOR;
  for (const tag of tags) at = writePart(bytes, at, tag);
  for (const text of texts) at = writePart(bytes, at, text);
  return bytes;
}

const TOMBSTONE: SearchParts = {
  type: '',
  tags: [],
  texts: [],
  validUntilMillis: null,
  eventMillis: 0,
};

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
