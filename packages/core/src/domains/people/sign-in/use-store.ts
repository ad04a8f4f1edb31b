/**
 * What issuers vouched for that counts once: sign-ins and logouts. Entries are kept until they have
 * ended by the clocks of all servers, and each new one removes some that have.
 */
import { sha256 } from '../../../contract/digest.js';
import { CLOCK_SKEW_MAX_MS } from '../../../contract/limits.js';
import type { Clock } from '../../../kernel/ports/clock.js';
import { defineFamily } from '../../../storage/store/family.js';
import { jsonLayout } from '../../../storage/store/fields.js';
import type { WriteTx } from '../../../storage/store/store.js';

/** What issuers said that counts once: when it ends, in Unix milliseconds, its digest. */
export const signInUses = defineFamily({
  name: 'signInUses',
  number: 103,
  key: ['integer', 'digest'],
  layout: jsonLayout<number>(1),
  sealedBy: null,
  owner: 'value',
  exported: { not: 'working' },
  erased: 'expires',
  counts: null,
});

/** Ended entries that a new one removes. More than one, so that their number falls. */
const REMOVED_MAX = 8;

/** A statement that counts once. */
export interface SingleUse {
  readonly authority: string;
  /** What tells it from all others. */
  readonly name: readonly string[];
  /** When it ends by itself, in Unix milliseconds. */
  readonly endsAtMillis: number;
}

/**
 * Marks a statement as used. Returns why it doesn't count, or `undefined` if it does. Whether it
 * has ended is judged by the clock here: by the time of the call, a statement may still count whose
 * entry was removed. Removals use the time of the call, so that a store that runs the body again on
 * what it fetched is asked for the same range.
 */
export function useOnce(
  tx: WriteTx,
  { authority, name, endsAtMillis }: SingleUse,
  { clock, calledAtMs }: { readonly clock: Clock; readonly calledAtMs: number },
): 'expired' | 'replayed' | undefined {
  if (endsAtMillis <= clock.now()) return 'expired';
  const digest = sha256(JSON.stringify(name));
  if (signInUses.has(tx, authority, endsAtMillis, digest)) return 'replayed';
  const before = calledAtMs - CLOCK_SKEW_MAX_MS;
  const span = { prefix: [] as [], before: [before] as [number], limit: REMOVED_MAX };
  // No call may touch the store while a range is open, so collect first.
  const ended = Array.from(signInUses.entries(tx, authority, span), ({ key }) => Buffer.from(key));
  for (const key of ended) tx.remove(key);
  signInUses.put(tx, endsAtMillis, authority, endsAtMillis, digest);
  return undefined;
}
