/** Embeddings from a model inside the package, for `embed` of `openKeep()` and `connect()`. */
export { type Meaning, meaning, MEANING_SPACE } from './meaning.js';
