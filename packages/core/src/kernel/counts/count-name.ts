/** Names under which entries are counted. */

/** The kinds of entries that are counted as long as they are stored. */
export const counters = [
  'tenants',
  'credentials',
  'accounts',
  'memory_records',
  'receipts',
  'audit_events',
] as const;

/** A kind of entry that is counted as long as it is stored. */
export type Counter = (typeof counters)[number];

/** Sessions that end with a second, given in Unix seconds. */
export type SessionCounter = `sessions@${number}`;

/** The name of one number. */
export type CountName = Counter | SessionCounter;

const SESSIONS = 'sessions@';

/**
 * Returns the name under which a session is counted. Its end is rounded up to a second, so that
 * there are never more names than seconds in the life of a session.
 */
export function sessionCounter(endsAtMillis: number): SessionCounter {
  return `sessions@${Math.ceil(endsAtMillis / 1_000)}`;
}

/** Returns whether a name counts sessions. */
export function countsSessions(name: CountName): name is SessionCounter {
  return name.startsWith(SESSIONS);
}

/** Returns whether the entries under a name have expired. */
export function isEnded(name: CountName, nowMs: number): boolean {
  return countsSessions(name) && 1_000 * Number(name.slice(SESSIONS.length)) <= nowMs;
}
