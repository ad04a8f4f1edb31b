/** Decides who may go on with work that one worker at a time does. */

/** Who works, and until when nobody else may take over. */
export interface Lease {
  readonly holder: string;
  readonly untilMillis: number;
}

/** Returns whether another holder has a lease that has not ended. */
export function isHeldByAnother(
  lease: Lease | null,
  holder: string,
  nowMs: number,
): lease is Lease {
  return lease !== null && lease.holder !== holder && nowMs < lease.untilMillis;
}
