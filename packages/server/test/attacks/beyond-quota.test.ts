/**
 * A full tenant that repeats what is served above its quota: it stores nothing more by it, and
 * nobody who follows its changes hears of any (docs/contract/quotas.md#quo-15).
 */
import type { Store } from '@agentkeep/core';
import { eventually } from '@agentkeep/testkit/eventually';
import { expect } from 'vitest';
import { outcome, result } from '@agentkeep/contract-cases/answer';
import { scope } from '@agentkeep/contract-cases/documents';
import { bothWays } from '@agentkeep/contract-cases/fixture';

const FULL = '409 quota_exceeded';
const BATCHES = 20;
const COMMANDS = 256;
/** The audit log has bounds of its own. */
const AUDIT = new Set([9, 10, 11]);

/** Counts the entries of the tenant without those of its audit log. */
async function entriesOf(store: Store): Promise<number> {
  const prefix = 'acme\0';
  let entries = 0;
  await store.scan(({ key }) => {
    const isOurs = Buffer.from(key).toString('latin1').startsWith(prefix);
    if (isOurs && !AUDIT.has(key[prefix.length] ?? -1)) entries += 1;
  });
  return entries;
}

bothWays('QUO-15 redactions and retention grow nothing beyond a full quota', async (t) => {
  const agent = await t.agent();
  const id = await agent.created(scope);
  result(await agent.update(scope, [id, 1]));
  result(await agent.redact(scope, id, 1));
  const { page } = result(await agent.changes({ after: 'latest' }));
  const master = await t.master();
  result(await master.setQuota('acme', { max_entries: 10, max_bytes: 1_000 }));
  await eventually(async () => {
    expect(result(await master.quotaOf('acme')).use?.is_complete).toBe(true);
  });

  const before = await entriesOf(t.store);
  const again = [scope, { type: 'redact', record_id: id, revision: 1 }] as const;
  const outcomes = new Set<string>();
  for (let number = 0; number < BATCHES; number += 1) {
    outcomes.add(outcome(await agent.redact(scope, id, 1)));
    outcomes.add(outcome(await agent.batch(Array.from({ length: COMMANDS }, () => again))));
    const madeUp = { ...scope, project_id: `made up ${String(number)}` };
    outcomes.add(outcome(await t.admin.setRetention({ revisions_max: 1 }, 0, madeUp)));
  }
  expect([...outcomes]).toEqual([FULL]);
  expect(await entriesOf(t.store)).toBe(before);
  const later = result(await agent.changes({ after: page.next_after }));
  expect(later.page.changes).toEqual([]);
});
