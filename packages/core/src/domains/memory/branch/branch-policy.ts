/** Bounds of branches, and what decides whether another one may be made. */

/** Capabilities of which one is enough to write in branches. */
export const WRITING_IN_BRANCHES = ['memory_write', 'memory_propose'] as const;

/** Live branches of a tenant. */
const BRANCHES_MAX = 256;
/** Stored branches of a tenant: live ones, and ended ones that are not yet removed. */
export const STORED_BRANCHES_MAX = 2 * BRANCHES_MAX;
/** Live branches of one subject, so that none takes the places of all. */
const BRANCHES_OF_SUBJECT_MAX = 64;
/** Live branches over one scope, which for a private one is that of its subject. */
const BRANCHES_OF_SCOPE_MAX = 32;
/** Branches of a tenant that ended before their time, which are remembered until then. */
export const ENDED_BRANCHES_MAX = 16_384;
/** Seconds that a branch lives at most. */
export const BRANCH_SECONDS_MAX = 7_776_000;
/** Seconds that a branch lives that states no end. */
export const BRANCH_SECONDS_DEFAULT = 604_800;

/** A live branch, as far as it counts: over which of the wanted scopes it is. */
export interface CountedBranch {
  readonly name: string;
  readonly subjectId: string;
  /** Indexes of the wanted scopes. */
  readonly over: readonly number[];
}

/** A branch to be made. */
export interface WantedBranch {
  readonly name: string;
  readonly subjectId: string;
  /** Number of its scopes. */
  readonly scopes: number;
  /** Branches of the tenant that are stored, ended or not. */
  readonly stored: number;
}

/** Decides on another branch beside the live ones of a tenant. */
export function decideBranch(
  live: readonly CountedBranch[],
  wanted: WantedBranch,
): 'made' | 'name_taken' | 'too_many' {
  const isTaken = live.some(
    ({ name, subjectId }) => name === wanted.name && subjectId === wanted.subjectId,
  );
  if (isTaken) return 'name_taken';
  const counts = Array.from({ length: wanted.scopes }, () => 0);
  for (const { over } of live) for (const at of over) counts[at] = (counts[at] ?? 0) + 1;
  const own = live.filter(({ subjectId }) => subjectId === wanted.subjectId);
  const isStoreFull = live.length >= BRANCHES_MAX || wanted.stored >= STORED_BRANCHES_MAX;
  const isSubjectFull = own.length >= BRANCHES_OF_SUBJECT_MAX;
  const isFull = isStoreFull || isSubjectFull || Math.max(0, ...counts) >= BRANCHES_OF_SCOPE_MAX;
  return isFull ? 'too_many' : 'made';
}
