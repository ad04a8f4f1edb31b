/** What the program and the thread of the model tell each other. */

/** Texts to make embeddings of. */
export interface Asked {
  readonly texts: readonly string[];
}

/** Their embeddings in this order, empty where the model doesn't understand one; or why not. */
export type Answered =
  { readonly embeddings: readonly Float32Array[] } | { readonly error: string };
