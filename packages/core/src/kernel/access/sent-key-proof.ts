/** A proof that a caller has a key (RFC 9449, DPoP), and the request that it was sent with. */
export interface SentKeyProof {
  /** The JWT of the header `DPoP`. */
  readonly proof: string;
  /** The token of the header `Authorization`. */
  readonly token: string;
  readonly method: string;
  /** The origins that the request may have been sent to. */
  readonly origins: readonly string[];
  /** The path as it was sent, without the query. */
  readonly path: string;
}
