/** A consolidation that is cut off, or runs beside another one, writes each page once. */
import { expect, test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import type { ChangedMemory } from './consolidate.js';
import { consolidate } from './consolidate.js';
import { type Agent } from '../agent.js';
import { type Keep, openKeep, type ScopeInput } from '../../index.js';
import { agentFor } from '../../operator.js';
import type { Store } from '../../storage/store/store.js';
import { storeOver } from '../../storage/store-testing/store-over.js';
import { ManualClock, quickPasswords } from '../../testing.js';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };
const worker = { tenantId: 'acme', subjectId: 'worker', scopes: [scope] };

/** A store of which one transaction fails, before or after its commit. */
class Mortal {
  readonly store: Store;
  #left = Infinity;
  #isAfter = false;

  constructor(below: Store) {
    this.store = storeOver(below, {
      transact: async (body) => {
        this.#left -= 1;
        const isFatal = this.#left === 0;
        if (isFatal && !this.#isAfter) throw new Error('killed');
        const result = await below.transact(body);
        if (isFatal) throw new Error('killed');
        return result;
      },
    });
  }

  /** Has the n-th transaction from now on fail. */
  killAt(n: number, isAfter: boolean): void {
    this.#left = n;
    this.#isAfter = isAfter;
  }
}

async function setUp(store: Store = testStore()) {
  const clock = new ManualClock();
  const keep: Keep = await openKeep({ store, clock, passwords: quickPasswords });
  const agent: Agent = await agentFor(keep, worker);
  const memory = agent.memory.in(scope);
  const notes = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  for (const note of notes) await memory.remember(note, { source: 'user' });
  const written = async (): Promise<string[]> => {
    const texts: string[] = [];
    for await (const { payload } of memory.query({ source: 'model' })) {
      texts.push(...payload.content.primary.split(' ').slice(0, -1));
    }
    return texts.toSorted();
  };
  return { keep, clock, agent, memory, notes, written };
}

let calls = 0;

/** Says something else each time, as a model does. */
const summary = ({ records }: ChangedMemory) => {
  calls += 1;
  const primary = [...records.map(({ payload }) => payload.content.primary), calls].join(' ');
  return [{ type: 'create' as const, record: { content: { primary } } }];
};

test('killed at each of its commits, it loses and doubles nothing', async () => {
  for (const isAfter of [false, true]) {
    for (let at = 1; ; at += 1) {
      const mortal = new Mortal(testStore());
      const { keep, clock, agent, notes, written } = await setUp(mortal.store);
      mortal.killAt(at, isAfter);
      const isKilled = await consolidate(agent, scope, summary, { limit: 3 }).then(
        () => false,
        () => true,
      );
      mortal.killAt(Infinity, false);
      clock.advance(301_000);
      await consolidate(agent, scope, summary, { limit: 3 });
      expect(await written()).toEqual(notes);
      await keep.close();
      if (!isKilled) break;
      expect(at).toBeLessThan(40);
    }
  }
});

test('killed at each of its commits, it proposes each page once', async () => {
  for (const isAfter of [false, true]) {
    for (let at = 1; ; at += 1) {
      const mortal = new Mortal(testStore());
      const { keep, clock, notes, written } = await setUp(mortal.store);
      const capabilities = ['memory_read', 'memory_propose'] as const;
      const of = { ...worker, capabilities, subjectId: 'proposer' };
      const proposer = await agentFor(keep, of);
      mortal.killAt(at, isAfter);
      const into = { limit: 3, into: 'review' } as const;
      const isKilled = await consolidate(proposer, scope, summary, into).then(
        () => false,
        () => true,
      );
      mortal.killAt(Infinity, false);
      clock.advance(301_000);
      await consolidate(proposer, scope, summary, into);
      expect(await written()).toEqual([]);
      await mergeAll(keep);
      expect(await written()).toEqual(notes);
      await keep.close();
      if (!isKilled) break;
      expect(at).toBeLessThan(40);
    }
  }
});

test('a change of another scope names the sources with theirs', async () => {
  const keep = await openKeep({ store: testStore(), passwords: quickPasswords });
  const own: ScopeInput = { ...scope, visibility: 'private' };
  const agent = await agentFor(keep, { ...worker, scopes: [own, scope] });
  const { record_id, revision } = await agent.memory.in(own).remember('a', { source: 'user' });
  const operation = { type: 'create' as const, record: { content: { primary: 'b' } } };
  const done = await consolidate(agent, own, () => [{ scope, operation }], { into: 'review' });
  expect(done).toEqual({ pages: 1, written: 1, known: 0 });
  await mergeAll(keep);
  const [made] = (await agent.memory.in(scope).queryPage()).records;
  expect(made?.payload.derived_from).toEqual([
    { scope: { ...own, mission_id: null }, record_id, revision },
  ]);
  await keep.close();
});

/** Merges everything that waits, as another subject. */
async function mergeAll(keep: Keep): Promise<void> {
  const capabilities = ['memory_read', 'memory_review'] as const;
  const rita = await agentFor(keep, { ...worker, capabilities, subjectId: 'rita' });
  for await (const { id } of rita.proposals.list({ scope })) {
    const { digest, page } = await rita.branches.diffPage(id);
    expect(page.items[0]?.branch?.payload.derived_from?.length).toBeGreaterThan(0);
    await rita.branches.merge(id, { digest });
  }
}

test('another worker is refused while one runs, and takes its page over after its lease', async () => {
  const { keep, clock, agent, notes, written } = await setUp();
  let isFirst = true;
  const slow = async (changed: ChangedMemory) => {
    if (isFirst) {
      isFirst = false;
      const second = consolidate(agent, scope, summary, { limit: 3 });
      await expect(second).rejects.toMatchObject({ code: 'consumer_held' });
      clock.advance(301_000);
      await consolidate(agent, scope, summary, { limit: 3 });
    }
    return summary(changed);
  };
  const late = await consolidate(agent, scope, slow, { limit: 3 });
  expect(late).toMatchObject({ written: 0, known: 1 });
  expect(await written()).toEqual(notes);
  await keep.close();
});

test('a page is given again when its records change meanwhile', async () => {
  const { keep, agent, memory } = await setUp();
  const attempts: number[] = [];
  const done = await consolidate(agent, scope, async ({ records, attempt }) => {
    attempts.push(attempt);
    const [first] = records;
    if (first === undefined) return [];
    const target = { recordId: first.record_id, expectedRevision: first.revision };
    if (attempt === 1) await memory.update(target, { content: { primary: 'changed' } });
    const record = { content: { primary: first.payload.content.primary } };
    const operation = { type: 'update' as const, record_id: first.record_id, record };
    return [{ ...operation, expected_revision: first.revision }];
  });
  expect(attempts.slice(0, 2)).toEqual([1, 2]);
  expect(done.written).toBe(1);
  await keep.close();
});

test('what was written states the page as its sources, and is not given again', async () => {
  const { keep, agent, memory, notes } = await setUp();
  const done = await consolidate(agent, scope, summary);
  expect(done).toEqual({ pages: 1, written: 1, known: 0 });
  const given: ChangedMemory[] = [];
  await consolidate(agent, scope, (changed) => {
    given.push(changed);
    return [];
  });
  expect(given).toEqual([]);
  for await (const { payload } of memory.query({ source: 'model' })) {
    expect(payload.derived_from).toHaveLength(notes.length);
  }
  await keep.close();
});
