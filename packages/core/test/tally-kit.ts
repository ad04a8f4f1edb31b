/** Opens tallies with the store that they take part in. */
import { families } from '../src/domains.js';
import type { EntryTally, TallyParts } from '../src/kernel/counts/counts.js';
import { withParticipants } from '../src/storage/store/participant.js';
import type { Transactions } from '../src/storage/store/store.js';

/** A tally; `followed` returns the store whose changes it counts. */
export type FollowedTally<T extends EntryTally = EntryTally> = T & { followed(): Transactions };

/** Opens a tally with its store. */
export async function openFollowed<T extends EntryTally>(
  kind: { open(parts: TallyParts): Promise<T> },
  parts: Omit<TallyParts, 'families'>,
): Promise<FollowedTally<T>> {
  const tally = await kind.open({ ...parts, families });
  return Object.assign(tally, { followed: () => withParticipants(parts.store, [tally]) });
}
