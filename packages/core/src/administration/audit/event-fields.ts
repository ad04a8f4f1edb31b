/** The members of stored audit events. Links cover their JSON, so the order never changes. */
import type { AuditDraft } from '../../runtime/audit/audit.js';
import { eventMetadata, eventText, eventTextOrNull, eventUserAgent } from './event-text.js';

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

function cleaned<M extends EventMember>(draft: AuditDraft, member: M): AuditDraft[M] {
  return cleaners[member](draft[member]);
}
