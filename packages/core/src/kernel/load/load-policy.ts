/** Decides whether a heavy call may begin, given the heavy calls of its party, tenant and all. */

/** The bounds of one group of callers. */
export interface LoadBounds {
  /** Heavy calls that wait or work. */
  readonly calls: number;
  /** Heavy calls that work. */
  readonly working: number;
}

/** The calls that a group of callers has in flight; the same measures as {@link LoadBounds}. */
export type Load = { -readonly [K in keyof LoadBounds]: LoadBounds[K] };

/** A group of callers with its bounds. */
export interface BoundedLoad {
  readonly load: Readonly<Load>;
  readonly bounds: LoadBounds;
}

/** Returns whether one more call may be in flight. A call that may not is refused. */
export function mayEnter(groups: readonly BoundedLoad[]): boolean {
  return groups.every(({ load, bounds }) => load.calls < bounds.calls);
}

/** Returns whether one more call may work. A call that may not waits. */
export function mayWork(groups: readonly BoundedLoad[]): boolean {
  return groups.every(({ load, bounds }) => load.working < bounds.working);
}
