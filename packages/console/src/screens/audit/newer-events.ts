/** Puts newer events before those that are shown. */
import type { AuditEvent } from './audit-names.js';

/** Events, newest first, and the cursor that leads to the next older ones. */
export interface ShownEvents {
  readonly events: readonly AuditEvent[];
  readonly cursor: string | null;
  /** How many of them came after the first page. */
  readonly arrived: number;
}

/**
 * Returns the events with those of the newest page before them. If the page has none of them, there
 * may be others between, so the page takes their place.
 */
export function withNewer(shown: ShownEvents, newest: ShownEvents): ShownEvents {
  const known = new Set(shown.events.map((each) => each.event_id));
  const fresh = newest.events.filter((each) => !known.has(each.event_id));
  if (fresh.length === 0) return shown;
  const arrived = shown.arrived + fresh.length;
  const isJoined = fresh.length < newest.events.length || newest.cursor === null;
  const joined = isJoined ? { ...shown, events: [...fresh, ...shown.events] } : newest;
  return { ...joined, arrived };
}
