/** The function that makes embeddings, on a thread of its own. */
import type { Embed } from '@agentkeep/client';
import { ModelThread } from './model-thread.js';

/** The embedding space of the model: the English, light form of the Universal Sentence Encoder. */
export const MEANING_SPACE = 'use-lite-en';

/** An {@link Embed} function with a model of its own. */
export interface Meaning extends Embed {
  readonly space: string;
  /**
   * Ends the thread of the model and frees its memory, about 150 MB. Texts that wait are refused;
   * a later call starts the thread again. A program may end without it.
   */
  close(): Promise<void>;
}

/**
 * Makes embeddings of English texts: 512 numbers of unit length, without a network and without a
 * key. Loads the model at the first text, which takes a fraction of a second, on a thread beside
 * the program. Queries go before records that wait. A text in another language has no embedding,
 * so its words alone find it, as they do without a model.
 * @example
 * ```ts
 * import { inMemoryStore, openKeep } from '@agentkeep/core';
 * import { agentFor } from '@agentkeep/core/operator';
 * import { meaning } from '@agentkeep/meaning';
 *
 * await using keep = await openKeep({ store: inMemoryStore(), embed: meaning() });
 * const { memory } = await agentFor(keep, { subject: 'ann' });
 * await memory.remember('The car is in the garage for repairs.');
 * await memory.embedded();
 * const [best] = await memory.recall('Which vehicle is broken?');
 * console.log(best?.text); // The car is in the garage for repairs.
 * ```
 */
export function meaning(): Meaning {
  const thread = new ModelThread();
  const embed: Embed = (texts, { kind, signal }) => thread.embed(texts, kind, signal);
  return Object.assign(embed, { space: MEANING_SPACE, close: () => thread.close() });
}
