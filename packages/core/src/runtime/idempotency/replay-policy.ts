/** Decides what an idempotency key means: a pure rule over the receipt that is stored under it. */

/** The fingerprint that a receipt has of its command. */
export interface Fingerprinted {
  /** Digest of the command in normal form. */
  readonly fingerprint: string;
}

/** The decision on a command. */
export type ReplayDecision<R> =
  | { readonly type: 'fresh' }
  | { readonly type: 'replay'; readonly receipt: R }
  | { readonly type: 'conflict' };

/** An unused key is fresh; the same command replays its receipt; another one conflicts. */
export function decideReplay<R extends Fingerprinted>(
  receipt: R | undefined,
  fingerprint: string,
): ReplayDecision<R> {
  if (receipt === undefined) return { type: 'fresh' };
  return receipt.fingerprint === fingerprint ? { type: 'replay', receipt } : { type: 'conflict' };
}
