/** What a tenant stores, counted when it is asked (docs/contract/quotas.md#quo-18). */
import { runtimeOf } from '@agentkeep/core/operator';
import { eventually } from '@agentkeep/testkit/eventually';
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { recordOf, scope, sharedScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';

const large = recordOf({ primary: 'x'.repeat(60_000) });

testCase('QUO-C12 QUO-18 is what a quota would count, and counts records', async (t) => {
  const agent = await t.agent();
  const ids = [];
  for (let number = 0; number < 20; number += 1) ids.push(await agent.created(scope));
  await agent.created(sharedScope, large);
  result(await agent.delete(scope, [ids[0] ?? '', 1]));
  const master = await t.master();
  await runtimeOf(t.keep).audit.flush();

  const { use, next_cursor, tenant_id } = result(await master.useOf('acme'));
  expect({ next_cursor, tenant_id }).toEqual({ next_cursor: null, tenant_id: 'acme' });
  expect(use).toMatchObject({ records: 20, is_complete: true });
  expect(use.bytes).toBeGreaterThan(60_000);

  // No quota is made by asking.
  expect(result(await master.quotaOf('acme')).use).toBeNull();
  result(await master.setQuota('acme', { max_entries: 1_000_000 }));
  await eventually(async () => {
    await runtimeOf(t.keep).audit.flush();
    const { entries, bytes, is_complete } = result(await master.useOf('acme')).use;
    expect(result(await master.quotaOf('acme')).use).toEqual({ entries, bytes, is_complete });
  });
});

testCase('QUO-C13 QUO-18 is counted in parts by cursors that show nothing', async (t) => {
  const agent = await t.agent();
  const canary = 'canary-name';
  const name = (number: number) => `${canary}-${String(number).padStart(3, '0')}`;
  // More bytes than one call counts.
  for (let number = 0; number < 90; number += 1) {
    const named = { type: 'put', name: name(number), record: large };
    result(await agent.command(scope, named));
  }
  const master = await t.master();
  const first = result(await master.useOf('acme'));
  expect(first.use.is_complete).toBe(false);
  const cursor = first.next_cursor ?? '';
  expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain(canary);
  let last = first;
  while (last.next_cursor !== null) {
    const next = result(await master.useOf('acme', { cursor: last.next_cursor }));
    expect(next.use.entries).toBeGreaterThan(last.use.entries);
    last = next;
  }
  expect(last.use).toMatchObject({ records: 90, is_complete: true });
  await master.registered('globex');
  expect(outcome(await master.useOf('globex', { cursor }))).toBe(refused.invalid);
  expect(outcome(await master.useOf('nowhere', { cursor }))).toBe(refused.invalid);
  const altered = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
  expect(outcome(await master.useOf('acme', { cursor: altered }))).toBe(refused.invalid);
});

testCase('QUO-C14 QUO-17 needs tenant_inspect and a tenant', async (t) => {
  const master = await t.master();
  expect(outcome(await master.useOf('nowhere'))).toBe('404 tenant_not_found');
  const reader = await master.delegate(['tenant_inspect']);
  expect(outcome(await reader.useOf('acme'))).toBe('200');
  const other = await master.delegate(['tenant_admin', 'tenant_create']);
  expect(outcome(await other.useOf('acme'))).toBe(refused.forbidden);
  const parts = { id: 'acme', parameters: { contract_version: 1 } };
  expect(outcome(await t.admin.call('getTenantUse', parts))).toBe(refused.forbidden);
  // What another tenant stores isn't in it.
  await master.registered('globex');
  const before = result(await master.useOf('globex')).use;
  const agent = await t.agent();
  await agent.created(scope, large);
  expect(result(await master.useOf('globex')).use).toEqual(before);
});
