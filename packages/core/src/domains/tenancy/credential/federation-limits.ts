/** Limits of federation (docs/contract/federation.md). */

/** Longest assertion of an issuer, in characters. */
export const ASSERTION_CHARS_MAX = 16_384;
/** Longest body that has an assertion, in bytes. */
export const FEDERATED_DOCUMENT_BYTES_MAX = 17_408;
/** Longest lifetime of a token in seconds. */
export const FEDERATED_TOKEN_SECONDS_MAX = 3_600;
/** Most claims that one rule matches. */
export const FEDERATION_CLAIMS_MAX = 16;
/** Most steps from the claims to the value that a rule reads. */
export const CLAIM_PATH_STEPS_MAX = 4;
/** Most keys that are read of one issuer. */
export const ISSUER_KEYS_MAX = 32;
