/** Bounds of consumers (docs/contract/consumers.md#cns-8). */

/** Most consumers of a subject. */
export const CONSUMERS_OF_SUBJECT_MAX = 32;
/** Most consumers of a tenant. */
export const CONSUMERS_OF_TENANT_MAX = 256;
/** Longest lease, in seconds. */
export const LEASE_SECONDS_MAX = 3_600;
/** A lease that states no length, in seconds. */
export const LEASE_SECONDS_DEFAULT = 60;
