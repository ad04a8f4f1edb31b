/** The events about a resource are found by an index, however long the log is. */
import { expect, test } from 'vitest';
import { auditDraft } from '../../../test/audit-draft.js';
import { openAuditOver } from '../../../test/audit-kit.js';
import { CountingStore } from '../../../test/tenant-isolation/counting-store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import type { Principal } from '../access/principal.js';
import { systemEntropy } from '../ports/entropy.js';
import { uuidV7Generator } from '../ports/ids.js';
import type { Runtime } from '../services/runtime.js';
import { auditSettings } from './audit-options.js';
import { auditPage } from './query-audit-logs.js';
import { testStore } from '@agentkeep/testkit/test-store';

const principal = { authority: { kind: 'tenant', tenant_id: 'acme' } } as Principal;

/** Returns what a query by resource costs behind so many events about others. */
async function costBehind(others: number): Promise<number> {
  const clock = new ManualClock();
  const newId = uuidV7Generator(clock, systemEntropy);
  const counting = new CountingStore(testStore());
  const { store, audit } = openAuditOver(counting.store, clock, auditSettings({}));
  // Each is a block of its own.
  const change = (resource: string) =>
    store.transact((tx) => {
      audit.changed(tx, auditDraft({ id: newId(), atMillis: clock.now(), resource }));
    });
  await change('record:wanted');
  for (let at = 0; at < others; at += 1) await change(`record:${at}`);
  const runtime = { store, audit, clock } as unknown as Runtime;
  const parameters = { resource: 'record:wanted', limit: 10 };
  const turn = () => Promise.resolve();
  const { answer, cost } = await counting.costOf(() =>
    auditPage({ runtime, principal, parameters, nowMs: clock.now(), turn }),
  );
  expect(answer.events.map(({ resource }) => resource)).toEqual(['record:wanted']);
  await audit.close();
  return cost;
}

// AUD-113
test('a query by resource costs the same behind 10 and behind 500 events', async () => {
  const cost = await costBehind(10);
  expect(cost).toBeLessThan(20);
  expect(await costBehind(500)).toBe(cost);
});
