/** Bounds of what records state about their sources (docs/contract/lineage.md#lin-1). */

/** Most revisions that a record says it was derived from. */
export const SOURCES_MAX = 32;
/** Batches: most such revisions of all commands together. */
export const BATCH_SOURCES_MAX = 256;
/** Most records that one record supersedes. */
export const SUPERSEDED_MAX = 8;
/** Batches: most such records of all commands together. */
export const BATCH_SUPERSEDED_MAX = 256;
