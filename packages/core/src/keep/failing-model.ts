/** Whether the model of a keep makes embeddings, as operators see it. */
import { serverMeaning } from '../domains/memory/meaning/server-meaning.js';
import { type Keep, runtimeOf } from './keep.js';

/**
 * Returns whether the model of a keep failed when it was asked last, for a record or a search;
 * `undefined` in a keep that makes no embeddings for its clients.
 * @example
 * ```ts
 * import { inMemoryStore, openKeep } from '@agentkeep/core';
 * import { isModelFailing } from '@agentkeep/core/operator';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * console.log(isModelFailing(keep)); // undefined
 * ```
 */
export function isModelFailing(keep: Keep): boolean | undefined {
  return serverMeaning.of(runtimeOf(keep))?.isFailing;
}
