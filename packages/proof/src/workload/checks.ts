/**
 * Runs the checks of all kinds of work.
 */
import assert from 'node:assert/strict';
import { checkAccounts } from './account-work.js';
import { checkCredentials } from './credential-work.js';
import { checkLearning } from './learning-work.js';
import { checkMemory } from './memory-work.js';
import type { Parties } from './parties.js';
import type { Account, Check } from './work.js';

/** A kind of work. */
export type Kind = 'memory' | 'credentials' | 'accounts' | 'learning';

const checks: Readonly<Record<Kind, Check>> = {
  memory: forOwnKind(checkMemory),
  credentials: forOwnKind(checkCredentials),
  accounts: forOwnKind(checkAccounts),
  learning: forOwnKind(checkLearning),
};

/** Narrows the accounts to the kind of a check; each check only gets its own kind. */
function forOwnKind<S, R>(check: Check<S, R>): Check {
  return (parties, accounts) => check(parties, accounts as readonly Account<S, R>[]);
}

/** The accounts of the workers of each kind. */
export type AccountsByKind = Readonly<Record<Kind, readonly Account[]>>;

/** Compares a keep with the accounts of all workers. Returns a sentence for each difference. */
export async function differences(parties: Parties, accounts: AccountsByKind): Promise<string[]> {
  const found: string[] = [];
  const compare = async (what: string, check: Promise<void>): Promise<void> => {
    await check.catch((error: unknown) => {
      found.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    });
  };
  for (const kind of Object.keys(checks) as Kind[]) {
    await compare(kind, checks[kind](parties, accounts[kind]));
  }
  await compare('counts', checkCounts(parties));
  return found;
}

/** Credentials of the installation: the one that `create-admin` binds to its owner. */
const OF_INSTALLATION = 1;

/** Checks that the statistics match the entries. */
async function checkCounts({ admin, root }: Parties): Promise<void> {
  const { entries } = await root.stats.get();
  const ids = new Set<string>();
  for await (const { id } of admin.credentials.list()) ids.add(id);
  const expected = ids.size + OF_INSTALLATION;
  assert.equal(entries.credentials, expected, 'The number of credentials differs.');
}
