/**
 * The change feed over PostgreSQL: commits that end out of order, two servers that are killed in
 * turn, and an older state of the database.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { EventEmitter, once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep, type ScopeInput } from '@agentkeep/core';
import { agentFor, bootstrapTenant } from '@agentkeep/core/operator';
import { EPOCH_KEY, FIRST_POSITION, keyText, openEpoch, sealEpoch } from '@agentkeep/core/store';
import { connect } from '@agentkeep/server/client';
import { FeedFollower } from '@agentkeep/testkit/feed-follower';
import { ServerProcess } from '@agentkeep/testkit/server-process';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { postgresStore } from '../src/index.js';
import { newDatabaseUrl, newTables, onDatabase } from './fixture.js';
import { randomOf } from './random.js';

const SCOPE: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };
const PREFIX = Buffer.from('p/');
const bytes = (text: string): Buffer => Buffer.from(text);

function recordOf(primary: string) {
  return { episode_type: 'Observation' as const, content: { primary }, event_time_millis: 0 };
}

type PgStore = ReturnType<typeof postgresStore>;

/**
 * Reads on from a position until a number of values was seen. A transaction of another test may
 * hold them back, because the horizon is that of the whole server.
 */
async function readUntil(store: PgStore, from: Uint8Array, count: number) {
  const values: string[] = [];
  let next = from;
  do {
    const page = await readFrom(store, next);
    values.push(...page.values);
    next = page.next;
  } while (values.length < count);
  return { next, values };
}

/** Reads the values after a position, and where to go on. */
function readFrom(store: PgStore, from: Uint8Array) {
  return store.read((tx) => {
    const next = Buffer.from(tx.horizon());
    const range = { from: Buffer.concat([PREFIX, from]), to: Buffer.concat([PREFIX, next]) };
    const values = Array.from(tx.range(range), ({ value }) => Buffer.from(value).toString());
    return { next, values };
  });
}

