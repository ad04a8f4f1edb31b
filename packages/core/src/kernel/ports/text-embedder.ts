/** The port that makes embeddings for all clients of a keep. */

/** Makes embeddings of the texts of records, behind their commits, and of texts of searches. */
export interface TextEmbedder {
  /** The name of the model, 1 to 64 UTF-8 bytes: the embedding space of what it makes. */
  readonly space: string;
  /**
   * Most milliseconds that a search waits for the embedding of its text; words alone answer then.
   * Default: 1,000.
   */
  readonly queryMillis?: number | undefined;
  /**
   * Returns 1 to 4,096 numbers for each of up to 32 texts, all of the same length, or none for a
   * text that the model doesn't understand. The signal ends with the keep.
   */
  embed(
    texts: readonly string[],
    request: { readonly kind: 'record' | 'query'; readonly signal: AbortSignal },
  ): Promise<readonly (readonly number[])[]>;
  /** Ends what it does, because it took too long. The next call begins anew. */
  restart?(): Promise<void>;
}
