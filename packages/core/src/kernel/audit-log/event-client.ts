/** Decides which events count as repeats of one another. */
import type { AuditDraft } from '../audit/audit.js';

const GROUPS = 8;
/**
 * Groups of an IPv6 address that one network shares. Its clients choose the other groups freely.
 */
const NETWORK_GROUPS = 4;

/** Returns the kind of an event. */
export function kindOf({ type, action, result }: AuditDraft): string {
  return JSON.stringify([type, action, result]);
}

/**
 * Returns the client and kind of an event: the authenticated caller, or else the address. Events
 * with different keys, sessions, refused names, errors or reasons are not repeats.
 */
export function repeatKeyOf(draft: AuditDraft): string {
  const { userId, ipAddress, metadata } = draft;
  const client = userId ?? (ipAddress === null ? null : networkOf(ipAddress));
  const { key_id: key, session_id: session, attempted_username: name, error, reason } = metadata;
  const what = [key, session, name, error, reason].map((value) => value ?? null);
  return JSON.stringify([kindOf(draft), client, ...what]);
}

/** Returns an IPv4 address as it is, and the first 64 bits of an IPv6 address. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [before = '', after] = address.split('::');
  const [left, right] = [before, after ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const known = [...(left ?? [])];
  while (known.length + (right?.length ?? 0) < GROUPS) known.push('0');
  return [...known, ...(right ?? [])].slice(0, NETWORK_GROUPS).join(':');
}
