/** Limits of proofs of keys (docs/contract/key-credentials.md#kcr-7). */

/** Characters of a proof. */
export const KEY_PROOF_CHARS_MAX = 4_096;
/** Milliseconds that the time of a proof may differ from that of the server. */
export const KEY_PROOF_SKEW_MS = 300_000;
/** Milliseconds that a nonce counts. */
export const KEY_NONCE_MS = 300_000;
/** Most proofs with one nonce. */
export const KEY_PROOFS_OF_NONCE_MAX = 4_096;
/** Most credentials of which a server remembers proofs. */
export const KEY_PROOF_CREDENTIALS_MAX = 16_384;
