/** Cleans texts for audit events: no secrets, no control characters, bounded length. */
import type { AuditMetadata } from '../audit/audit.js';
import { escapedText } from '../../contract/schema/escaped-text.js';
import type { JsonValue } from '../../contract/schema/json-value.js';

/** Longest stored user agent, in UTF-8 bytes. */
const USER_AGENT_BYTES_MAX = 256;

/** Longest other text, in UTF-8 bytes: a 256-byte name with every byte escaped fits. */
const TEXT_BYTES_MAX = 1_536;

/** Texts that can't hold a secret: an id, or plain and shorter than any secret. */
const PLAIN = /^(?:[\w/:. -]{0,19}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

const REMEMBERED_MAX = 512;
const remembered = new Map<string, string>();

/**
 * Returns a text as events store it. Equal texts stay equal, so filters are cleaned in the same
 * way.
 */
export function eventText(text: string): string {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  if (PLAIN.test(text)) return text;
  const cleaned = cut(escapedText(text), TEXT_BYTES_MAX);
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  if (text.length <= TEXT_BYTES_MAX) remembered.set(text, cleaned);
  return cleaned;
}

/** Like {@link eventText}, for a text that may be absent. */
export function eventTextOrNull(text: string | null): string | null {
  return text === null ? null : eventText(text);
}

/** Returns a user agent as events store it. */
export function eventUserAgent(text: string | null): string | null {
  return text === null ? null : cut(eventText(text), USER_AGENT_BYTES_MAX);
}

function eventValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return eventText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(eventValue);
  return eventMetadata(value);
}

/** Returns the members of an object as events store them. */
export function eventMetadata(members: AuditMetadata): Record<string, JsonValue> {
  const cleaned: Record<string, JsonValue> = {};
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value !== undefined) cleaned[eventText(name)] = eventValue(value);
  }
  return cleaned;
}

/** Cuts a text to a number of bytes, without splitting a character. */
function cut(text: string, bytesMax: number): string {
  if (text.length <= bytesMax / 3) return text;
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= bytesMax) return text;
  let end = bytesMax;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
