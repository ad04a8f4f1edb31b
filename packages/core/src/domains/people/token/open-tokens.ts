/** Opens the access tokens of a keep. */
import type { Clock } from '../../../kernel/ports/clock.js';
import type { Transactions } from '../../../storage/store/store.js';
import { JoseTokens } from './jose-tokens.js';
import { SigningKeys } from './signing-keys.js';
import type { TokenSettings } from './token-options.js';
import type { Tokens } from '../../../kernel/ports/tokens.js';

/** Returns the tokens of a store. A key is made when the first one is needed. */
export function openTokens(store: Transactions, clock: Clock, settings: TokenSettings): Tokens {
  const { signing, additional, ...rest } = settings;
  const keys = new SigningKeys({ store, clock, given: { signing, additional } });
  return new JoseTokens({ ...rest, keys });
}
