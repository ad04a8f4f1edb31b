/** People: accounts, sessions, API keys, sign-ins and the programs that people connect. */
import { defineDomain } from '../../upkeep/domain/domain.js';
import { accountOperations } from './account-operations.js';
import { GrantSweeper } from './connection/grant-sweeper.js';
import { peopleErasure } from './erasure/people-erasure.js';
import { LockoutSweeper } from './lockout/lockout-sweeper.js';
import { peopleFamilies } from './people-families.js';
import { signInOperations } from './sign-in-operations.js';

/** The domain of people. */
export const people = defineDomain({
  families: peopleFamilies,
  operations: { ...accountOperations, ...signInOperations },
  erasure: peopleErasure,
  open: (parts) => ({ sweepers: [new LockoutSweeper(parts), new GrantSweeper(parts)] }),
});
