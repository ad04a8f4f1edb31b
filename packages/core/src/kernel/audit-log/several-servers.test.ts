/** Audit chains to which several servers append. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bootstrapTenant, createAdmin, verifyAudit } from '../../operator.js';
import { administrator, codeOf, PASSWORD, twoServers } from '../../../test/servers.js';
import { listHeads } from './audit-store.js';

describe('one chain', () => {
  test('contains the concurrent events of two servers, each once', async () => {
    await using servers = await twoServers();
    const { one, other } = servers;
    await createAdmin(one.keep, { username: 'root', password: PASSWORD });
    const agents = await Promise.all(
      [one, other].map(
        async ({ keep }) => (await keep.logIn({ username: 'root', password: PASSWORD })).agent,
      ),
    );
    const make = async (index: number): Promise<void> => {
      await agents[index % 2]?.users.create({ username: `u${String(index)}`, password: PASSWORD });
    };
    await Promise.all(Array.from({ length: 40 }, (_, index) => make(index)));
    for (const { keep } of [one, other]) {
      expect(await verifyAudit(keep)).toMatchObject({ status: 'verified', broken_at: null });
    }
    const { events } = (await agents[1]?.audit.queryPage({ limit: 1_000 })) ?? { events: [] };
    const made = events.filter(({ event_type }) => event_type === 'user_created');
    expect(made).toHaveLength(40 + 1);
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length);
  });

  test('AUD-28 stores the buffered events of each server, and shows those of the other', async () => {
    await using servers = await twoServers();
    const { one, other } = servers;
    const root = await administrator(one);
    for (const { keep } of [one, other]) {
      for (let count = 0; count < 5; count += 1) {
        expect(await codeOf(keep.authenticate('wrong'))).toBe('unauthorized');
      }
    }
    await other.runtime.audit.flush();
    const { events } = await root.audit.queryPage({ result: 'unauthorized' });
    // Each server counts the repeats that it saw.
    expect(events.map(({ metadata }) => metadata['count'] ?? 1).toSorted()).toEqual([1, 1, 4, 4]);
    expect((await verifyAudit(other.keep)).status).toBe('verified');
  });

  test('never goes back in time, however different the clocks', async () => {
    await using servers = await twoServers();
    const { one } = servers;
    const slow = await servers.open();
    slow.clock.stepTo(one.clock.now() - 3_600_000);
    for (const [index, server] of [one, slow, one, slow].entries()) {
      await createAdmin(server.keep, { username: `u${String(index)}`, password: PASSWORD });
    }
    const [head] = await servers.store.read((tx) => listHeads(tx, undefined, 1));
    expect(head).toMatchObject({ next: 4, recordedAtMillis: one.clock.now() });
    expect((await verifyAudit(one.keep)).status).toBe('verified');
  });
});

test('chains of tenants do not affect one another', async () => {
  await using servers = await twoServers();
  const { one, other } = servers;
  const made = await Promise.all(
    ['acme', 'umbrella'].map(async (tenantId, index) => {
      const { keep } = index === 0 ? one : other;
      const { secret } = await bootstrapTenant(keep, { tenantId, subjectId: 'ops' });
      return (await keep.authenticate(secret)).credentials;
    }),
  );
  const before = await servers.store.read((tx) => listHeads(tx, undefined, 10));
  await made[0]?.issue({
    subject_id: 'a',
    capabilities: ['memory_read'],
    grants: [],
  });
  const after = await servers.store.read((tx) => listHeads(tx, undefined, 10));
  const moved = after.filter((head) => {
    const known = before.find(({ authority }) => authority === head.authority);
    return known?.next !== head.next;
  });
  expect(moved.map(({ authority }) => authority)).toEqual(['acme']);
});

test('each server writes files with the events that it recorded itself', async () => {
  const logPath = await mkdtemp(join(tmpdir(), 'agentkeep-audit-'));
  try {
    {
      await using servers = await twoServers({ audit: { logPath } });
      const { one, other } = servers;
      await createAdmin(one.keep, { username: 'ann', password: PASSWORD });
      await createAdmin(other.keep, { username: 'bob', password: PASSWORD });
    }
    const names = await readdir(logPath);
    const texts = await Promise.all(names.map((name) => readFile(join(logPath, name), 'utf8')));
    const lines = texts.map((text) => text.split('\n').filter((line) => line !== '').length);
    expect(lines).toEqual([1, 1]);
  } finally {
    await rm(logPath, { recursive: true, force: true });
  }
});
