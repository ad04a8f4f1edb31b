/** Bounds of sign-ins (docs/contract/openid.md). */

/** Most issuers of an authority. */
export const SIGN_IN_ISSUERS_MAX = 16;
/** Most rules of an issuer. */
export const SIGN_IN_RULES_MAX = 32;
/** Most claims that one rule compares. */
export const SIGN_IN_CLAIMS_MAX = 16;
/** Most links of an account. */
export const SIGN_IN_LINKS_MAX = 8;
/** Longest secret of a client, in UTF-8 bytes. */
export const CLIENT_SECRET_BYTES_MAX = 1_024;
/** Longest `sub` and `sid`, in UTF-8 bytes. */
export const ISSUER_NAME_BYTES_MAX = 255;
/** How long a sign-in may take, in milliseconds. */
export const SIGN_IN_MS = 600_000;
/** Longest text that a caller keeps of a sign-in. */
export const ATTEMPT_CHARS_MAX = 8_192;
/** Longest query of a redirect. */
export const CALLBACK_CHARS_MAX = 8_192;
/** Longest logout token. */
export const LOGOUT_TOKEN_CHARS_MAX = 16_384;
/** Longest time that a logout token lives after it is received, in milliseconds. */
export const LOGOUT_TOKEN_MS_MAX = 86_400_000;
/** Longest body that completes a sign-in, in bytes. */
export const COMPLETE_SIGN_IN_BYTES_MAX = 17_408;
/** Longest body with a logout token, in bytes. */
export const ISSUER_LOGOUT_BYTES_MAX = 17_408;
