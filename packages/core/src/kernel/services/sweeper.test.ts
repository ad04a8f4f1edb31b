/** Sweeps of tenants, one of which fails. */
import { testStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import { openKeep } from '../../index.js';
import { bootstrapTenant } from '../../operator.js';
import { quickPasswords } from '../../testing.js';
import { TenantSweeper } from './sweeper.js';

/** Notes the tenants that it sweeps, and fails at one of them. */
class FailingSweeper extends TenantSweeper {
  readonly swept: string[] = [];

  protected override sweepOf(tenantId: string): Promise<void> {
    this.swept.push(tenantId);
    return tenantId === 'globex' ? Promise.reject(new Error('Damaged.')) : Promise.resolve();
  }
}

test('a tenant whose sweep fails keeps none of the others from theirs', async () => {
  const store = testStore();
  await using keep = await openKeep({ store, passwords: quickPasswords });
  const tenants = ['acme', 'globex', 'initech'];
  for (const tenantId of tenants) await bootstrapTenant(keep, { tenantId, subjectId: 'ops' });
  const sweeper = new FailingSweeper(store);
  await expect(sweeper.sweep()).rejects.toThrow('Damaged.');
  expect(sweeper.swept.toSorted()).toEqual(tenants);
});
