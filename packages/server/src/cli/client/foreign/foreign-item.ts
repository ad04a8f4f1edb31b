/** What formats of other projects have in common: items that become records. */
import type { RecordInput } from '@agentkeep/client';
import { cutText } from '@agentkeep/core/clients';
import { sha256 } from '@agentkeep/core/store';

/** An item of another project's memory. */
export interface ForeignItem {
  /**
   * The same for the same item of a later file, so that the record is replaced; absent if the file
   * has none.
   */
  readonly name?: string;
  readonly record: RecordInput;
}

/** A part of a file. */
export type ForeignPart =
  /** An item, and where it stands. */
  | { readonly place: string; readonly item: ForeignItem }
  /** An item that can't be a record, and why. */
  | { readonly place: string; readonly reason: string }
  /** What an importer doesn't take, by its plural. */
  | { readonly leftOut: string };

/** A JSON object, of which nothing is known. */
export type Members = Readonly<Record<string, unknown>>;

/** Longest name of a record, in UTF-8 bytes. */
const NAME_BYTES_MAX = 512;
/** Characters of a longer name that stay readable. */
const SHOWN_CHARS_MAX = 100;

/** Returns a value as an object; an empty one if it isn't any. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : {};
}

/** Returns a value as a list; an empty one if it isn't any. */
export function elementsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the first of some values that is a text which isn't blank. */
export function textOf(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '');
}

/** Returns tags: of a list, or of a text with commas between them. */
export function tagsIn(value: unknown): string[] {
  const all = typeof value === 'string' ? value.split(',') : elementsOf(value).map(shownText);
  return all.map((tag) => tag.trim()).filter((tag) => tag !== '');
}

/** Returns a value as a text: a text as it is, another value as JSON. */
export function shownText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Returns a name of a record from texts that identify an item. One that would be too long ends with
 * a digest.
 */
export function nameFrom(...parts: readonly string[]): string {
  const name = parts.map((part) => part.replaceAll(/\p{Cc}/gu, ' ')).join('/');
  const isChanged = name !== parts.join('/');
  if (!isChanged && Buffer.byteLength(name, 'utf8') <= NAME_BYTES_MAX) return name;
  return `${cutText(name, SHOWN_CHARS_MAX)}-${digestOf(parts)}`;
}

/** Returns a digest of JSON, for names. */
export function digestOf(value: unknown): string {
  return Buffer.from(sha256(JSON.stringify(value)))
    .toString('hex')
    .slice(0, 32);
}

/**
 * Returns an item, or why there is none. A reader throws a `TypeError` for what isn't of its
 * format.
 */
export function partAt(place: string, read: () => ForeignItem): ForeignPart {
  try {
    return { place, item: read() };
  } catch (cause) {
    if (!(cause instanceof TypeError) && !(cause instanceof SyntaxError)) throw cause;
    return { place, reason: cause.message };
  }
}

/** What a message came from, by the role of its speaker as other programs name it. */
const SOURCES: Readonly<Record<string, RecordInput['source']>> = {
  user: 'user',
  human: 'user',
  assistant: 'model',
  ai: 'model',
  tool: 'tool',
  function: 'tool',
};

/** Returns what a message of a role came from; nothing for a role that is none of these. */
export function sourceOfRole(role: string): Pick<RecordInput, 'source'> {
  const source = Object.hasOwn(SOURCES, role) ? SOURCES[role] : undefined;
  return source === undefined ? {} : { source };
}
