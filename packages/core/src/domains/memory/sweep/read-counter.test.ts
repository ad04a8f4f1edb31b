/** Counting of reads: beside a model, on several servers, within its bounds, and until its end. */
import fc from 'fast-check';
import { testStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import { type Agent, type Keep, openKeep, type Store } from '../../../index.js';
import {
  READS_KNOWN_MS,
  READS_WAITING_MAX,
  READS_WAITING_OF_TENANT_MAX,
} from '../../../contract/limits.js';
import { type Namespace, namespaceOfParts } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { agentFor, bootstrapTenant, runtimeOf } from '../../../operator.js';
import type { Transactions } from '../../../storage/store/store.js';
import { ManualClock, storeOver } from '../../../testing.js';
import { ReadCounter } from './read-counter.js';

const DAY_MS = 86_400_000;
const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
const namespace: Namespace = namespaceOfParts('acme', ['p', null, 'a', 'private', 'ann']);
const readers = ['ann', 'bob', 'cy'] as const;

const acting = (subject_id: string): ActingCredential =>
  ({ tenantId: 'acme', spec: { subject_id } }) as ActingCredential;

/** A keep with some records, whose reads are kept for some days. */
async function setUp(readDays: number, store: Store = testStore()) {
  const clock = new ManualClock();
  const keep = await openKeep({ store, clock });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(secret);
  await admin.retention.set({ expectedRevision: 0 }, { read_days: readDays });
  const ann = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes: [scope] });
  const ids: string[] = [];
  for (const text of ['one', 'two']) {
    ids.push((await ann.memory.in(scope).remember(text)).record_id);
  }
  const { store: own } = runtimeOf(keep);
  const counter = (): ReadCounter => new ReadCounter({ store: own, clock });
  return { keep, clock, admin, ann, ids, counter, own, [Symbol.asyncDispose]: () => keep.close() };
}

async function shown(
  ann: Agent,
  id: string,
  limit = 1,
): Promise<Record<string, Record<string, number>>> {
  const found: Record<string, Record<string, number>> = {};
  for await (const { subject_id, reads, days } of ann.memory.in(scope).readers(id, { limit })) {
    found[subject_id] = Object.fromEntries(days.map((day) => [day.date, day.reads]));
    expect(reads).toBe(days.reduce((sum, day) => sum + day.reads, 0));
  }
  return found;
}

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ server: fc.nat(1), reader: fc.nat(2), record: fc.nat(1) }),
  },
  { weight: 2, arbitrary: fc.record({ flushed: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ hours: fc.integer({ min: 1, max: 60 }) }) },
);

// HIS-41, HIS-45
test('two servers add up as a list of all reads does, by reader and day', async () => {
  const histories = fc.array(action, { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(histories, fc.integer({ min: 1, max: 4 }), async (actions, readDays) => {
      await using t = await setUp(readDays);
      const servers = [t.counter(), t.counter()];
      const all: { record: number; reader: string; day: number }[] = [];
      for (const each of actions) {
        if ('hours' in each) t.clock.advance((each.hours * DAY_MS) / 24);
        else if ('flushed' in each) await servers[each.flushed]?.flush('acme');
        else {
          const reader = readers[each.reader] ?? 'ann';
          servers[each.server]?.note(acting(reader), namespace, [t.ids[each.record] ?? '']);
          all.push({ record: each.record, reader, day: Math.floor(t.clock.now() / DAY_MS) });
        }
      }
      // Both at once: neither loses what the other has added.
      await Promise.all(servers.map((server) => server.stop()));
      const first = Math.floor(t.clock.now() / DAY_MS) - readDays + 1;
      for (const [record, id] of t.ids.entries()) {
        const wanted: Record<string, Record<string, number>> = {};
        for (const { reader, day } of all.filter((read) => read.record === record)) {
          if (day < first) continue;
          const days = (wanted[reader] ??= {});
          days[dateOf(day)] = (days[dateOf(day)] ?? 0) + 1;
        }
        expect(await shown(t.ann, id)).toEqual(wanted);
      }
    }),
    { numRuns: 25 },
  );
});

test('what a keep noted is stored when it is closed', async () => {
  const store = testStore();
  const t = await setUp(30, storeOver(store, { close: () => Promise.resolve() }));
  const [id = ''] = t.ids;
  await t.ann.memory.in(scope).read(id);
  await t.keep.close();
  await using keep: Keep = await openKeep({ store, clock: t.clock });
  const ann = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes: [scope] });
  expect(await shown(ann, id)).toEqual({
    ann: { [dateOf(Math.floor(t.clock.now() / DAY_MS))]: 1 },
  });
});

// HIS-45
test('a tenant fills its own places only, and what does not fit is not counted', async () => {
  await using t = await setUp(30);
  const counter = t.counter();
  const [id = ''] = t.ids;
  for (let at = 0; at <= READS_WAITING_OF_TENANT_MAX; at += 1) {
    counter.note(acting(`reader-${at}`), namespace, [id]);
  }
  expect(counter.waiting).toBe(READS_WAITING_OF_TENANT_MAX);
  // Reads of those that wait still count.
  counter.note(acting('reader-0'), namespace, [id]);
  for (let tenant = 0; tenant <= READS_WAITING_MAX / READS_WAITING_OF_TENANT_MAX; tenant += 1) {
    const other = namespaceOfParts(`tenant-${tenant}`, namespace.parts);
    for (let at = 0; at < READS_WAITING_OF_TENANT_MAX; at += 1) {
      counter.note(acting(`reader-${at}`), other, [id]);
    }
  }
  expect(counter.waiting).toBe(READS_WAITING_MAX);
  await counter.flush('acme');
  const found = await shown(t.ann, id, 100);
  expect(Object.keys(found)).toHaveLength(READS_WAITING_OF_TENANT_MAX);
  expect(Object.values(found['reader-0'] ?? {})).toEqual([2]);
  counter.drop();
  await counter.stop();
});

// HIS-45, HIS-46
test('a tenant that counts nothing costs a look at its setting every ten seconds', async () => {
  await using t = await setUp(0);
  const { own, clock } = t;
  const work = { reads: 0, writes: 0 };
  // Only what the counter does: the keep writes beside it, such as the time of its last id.
  const counted: Transactions = {
    isShared: own.isShared,
    read: (body) => {
      work.reads += 1;
      return own.read(body);
    },
    transact: (body) => {
      work.writes += 1;
      return own.transact(body);
    },
  };
  const counter = new ReadCounter({ store: counted, clock });
  const [id = ''] = t.ids;
  const costOf = async (): Promise<typeof work> => {
    Object.assign(work, { reads: 0, writes: 0 });
    for (let at = 0; at < 100; at += 1) {
      counter.note(acting('ann'), namespace, [id]);
      await counter.flush('acme');
    }
    return { ...work };
  };
  expect(await costOf()).toEqual({ reads: 1, writes: 0 });
  expect(await costOf()).toEqual({ reads: 0, writes: 0 });
  expect(counter.waiting).toBe(0);
  clock.advance(READS_KNOWN_MS);
  expect(await costOf()).toEqual({ reads: 1, writes: 0 });
  await t.admin.retention.set({ expectedRevision: 1 }, { read_days: 3 });
  clock.advance(READS_KNOWN_MS);
  expect((await costOf()).writes).toBe(100);
  await counter.stop();
});
