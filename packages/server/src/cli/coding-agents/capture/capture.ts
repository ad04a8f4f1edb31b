/**
 * Captures a text: into the spool first, then into what its session said and the log of the day.
 */
import { type AgentsFolder } from '../state/agents-folder.js';
import { addToDay } from '../state/day-log.js';
import { addSeen, digestOfSaid, seenIn } from '../state/session-log.js';
import { type Captured, keyOf, putInSpool } from './spool.js';

/**
 * Captures a text, unless the same one of the same turn was captured already. It must be
 * `storable`.
 * @throws {Error} when it can't be written.
 */
export function capture(folder: AgentsFolder, captured: Captured): void {
  const { project, host, session, source: of, text, atMillis } = captured;
  const key = keyOf(captured);
  if (seenIn(folder.sessions, session).has(key)) return;
  putInSpool(folder.spool, captured);
  addSeen(folder.sessions, session, [key, digestOfSaid(text)]);
  addToDay(folder.days, [{ what: 'captured', project, host, session, of, text, atMillis }]);
}
