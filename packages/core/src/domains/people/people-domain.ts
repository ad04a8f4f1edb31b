/** People: accounts, sessions, API keys, sign-ins and the programs that people connect. */
import { defineDomain } from '../../upkeep/domain/domain.js';
import { passwords } from '../../kernel/ports/counted-hasher.js';
import { noSignInProtocol, signIns } from '../../kernel/ports/sign-in-protocol.js';
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
  open: ({ passwords: hasher, signInProtocol = noSignInProtocol, ...parts }) => ({
    sweepers: [new LockoutSweeper(parts), new GrantSweeper(parts)],
    ports: [passwords.answeredBy(hasher), signIns.answeredBy(signInProtocol)],
  }),
});
