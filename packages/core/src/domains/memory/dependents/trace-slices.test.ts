/** Traces go on where they stopped, at any server, and leave nothing behind. */
import { describe, expect, test } from 'vitest';
import type { ScopedMemory } from '../../../client/scoped-memory.js';
import { type Keep, runtimeOf } from '../../../keep/keep.js';
import { openKeep } from '../../../keep/open-keep.js';
import { agentFor } from '../../../operator.js';
import { sharedTestStore, testStore } from '@agentkeep/testkit/test-store';
import { storeOver } from '../../../storage/store-testing/store-over.js';
import { speculative } from '../../../storage/store-testing/speculative-store.js';
import type { Store } from '../../../storage/store/store.js';
import { ManualClock } from '../../../testing/manual-clock.js';
import { MemorySweeper } from '../sweep/memory-sweeper.js';
import { families } from '../../../domains.js';

const DAY_MS = 86_400_000;
const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;

async function memoryOf(keep: Keep): Promise<ScopedMemory> {
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'worker', scopes: [scope] });
  return agent.memory.in(scope);
}

/** Makes a record, and a chain and a fan of records that were derived from it. */
async function deriveAll(memory: ScopedMemory): Promise<{ root: string; derived: string[] }> {
  const { record_id: root } = await memory.remember('root');
  const derived: string[] = [];
  const derive = async (record_id: string): Promise<string> => {
    const made = await memory.remember('derived', { derivedFrom: [{ record_id, revision: 1 }] });
    derived.push(made.record_id);
    return made.record_id;
  };
  let last = root;
  for (let depth = 0; depth < 20; depth += 1) last = await derive(last);
  for (let width = 0; width < 40; width += 1) await derive(root);
  return { root, derived };
}

/** The stored entries about lineage, by subspace. */
async function stored(store: Store): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await store.scan(({ key }) => {
    const family = families.ofKey(key) ?? '';
    const isLineage = /Sources|Dependents|Trace/.test(family);
    if (isLineage) counts[family] = (counts[family] ?? 0) + 1;
  });
  return counts;
}

/** A store that fails every n-th transaction, before its commit or after it, in turn. */
function failing(below: Store, every: number): Store {
  let count = 0;
  return storeOver(below, {
    transact: async (body) => {
      count += 1;
      const fails = count % every === 0;
      if (fails && count % (2 * every) === 0) throw new Error('killed before the commit');
      const result = await below.transact(body);
      if (fails) throw new Error('killed after the commit');
      return result;
    },
  });
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('LIN-14 a trace', () => {
  test('that is cut off at any transaction goes on, and misses and doubles nothing', async () => {
    const shared = sharedTestStore();
    const clock = new ManualClock();
    const keep = await openKeep({ store: shared.open(), clock });
    const memory = await memoryOf(keep);
    const { root, derived } = await deriveAll(memory);
    const gone = await memory.delete(
      { recordId: root, expectedRevision: 1 },
      { dependents: 'cascade' },
    );
    const found = new Map<string, number>();
    let failures = 0;
    for (let call = 0; call < 500; call += 1) {
      const server = await openKeep({ store: failing(shared.open(), 7), clock }).catch(
        () => undefined,
      );
      if (server === undefined) continue;
      try {
        found.clear();
        for await (const { record_id } of (await memoryOf(server)).dependents(gone)) {
          found.set(record_id, (found.get(record_id) ?? 0) + 1);
        }
        break;
      } catch {
        failures += 1;
      }
    }
    expect(failures).toBeGreaterThan(3);
    expect([...found.keys()].toSorted()).toEqual(derived.toSorted());
    expect(new Set(found.values())).toEqual(new Set([1]));
    const left = await all(memory.query());
    expect(left).toEqual([]);
    await keep.close();
  });

  test('may be followed at two servers at once', async () => {
    const shared = sharedTestStore();
    const clock = new ManualClock();
    const keeps = await Promise.all(
      [1, 2].map(() => openKeep({ store: speculative(shared.open()), clock })),
    );
    const memories = await Promise.all(keeps.map(memoryOf));
    const [memory] = memories;
    if (memory === undefined) throw new Error('No server.');
    const { root, derived } = await deriveAll(memory);
    const gone = await memory.delete(
      { recordId: root, expectedRevision: 1 },
      { dependents: 'cascade' },
    );
    const seen = await Promise.all(memories.map(async (each) => all(each.dependents(gone))));
    for (const found of seen) {
      expect(found.map((each) => each.record_id).toSorted()).toEqual(derived.toSorted());
      expect(new Set(found.map(({ outcome }) => outcome))).toEqual(new Set(['deleted']));
    }
    const changes = (await memory.changesPage({ limit: 256 })).changes;
    expect(changes.filter(({ action }) => action === 'deleted')).toHaveLength(derived.length + 1);
    await Promise.all(keeps.map((keep) => keep.close()));
  });
});

// LIN-18, LIN-19
test('a sweep removes links of what is gone, notes of sources, and old traces', async () => {
  const clock = new ManualClock();
  const store = testStore();
  const keep = await openKeep({ store, clock });
  const memory = await memoryOf(keep);
  const sweeper = new MemorySweeper(runtimeOf(keep));
  const source = await memory.put('source', { content: { primary: 'a' } });
  await memory.put('source', { content: { primary: 'b' } });
  const from = { record_id: source.record_id, revision: 1 };
  const record = { content: { primary: 'c' }, derived_from: [from] };
  const kept = await memory.put('kept', record);
  await memory.put('changed', record);
  await memory.put('changed', { content: { primary: 'd' } });
  const gone = await memory.redact(
    { recordId: source.record_id, revision: 1 },
    { dependents: 'report' },
  );
  expect(await all(memory.dependents(gone))).toHaveLength(2);
  expect(await stored(store)).toEqual({
    ...{ memorySources: 2, memoryDependents: 2, memoryRedactedSources: 1 },
    ...{ memoryTraces: 1, memoryTraced: 2 },
  });
  clock.advance(31 * DAY_MS);
  await sweeper.sweep();
  const lost = await memory.read(kept.record_id);
  expect(lost.lost_sources?.map(({ reason }) => reason)).toEqual(['redacted']);
  expect(await stored(store)).toEqual({
    ...{ memorySources: 1, memoryDependents: 1, memoryRedactedSources: 1 },
  });
  await memory.delete({ name: 'kept' });
  clock.advance(DAY_MS);
  await sweeper.sweep();
  expect(await stored(store)).toEqual({});
  await keep.close();
});

test('a plain command stores nothing about lineage', async () => {
  const store = testStore();
  const keep = await openKeep({ store });
  const memory = await memoryOf(keep);
  const { record_id: recordId } = await memory.remember('plain');
  await memory.update({ recordId, expectedRevision: 1 }, { content: { primary: 'x' } });
  await memory.redact({ recordId, revision: 1 });
  await memory.delete({ recordId, expectedRevision: 2 });
  expect(await stored(store)).toEqual({});
  await keep.close();
});
