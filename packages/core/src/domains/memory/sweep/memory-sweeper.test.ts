/** The sweep removes exactly what is no longer kept (docs/contract/history.md#his-38). */
import { tally } from '../../../kernel/counts/counts.js';
import { describe, expect, test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import type { Agent } from '../../../client/agent.js';
import type { ScopedMemory } from '../../../client/scoped-memory.js';
import { type Keep, runtimeOf } from '../../../keep/keep.js';
import { openKeep } from '../../../keep/open-keep.js';
import { agentFor, bootstrapTenant } from '../../../operator.js';
import { sharedMemory } from '../../../storage/in-memory-store/in-memory-store.js';
import { storeOver } from '../../../storage/store-testing/store-over.js';
import { speculative } from '../../../storage/store-testing/speculative-store.js';
import type { Store } from '../../../storage/store/store.js';
import { ManualClock } from '../../../testing/manual-clock.js';
import { MemorySweeper } from './memory-sweeper.js';
import { families } from '../../../domains.js';

const DAY_MS = 86_400_000;
const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;

const noted = (primary: string, valid_until_millis: number | null = null) => ({
  episode_type: 'Observation' as const,
  content: { primary },
  event_time_millis: 0,
  valid_until_millis,
});

/** A keep with an administrator and an agent of one tenant or more. */
class World implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly store: Store;
  readonly keep: Keep;

  private constructor(store: Store, keep: Keep, clock: ManualClock) {
    this.store = store;
    this.keep = keep;
    this.clock = clock;
  }

  static async open(store: Store = testStore(), clock = new ManualClock()): Promise<World> {
    return new World(store, await openKeep({ store, clock }), clock);
  }

  async admin(tenantId = 'acme'): Promise<Agent> {
    const { secret } = await bootstrapTenant(this.keep, { tenantId, subjectId: 'ops' });
    return this.keep.authenticate(secret);
  }

  async memory(tenantId = 'acme'): Promise<ScopedMemory> {
    const agent = await agentFor(this.keep, { tenantId, subjectId: 'worker', scopes: [scope] });
    return agent.memory.in(scope);
  }

  get sweeper(): MemorySweeper {
    return new MemorySweeper(runtimeOf(this.keep));
  }

  /** Counts the stored entries of some subspaces. */
  async stored(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    await this.store.scan(({ key }) => {
      const family = families.ofKey(key) ?? 'unknown';
      counts[family] = (counts[family] ?? 0) + 1;
    });
    return counts;
  }

  /** What all events together say was removed. A change of settings makes the keep sweep too. */
  async reported(admin: Agent): Promise<{ revisions: number; records: number }> {
    const sum = { revisions: 0, records: 0 };
    for await (const { metadata } of admin.audit.query({ eventType: 'retention_applied' })) {
      sum.revisions += Number(metadata['revisions']);
      sum.records += Number(metadata['records']);
    }
    return sum;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.keep.close();
  }
}

/** Puts a name several times; returns the id of its record. */
async function putTimes(memory: ScopedMemory, name: string, times: number): Promise<string> {
  let id = '';
  for (let left = times; left > 0; left -= 1) {
    id = (await memory.put(name, noted(`${name} ${left}`))).record_id;
  }
  return id;
}

