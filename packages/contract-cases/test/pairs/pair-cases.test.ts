/** Each pair of capabilities that the matrix tries by steps keeps what both promise. */
import { encryptionKeys } from '@agentkeep/core/operator';
import { type Pair, pairsBySteps } from '@agentkeep/testkit/pair-matrix';
import { testStore } from '@agentkeep/testkit/test-store';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { drivers } from '../harness/drivers.js';
import { type Fixture, tenant } from '../harness/fixture.js';
import type { Driver } from '../harness/transport.js';
import { tokens } from '../users/user-fixture.js';
import { steps, worldIn } from './capability-steps.js';

/** Opens a tenant, encrypted if the pair has encryption. */
async function tenantFor(pair: Pair, driver: Driver): Promise<Fixture> {
  if (!pair.includes('encryption')) return tenant(driver, testStore(), { tokens });
  const parent = await mkdtemp(join(tmpdir(), 'agentkeep-pairs-'));
  const encryption = { keysDir: join(parent, 'keys'), rootKey: { file: join(parent, 'root.key') } };
  await encryptionKeys.make(encryption);
  return tenant(driver, testStore(), { tokens, encryption });
}

describe('a pair of capabilities keeps what both promise', () => {
  const each = pairsBySteps.flatMap((pair) => drivers.map((driver) => ({ pair, driver })));
  test.each(each)('$pair.0 and $pair.1 ($driver.name)', async ({ pair, driver }) => {
    await using t = await tenantFor(pair, driver);
    const world = await worldIn(t);
    const checks = [];
    for (const name of pair) checks.push(await steps[name]?.(world));
    // What was done last must not change what came first, nor the other way round.
    for (const check of [...checks, ...checks.toReversed()]) await check?.();
  });
});
