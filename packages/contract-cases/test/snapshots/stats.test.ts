/** Statistics of the service: access, and numbers that match what happened. */
import { AgentkeepError } from '@agentkeep/core';
import { verifyAudit } from '@agentkeep/core/operator';
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { minimalRecord, scope, sharedScope } from '../harness/documents.js';
import { type Sessions, withSessions } from '../sessions/session-fixture.js';

async function entriesSeenBy(s: Sessions, token: string) {
  return result(await s.t.transport('getStats', token, {})).entries;
}

withSessions('SNP-8, SNP-22, SNP-23 statistics have the shape of the contract', async (s) => {
  const { access_token } = await s.logIn('root');
  const stats = result(await s.t.transport('getStats', access_token, {}));
  const bytes: unknown = expect.toSatisfy((it) => Number.isSafeInteger(it) && Number(it) > 0);
  expect(stats).toEqual({
    generated_at: new Date(s.t.clock.now()).toISOString(),
    version: '0.13.0',
    storage: { size_bytes: bytes, map_size_bytes: bytes, stored_version: 1 },
    entries: {
      tenants: 1,
      credentials: 1,
      accounts: 3,
      sessions: 1,
      memory_records: 0,
      receipts: 0,
      audit_events: expect.toSatisfy(Number.isSafeInteger) as number,
    },
    process: {
      uptime_seconds: expect.toSatisfy(Number.isSafeInteger) as number,
      memory: { rss_bytes: bytes, heap_used_bytes: bytes, heap_total_bytes: bytes },
    },
  });
});

withSessions('numbers follow creations and deletions', async (s) => {
  const { access_token: token } = await s.logIn('root');
  const agent = await s.t.agent();
  const foreign = await s.t.foreignAdmin();
  const ids = [await agent.created(scope), await agent.created(sharedScope)];
  result(await agent.update(scope, [ids[0], 1]));
  expect(outcome(await agent.update(scope, [ids[0], 1]))).toBe(refused.stale);
  expect(await entriesSeenBy(s, token)).toMatchObject({
    tenants: 2,
    credentials: 3,
    memory_records: 2,
    receipts: 3,
  });
  result(await agent.delete(scope, [ids[0], 2], 'once'));
  result(await agent.delete(scope, [ids[0], 2], 'once'));
  const expired = { ...minimalRecord, valid_until_millis: s.t.clock.now() };
  await agent.created(scope, expired);
  result(await s.t.admin.revoke(agent.id, 1));
  expect(outcome(await foreign.whoAmI())).toBe('200');
  expect(await entriesSeenBy(s, token)).toMatchObject({
    tenants: 2,
    credentials: 3,
    // The expired one is still stored, and an update would revive it.
    memory_records: 2,
    receipts: 5,
  });
});

withSessions('SNP-21 live sessions exclude all ended ones', async (s) => {
  const { access_token: token } = await s.logIn('root');
  const [ann] = [await s.logIn('ann'), await s.logIn('ann'), await s.logIn('sue')];
  expect(await entriesSeenBy(s, token)).toMatchObject({ accounts: 3, sessions: 4 });
  result(await s.t.transport('authLogout', ann.access_token, {}));
  expect(await entriesSeenBy(s, token)).toMatchObject({ sessions: 3 });
  s.t.clock.advance(86_399_999);
  const { access_token: later } = await s.logIn('root');
  expect(await entriesSeenBy(s, later)).toMatchObject({ sessions: 4 });
  s.t.clock.advance(1);
  expect(await entriesSeenBy(s, later)).toMatchObject({ accounts: 3, sessions: 1 });
});

withSessions('audit events count the kept ones', async (s) => {
  const { access_token: token } = await s.logIn('root');
  const agent = await s.t.agent();
  await agent.created(scope);
  const { events_checked } = await verifyAudit(s.t.keep);
  expect(events_checked).toBeGreaterThan(5);
  expect(await entriesSeenBy(s, token)).toMatchObject({ audit_events: events_checked });
});

withSessions(
  'SNP-4, SNP-5, SES-28 only administrators of the installation may operate the service',
  async (s) => {
    const names = [
      ...(['createSnapshot', 'listSnapshots', 'getSnapshotSchedule', 'getStats'] as const),
    ];
    const agent = await s.t.agent();
    const sue = await s.logIn('sue');
    for (const name of names) {
      expect(outcome(await s.t.transport(name, undefined, {}))).toBe(refused.unauthorized);
      expect(outcome(await s.t.transport(name, 'ak1_x', {}))).toBe(refused.unauthorized);
      for (const token of [agent.token, s.t.admin.token, sue.access_token]) {
        const answer = await s.t.transport(name, token, {});
        expect(outcome(answer), name).toBe(refused.forbidden);
        const message = expect.stringMatching(
          /^This operation needs the role Admin of the installation/,
        ) as string;
        expect(answer.body).toEqual({ error: 'forbidden', message });
      }
      const { access_token } = await s.logIn('root');
      const parts = { parameters: { limit: '1' } };
      expect(outcome(await s.t.transport(name, access_token, parts))).toBe(refused.invalid);
      expect(outcome(await s.t.transport(name, agent.token, parts))).toBe(refused.forbidden);
    }
  },
);

withSessions('SNP-20 a service without a directory has no snapshots', async (s) => {
  const { access_token } = await s.logIn('root');
  const calls = [
    ['createSnapshot', {}],
    ['listSnapshots', {}],
    ['getSnapshotSchedule', {}],
    ['setSnapshotSchedule', { document: { every_secs: 60 } }],
  ] as const;
  for (const [name, parts] of calls) {
    const answer = await s.t.transport(name, access_token, parts);
    expect(outcome(answer)).toBe(refused.internal);
    const { message } = new AgentkeepError('no_data_directory');
    expect(answer.body).toEqual({ error: 'internal_error', message });
  }
});
