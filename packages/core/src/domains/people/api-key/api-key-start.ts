/** How API keys begin, which tells them from other proofs. It needs no other module. */

/** The first characters of every API key (docs/contract/api-keys.md#key-7). */
export const API_KEY_START = 'ak_live_';

/** Returns whether a text begins like an API key, well-formed or not. */
export function looksLikeApiKey(text: string): boolean {
  return text.startsWith(API_KEY_START);
}
