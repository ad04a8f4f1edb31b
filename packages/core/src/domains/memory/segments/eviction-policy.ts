/**
 * Decides which tenant gives up memory of the cache. It is always the one with the most, so a
 * tenant that takes less than an equal share of the whole loses nothing to the others.
 */

/** What a tenant has in the cache. */
export interface Share {
  readonly bytes: number;
}

/**
 * Returns the share that gives up memory so that `asking` can grow by some bytes. It is `asking`
 * itself if it would have as much as any other.
 */
export function shareToReduce<S extends Share>(shares: Iterable<S>, asking: S, bytes: number): S {
  let largest = asking;
  let most = asking.bytes + bytes;
  for (const share of shares) {
    if (share === asking || share.bytes <= most) continue;
    largest = share;
    most = share.bytes;
  }
  return largest;
}
