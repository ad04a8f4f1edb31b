/** Bounds of connections (docs/contract/oauth.md). */

/** OAuth: most characters of the id of a program. */
export const CLIENT_ID_CHARS_MAX = 2_048;

/** OAuth: most programs that an account has connected at a time. */
export const CONNECTIONS_MAX = 64;

/** OAuth: most scopes of a connection. */
export const CONNECTION_GRANTS_MAX = 32;

/** OAuth: most days that a connection lives. */
export const CONNECTION_DAYS_MAX = 365;

/** OAuth: seconds in which a program has to redeem an approval. */
export const APPROVAL_SECONDS = 600;

/** OAuth: seconds that an access token of a connection lives. */
export const CONNECTION_TOKEN_SECONDS = 600;