describe('a sweep', () => {
  test('HIS-38, AUD-86 removes revisions by age and number, says so, and leaves all others', async () => {
    await using world = await World.open();
    const admin = await world.admin();
    const memory = await world.memory();
    const old = await putTimes(memory, 'old', 5);
    world.clock.advance(30 * DAY_MS);
    await putTimes(memory, 'new', 3);
    await world.sweeper.sweep();
    expect((await world.stored())['memoryRevisions']).toBe(2);
    expect(await memory.historyPage(old)).toMatchObject({ items: [{ revision: 5 }] });
    await admin.retention.set({ expectedRevision: 0 }, { revisions_max: 1 });
    await world.sweeper.sweep();
    expect((await world.stored())['memoryRevisions']).toBe(1);
    await world.sweeper.sweep();
    expect(await world.reported(admin)).toEqual({ revisions: 5, records: 0 });
  });

  test('removes at once what a deletion left, and later what was kept of it', async () => {
    await using world = await World.open();
    const admin = await world.admin();
    const memory = await world.memory();
    await putTimes(memory, 'a', 100);
    await memory.delete({ name: 'a' });
    await world.sweeper.sweep();
    expect(await world.stored()).not.toHaveProperty('memoryRevisions');
    expect(await world.stored()).not.toHaveProperty('memoryPurges');
    await admin.retention.set({ expectedRevision: 0 }, { deleted_days: 2 });
    const [kept, restored] = [await putTimes(memory, 'b', 3), await putTimes(memory, 'c', 3)];
    await memory.delete({ name: 'b' });
    await memory.delete({ name: 'c' });
    world.clock.advance(2 * DAY_MS - 1);
    await world.sweeper.sweep();
    expect((await world.stored())['memoryRevisions']).toBe(6);
    await memory.restore({ recordId: restored, revision: 1, expectedRevision: 4 });
    world.clock.advance(1);
    await world.sweeper.sweep();
    const left = await world.stored();
    expect(left['memoryRevisions']).toBe(4);
    expect(left).not.toHaveProperty('memoryPurges');
    await expect(memory.historyPage(kept)).rejects.toMatchObject({ code: 'record_not_found' });
    expect((await memory.historyPage(restored)).items).toHaveLength(5);
  });

  test('HIS-32 removes what is kept too long after the setting was lowered', async () => {
    await using world = await World.open();
    const admin = await world.admin();
    const memory = await world.memory();
    await admin.retention.set({ expectedRevision: 0 }, { deleted_days: 20 });
    const id = await putTimes(memory, 'a', 3);
    await memory.delete({ name: 'a' });
    world.clock.advance(3 * DAY_MS);
    await admin.retention.set({ expectedRevision: 0, scope }, { deleted_days: 2 });
    await expect(memory.historyPage(id)).rejects.toMatchObject({ code: 'record_not_found' });
    await world.sweeper.sweep();
    expect(await world.stored()).not.toHaveProperty('memoryRevisions');
  });

  test('removes records that expired long ago, with their names and revisions', async () => {
    await using world = await World.open();
    const admin = await world.admin();
    const memory = await world.memory();
    const end = world.clock.now() + 1_000;
    for (let index = 0; index < 40; index += 1) await memory.put(`n${index}`, noted('x', end));
    for (let index = 0; index < 20; index += 1) await memory.put(`n${index}`, noted('y', end));
    const revived = await memory.create(noted('z', end));
    await memory.create(noted('stays'));
    world.clock.advance(10 * DAY_MS);
    const { record_id: recordId } = revived;
    await memory.update({ recordId, expectedRevision: 1 }, noted('z'));
    await world.sweeper.sweep();
    expect((await world.stored())['memoryRecords']).toBe(42);
    await admin.retention.set({ expectedRevision: 0, scope }, { expired_days: 1 });
    const taken = await memory.put('n3', noted('new'));
    expect(taken.action).toBe('created');
    await world.sweeper.sweep();
    const left = await world.stored();
    expect(left).toMatchObject({ memoryRecords: 3, memoryScan: 3, memoryNames: 1 });
    expect(left['memoryRevisions']).toBe(1);
    expect(left).not.toHaveProperty('memoryPurges');
    expect((await memory.read({ name: 'n3' }))?.record_id).toBe(taken.record_id);
    expect((await tally.of(runtimeOf(world.keep)).entries()).memory_records).toBe(3);
    expect((await memory.queryPage()).scanned_records).toBe(3);
    await world.sweeper.sweep();
    expect(await world.reported(admin)).toEqual({ revisions: 20, records: 40 });
  });

  test('walks again only after hours, and removes nothing of tenants without work', async () => {
    await using world = await World.open();
    await world.admin();
    const memory = await world.memory();
    await world.sweeper.sweep();
    expect(await world.stored()).not.toHaveProperty('memorySweeps');
    await putTimes(memory, 'a', 2);
    await world.sweeper.sweep();
    expect((await world.stored())['memorySweeps']).toBe(1);
    world.clock.advance(30 * DAY_MS);
    await world.sweeper.sweep();
    expect(await world.stored()).not.toHaveProperty('memoryRevisions');
  });

  test('HIS-38, HIS-C18 goes on where it was stopped, on another server, and skips what is damaged', async () => {
    const memory = sharedMemory();
    const world = await World.open(memory.open());
    const admin = await world.admin();
    await admin.retention.set({ expectedRevision: 0 }, { revisions_max: 10_000 });
    const agent = await world.memory();
    await putTimes(agent, 'many', 400);
    const [first] = await keysOf(memory.open(), 'memoryRevisions');
    await memory.open().transact((tx) => {
      tx.put(first!, Buffer.from('damaged'));
    });
    world.clock.advance(30 * DAY_MS);
    let left = 3;
    const inner = speculative(memory.open());
    const mortal = storeOver(inner, {
      transact: (body) => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('dead')) : inner.transact(body);
      },
    });
    const dying = new MemorySweeper({ ...runtimeOf(world.keep), store: mortal });
    await expect(dying.sweep()).rejects.toThrow('dead');
    const stopped = (await world.stored())['memoryRevisions'] ?? 0;
    expect(stopped).toBeLessThan(399);
    expect(stopped).toBeGreaterThan(200);
    const other = await World.open(memory.open(), world.clock);
    const third = await World.open(memory.open(), world.clock);
    await Promise.all([other.sweeper.sweep(), third.sweeper.sweep()]);
    expect((await other.stored())['memoryRevisions']).toBe(1);
    for (const { keep } of [world, other, third]) await keep.close();
  });

  test('serves tenants in turn', async () => {
    await using world = await World.open();
    // By the id of the event, because a store may run a body more than once.
    const order = new Map<string, string | null>();
    for (const [tenantId, names] of [
      ['large', 6],
      ['small', 1],
    ] as const) {
      await world.admin(tenantId);
      const memory = await world.memory(tenantId);
      for (let name = 0; name < names; name += 1) await putTimes(memory, `n${name}`, 90);
    }
    world.clock.advance(30 * DAY_MS);
    const runtime = runtimeOf(world.keep);
    const audit = Object.create(runtime.audit) as typeof runtime.audit;
    audit.changed = (_tx, { id, tenantId }) => {
      order.set(id, tenantId);
    };
    await new MemorySweeper({ ...runtime, audit }).sweep();
    expect([...order.values()]).toEqual(['small', 'large']);
    expect(await world.stored()).not.toHaveProperty('memoryRevisions');
  });
});

async function keysOf(store: Store, family: string): Promise<Uint8Array[]> {
  const keys: Uint8Array[] = [];
  await store.scan(({ key }) => {
    if (families.ofKey(key) === family) keys.push(Uint8Array.from(key));
  });
  return keys;
}
