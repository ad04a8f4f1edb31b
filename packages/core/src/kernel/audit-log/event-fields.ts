/** The members of stored audit events. Links cover their JSON, so the order never changes. */
import { escapedText } from '../../contract/schema/escaped-text.js';
import type { JsonValue } from '../../contract/schema/json-value.js';
import type { AuditDraft, AuditMetadata } from '../audit/audit.js';

/** Longest stored user agent, in UTF-8 bytes. */
const USER_AGENT_BYTES_MAX = 256;

/** Longest other text, in UTF-8 bytes: a 256-byte name with every byte escaped fits. */
const TEXT_BYTES_MAX = 1_536;

/** Texts without a secret: a UUID, also after a kind, or plain and shorter than any secret. */
const PLAIN = /^(?:[\w/:. -]{0,19}|(?:[a-z]{1,19}:)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

/**
 * Returns a text as events store it. Equal texts stay equal, so filters are cleaned in the same
 * way.
 */
export function eventText(text: string): string {
  return PLAIN.test(text) ? text : cut(escapedText(text), TEXT_BYTES_MAX);
}

/** Like {@link eventText}, for a text that may be absent. */
function eventTextOrNull(text: string | null): string | null {
  return text === null ? null : eventText(text);
}

/** Returns a user agent as events store it. */
function eventUserAgent(text: string | null): string | null {
  return text === null ? null : cut(eventText(text), USER_AGENT_BYTES_MAX);
}

function eventValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return eventText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(eventValue);
  return eventMetadata(value);
}

/** Returns the members of an object as events store them. */
function eventMetadata(members: AuditMetadata): Record<string, JsonValue> {
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

/**
 * A member of stored events. The key of an event implies its tenant and quota, and the time of
 * noticing isn't stored.
 */
export type EventMember = Exclude<keyof AuditDraft, 'tenantId' | 'noticedAtMillis' | 'isRoutine'>;

/** The values of a stored event, in the order of its members. */
export type EventFields = readonly unknown[];

type Cleaners = { readonly [M in EventMember]: (value: AuditDraft[M]) => AuditDraft[M] };

const asItIs = <T>(value: T): T => value;

/** How each member is cleaned, in the order in which they are stored. */
const cleaners: Cleaners = {
  id: asItIs,
  type: asItIs,
  atMillis: asItIs,
  userId: asItIs,
  username: eventTextOrNull,
  action: eventText,
  resource: eventText,
  result: asItIs,
  ipAddress: eventTextOrNull,
  userAgent: eventUserAgent,
  metadata: eventMetadata,
};

const members = Object.keys(cleaners) as readonly EventMember[];
const indexes = Object.fromEntries(members.map((member, index) => [member, index])) as Readonly<
  Record<EventMember, number>
>;

/** Cleans an event for storage. */
export function fieldsOf(draft: AuditDraft): EventFields {
  return members.map((member) => cleaned(draft, member));
}

/** Returns an event with cleaned members, whose size is bounded. */
export function cleanedDraft(draft: AuditDraft): AuditDraft {
  const values = members.map((member) => [member, cleaned(draft, member)] as const);
  return { ...draft, ...Object.fromEntries(values) };
}

/** Returns a member of a stored event. */
export function memberOf<M extends EventMember>(fields: EventFields, member: M): AuditDraft[M] {
  return fields[indexes[member]] as AuditDraft[M];
}

/** Members that can name somebody in a text. */
const naming: ReadonlySet<EventMember> = new Set(['username', 'resource', 'metadata']);

/** Returns what a text becomes that a member has: one of the event, or of its metadata. */
export type MapText = (text: string, member: string) => string;

/**
 * Returns an event with the texts mapped that can name somebody, and with some members null; the
 * same event if nothing differs.
 */
export function mappedFields(
  fields: EventFields,
  map: MapText,
  without: readonly ('ipAddress' | 'userAgent')[],
): EventFields {
  const after = fields.map((value, index) => {
    const member = members[index];
    if (member === 'ipAddress' || member === 'userAgent') {
      return without.includes(member) ? null : value;
    }
    return member !== undefined && naming.has(member) ? mapped(value, member, map) : value;
  });
  const isSame = JSON.stringify(after) === JSON.stringify(fields);
  return isSame ? fields : after;
}

function mapped(value: unknown, member: string, map: MapText): unknown {
  if (typeof value === 'string') return map(value, member);
  if (Array.isArray(value)) return value.map((each) => mapped(each, member, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapped(each, name, map)]),
  );
}

function cleaned<M extends EventMember>(draft: AuditDraft, member: M): AuditDraft[M] {
  return cleaners[member](draft[member]);
}
