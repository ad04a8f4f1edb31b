/**
 * Formats log lines. Lines with flat fields, such as the line of every request, are concatenated
 * from texts; all others are serialized whole. Both ways give the same line.
 */
import { loggable, loggableText } from './loggable.js';

/** The members of every line. */
export interface LineHead {
  /** Unix milliseconds. */
  readonly timeMs: number;
  readonly level: string;
  readonly message: string;
}

/** Characters that end lines, hide text or reorder it, and that JSON does not escape. */
const HIDDEN = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Matches a text that is not its own JSON between quotes. */
const UNUSUAL = /["\\]|[^\x20-\x7e]/;

/** A name of a member that is neither redacted nor moved to the front, as numbers are. */
const FLAT_NAME = /^[a-z_]{1,19}$/;

const FLAT_MEMBERS_MAX = 16;

/** Members that fields cannot replace. */
const OWN_NAMES: ReadonlySet<string> = new Set(['time', 'level', 'message']);

/** Returns a line of JSON: the head, then the fields, which cannot replace it. */
export function formatLine(head: LineHead, fields?: object): string {
  return flatLine(head, fields) ?? anyLine(head, fields);
}

/** Returns a line whose fields are texts, finite numbers and booleans; `undefined` for others. */
export function flatLine(head: LineHead, fields: object = {}): string | undefined {
  if (Object.getPrototypeOf(fields) !== Object.prototype) return undefined;
  let line = `{"time":"${timeOf(head.timeMs)}","level":"${head.level}","message":`;
  line += quoted(head.message);
  const names = Object.keys(fields);
  if (names.length > FLAT_MEMBERS_MAX) return undefined;
  for (const name of names) {
    const value = (fields as Record<string, unknown>)[name];
    const text = flatValue(value);
    if (text === undefined || !FLAT_NAME.test(name) || OWN_NAMES.has(name)) return undefined;
    line += `,"${name}":${text}`;
  }
  return `${line}}\n`;
}

function flatValue(value: unknown): string | undefined {
  if (typeof value === 'string') return quoted(value);
  const isFlat = typeof value === 'boolean' || Number.isFinite(value);
  return isFlat ? String(value) : undefined;
}

/** Returns a text without secrets as JSON. */
function quoted(text: string): string {
  const shown = loggableText(text);
  return UNUSUAL.test(shown) ? escaped(JSON.stringify(shown)) : `"${shown}"`;
}

/** Returns a line with any fields. */
export function anyLine({ timeMs, level, message }: LineHead, fields?: object): string {
  const fixed = { time: timeOf(timeMs), level, message: loggableText(message) };
  const given = fields === undefined ? {} : loggable(fields);
  const isObject = typeof given === 'object' && !Array.isArray(given);
  const members = isObject ? given : { fields: given };
  // `fixed` comes first for the order of members, and last so that fields cannot replace it.
  return `${escaped(JSON.stringify({ ...fixed, ...members, ...fixed }))}\n`;
}

let last = { second: Number.NaN, text: '' };

/** Returns a time as RFC 3339 text. Many lines have the same second. */
function timeOf(timeMs: number): string {
  const second = Math.floor(timeMs / 1_000);
  if (second !== last.second) {
    last = { second, text: new Date(second * 1_000).toISOString().slice(0, -'000Z'.length) };
  }
  const millis = String(Math.floor(timeMs - second * 1_000)).padStart(3, '0');
  return `${last.text}${millis}Z`;
}

function escaped(json: string): string {
  return json.replaceAll(HIDDEN, escapeOf);
}

/** Returns the JSON escape of a character, unit by unit. */
function escapeOf(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