test('a reader does not pass a commit that began earlier and ends later', async () => {
  const options = newTables();
  const [one, two] = [postgresStore(options), postgresStore(options)];
  await one.transact((tx) => {
    tx.put(bytes('held'), bytes('0'));
    tx.append(PREFIX, bytes('first'));
  });
  const holder = new pg.Client({ connectionString: options.url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query(`SELECT 1 FROM ${options.table ?? ''} WHERE key = $1 FOR UPDATE`, [
    bytes('held'),
  ]);
  // Its first write gives it a transaction id; its second one waits for the holder.
  const slow = one.transact((tx) => {
    tx.put(bytes('a'), bytes('1'));
    tx.put(bytes('held'), bytes('1'));
    tx.append(PREFIX, bytes('slow'));
  });
  const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query LIKE '%${options.table ?? ''}_commit%'`;
  while ((await onDatabase(waiting))[0]?.['count'] === 0);
  await two.transact((tx) => {
    tx.append(PREFIX, bytes('quick'));
  });
  const before = await readUntil(two, FIRST_POSITION, 1);
  expect(before.values).toEqual(['first']);
  await holder.query('COMMIT');
  await slow;
  expect((await readUntil(two, before.next, 2)).values).toEqual(['slow', 'quick']);
  await holder.end();
  await Promise.all([one.close(), two.close()]);
});

test('random histories: readers that stop and resume see each commit once, in order', async () => {
  const random = randomOf(inject('seed'));
  for (let history = 0; history < 4; history += 1) {
    const options = newTables({ locks: history === 3 ? 'rows' : 'advisory' });
    const stores = [postgresStore(options), postgresStore(options)];
    const writer = async (name: number): Promise<void> => {
      for (let count = 0; count < 25; count += 1) {
        const store = stores[Math.floor(random() * 2)]!;
        const counter = bytes(`counter ${String(Math.floor(random() * 3))}`);
        await store.transact((tx) => {
          const last = Number(Buffer.from(tx.get(counter) ?? '0').toString());
          tx.put(counter, bytes(String(last + 1)));
          tx.append(PREFIX, bytes(`${counter.toString()} ${String(last + 1)}`));
          tx.append(PREFIX, bytes(`writer${String(name)} ${String(count + 1)}`));
        });
      }
    };
    const reader = async (): Promise<string[]> => {
      const seen: string[] = [];
      let from: Uint8Array = FIRST_POSITION;
      while (seen.length < 8 * 25 * 2) {
        const page = await readFrom(stores[Math.floor(random() * 2)]!, from);
        seen.push(...page.values);
        from = page.next;
      }
      return seen;
    };
    const readers = [reader(), reader()];
    await Promise.all(Array.from({ length: 8 }, (_, name) => writer(name)));
    for (const seen of await Promise.all(readers)) {
      expect(seen).toHaveLength(8 * 25 * 2);
      const last = new Map<string, number>();
      for (const value of seen) {
        const at = value.lastIndexOf(' ');
        const name = value.slice(0, at);
        expect(Number(value.slice(at + 1))).toBe((last.get(name) ?? 0) + 1);
        last.set(name, Number(value.slice(at + 1)));
      }
    }
    for (const store of stores) await store.close();
  }
});

test('positions go on above those of a database whose transaction ids went back', async () => {
  const options = newTables();
  const store = postgresStore(options);
  await store.transact((tx) => {
    tx.append(PREFIX, bytes('before'));
  });
  const before = await readUntil(store, FIRST_POSITION, 1);
  // As after a restore: ids of another, later server process are in the positions.
  const sealed = await store.read((tx) => Buffer.from(tx.get(EPOCH_KEY) ?? ''));
  const epoch = openEpoch(sealed);
  const other = sealEpoch({ epoch: epoch?.epoch ?? 0, source: 1 });
  await store.transact((tx) => {
    tx.put(EPOCH_KEY, other);
    const key = Buffer.concat([PREFIX, FIRST_POSITION]);
    key.writeUIntBE(epoch?.epoch ?? 0, PREFIX.length, 6);
    key.writeUInt32BE(0xff_ff_ff, PREFIX.length + 6);
    tx.put(key, bytes('lost id'));
  });
  await store.transact((tx) => {
    tx.append(PREFIX, bytes('after'));
  });
  const after = await readUntil(store, before.next, 2);
  expect([before.values, after.values]).toEqual([['before'], ['lost id', 'after']]);
  expect(keyText(after.next) > keyText(before.next)).toBe(true);
  await store.close();
});

test('a copied store shows all that it had, also before the first commit', async () => {
  for (const locks of ['advisory', 'rows'] as const) {
    const store = postgresStore(newTables({ locks }));
    const position = Buffer.alloc(16);
    position.writeUIntBE(1_000, 0, 6);
    position.writeUIntBE(0xff_ff_ff_ff_ff, 7, 6);
    await store.transact((tx) => {
      tx.put(EPOCH_KEY, sealEpoch({ epoch: 1_000, source: 0 }));
      tx.put(Buffer.concat([PREFIX, position]), bytes('copied'));
    });
    const copied = await readFrom(store, FIRST_POSITION);
    await store.transact((tx) => {
      tx.append(PREFIX, bytes('new'));
    });
    const after = await readUntil(store, copied.next, 1);
    expect([copied.values, after.values]).toEqual([['copied'], ['new']]);
    await store.close();
  }
});

test('two servers share one feed, also for readers that wait', async () => {
  const options = newTables();
  await using one = await openKeep({ store: postgresStore(options) });
  await using two = await openKeep({ store: postgresStore(options) });
  const agents = [one, two].map((keep) =>
    agentFor(keep, { tenantId: 'acme', subjectId: 'helper', scopes: [SCOPE] }),
  );
  const [first, second] = [await agents[0]!, await agents[1]!];
  const { next_after: after } = await first.memory.changesPage({ after: 'latest' });
  const waiting = second.memory.changesPage({ after, waitMillis: 30_000 });
  const { record_id } = await first.memory.in(SCOPE).create(recordOf('x'));
  expect((await waiting).changes).toMatchObject([{ record_id, action: 'created' }]);
});

const KILLS = 4;
const CALLERS = 8;
const COMMANDS_BETWEEN_KILLS = 40;

test('followers see each acknowledged command once while servers are killed in turn', async () => {
  const home = await mkdtemp(join(tmpdir(), 'agentkeep-feed-'));
  const url = await newDatabaseUrl();
  const started: ServerProcess[] = [];
  const start = async () => {
    const dataDir = join(home, `data-${String(started.length)}`);
    const server = new ServerProcess(dataDir, { words: ['--store-url', url] });
    started.push(server);
    return { server, url: await server.listens() };
  };
  let adminSecret: string;
  {
    await using keep = await openKeep({ store: postgresStore({ url }) });
    adminSecret = (await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' })).secret;
  }
  const servers = [await start(), await start()];
  const admin = connect({ url: servers[0]!.url, secret: adminSecret });
  const { secret } = await admin.credentials.issue({
    subject_id: 'alice',
    capabilities: ['memory_read', 'memory_write'],
    grants: [SCOPE],
  });
  const acknowledged = new Map<string, string>();
  const progress = new EventEmitter();
  const over = new AbortController();
  const isGoingOn = (): boolean => !over.signal.aborted;
  let turns = 0;
  const memory = () =>
    connect({ url: servers[(turns += 1) % 2]!.url, secret, retry: false }).memory;
  const caller = async (name: string): Promise<void> => {
    for (let number = 0; isGoingOn(); number += 1) {
      const idempotencyKey = `${name}-${String(number)}`;
      while (isGoingOn() && !acknowledged.has(idempotencyKey)) {
        try {
          const made = await memory().in(SCOPE).create(recordOf('x'), { idempotencyKey });
          acknowledged.set(idempotencyKey, made.record_id);
          progress.emit('acknowledged');
        } catch {
          // This server was killed; the other one answers.
        }
      }
    }
  };
  const followers = [new FeedFollower(), new FeedFollower()];
  const following = followers.map(async (follower) => {
    while (isGoingOn()) await follower.readPage(memory(), 16, 200).catch(() => undefined);
  });
  const callers = Array.from({ length: CALLERS }, (_, index) => caller(`c${String(index)}`));
  for (let kill = 0; kill < KILLS; kill += 1) {
    const enough = acknowledged.size + COMMANDS_BETWEEN_KILLS;
    while (acknowledged.size < enough) await once(progress, 'acknowledged');
    await servers[kill % 2]!.server.kill();
    servers[kill % 2] = await start();
  }
  over.abort();
  await Promise.all([...callers, ...following]);
  const last = connect({ url: servers[0]!.url, secret }).memory;
  for (const follower of followers) {
    await follower.readAll(last);
    follower.expect(Array.from(acknowledged.values(), (id) => [id, 1] as const));
    expect(follower.violations).toEqual([]);
  }
  const orders = followers.map(({ seen }) => seen.map(({ record_id }) => record_id));
  expect(orders[0]).toEqual(orders[1]);
  for (const server of started) await server.kill();
  await rm(home, { recursive: true, force: true });
});
