/**
 * Puts the tokens of a keep together, as the options say.
 *
 * @module
 */
import type { Clock } from '../runtime/clock.js';
import type { Store } from '../store/store.js';
import { JoseTokens } from './jose-tokens.js';
import { SigningKeys } from './signing-keys.js';
import { type TokenOptions, tokenSettings } from './token-options.js';
import type { Tokens } from './tokens.js';

/**
 * Tokens over a store; no key is made before one is needed.
 *
 * @throws {TypeError} when an option is out of bounds or a key cannot be used.
 */
export function openTokens(store: Store, clock: Clock, options: TokenOptions): Tokens {
  const { signing, additional, ...settings } = tokenSettings(options);
  const keys = new SigningKeys({ store, clock, given: { signing, additional } });
  return new JoseTokens({ ...settings, keys });
}
