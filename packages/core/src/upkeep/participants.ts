/**
 * The participants of every transaction of a keep, in order. Each one settles what the body and the
 * earlier participants wrote and noted; the later ones see its writes.
 */
import type { Participant } from '../storage/store/participant.js';

/**
 * The order, and why it is so:
 *
 * 1. `remembered` lets bodies find decoded values until they write. Those behind it write what no
 *    body reads again, and read what is stored.
 * 2. `audit` stores the events that the body noted. Events take storage and are counted, so they
 *    come before what measures and counts.
 * 3. `quota` measures what the body and its events store, refuses what is too much, and removes new
 *    entries that can be spared. The numbers behind it belong to no tenant, so nothing is missed.
 * 4. `counts` counts what the body and all others noted.
 * 5. `told` wakes work in the background after the commit. It reads and writes nothing.
 */
export const participantOrder = ['remembered', 'audit', 'quota', 'counts', 'told'] as const;

/** A participant of a keep, by name. Add a new one to {@link participantOrder}. */
export type ParticipantName = (typeof participantOrder)[number];

/** Returns the participants in their order. */
export function inOrder(named: Readonly<Record<ParticipantName, Participant>>): Participant[] {
  return participantOrder.map((name) => named[name]);
}
