/** Consumers at several servers, beside removed changes, and as loops of an agent. */
import { describe, expect, test } from 'vitest';
import { sharedTestStore, testStore } from '@agentkeep/testkit/test-store';
import type { Agent } from '../../../client/agent.js';
import { type Keep, openKeep, type ScopeInput } from '../../../index.js';
import { agentFor } from '../../../operator.js';
import { ManualClock, quickPasswords } from '../../../testing.js';
import { ChangeSweeper } from '../changes/change-sweeper.js';

const DAY_MS = 86_400_000;
const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };

const worker = (keep: Keep): Promise<Agent> =>
  agentFor(keep, { tenantId: 'acme', subjectId: 'worker', scopes: [scope] });

async function remember(agent: Agent, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let left = count; left > 0; left -= 1) {
    ids.push((await agent.memory.in(scope).remember(`text ${left}`)).record_id);
  }
  return ids;
}

test('CNS-C9 a position before removed changes has to begin anew', async () => {
  const store = testStore();
  const clock = new ManualClock();
  const keep = await openKeep({ store, clock, passwords: quickPasswords });
  const agent = await worker(keep);
  const consumer = agent.memory.consumers.open('nightly');
  await consumer.claim();
  await remember(agent, 2);
  clock.advance(31 * DAY_MS);
  const kept = await remember(agent, 1);
  await new ChangeSweeper({ store, clock, retentionOf: () => 30 * DAY_MS }).sweep();
  await expect(consumer.read()).rejects.toMatchObject({ code: 'position_expired' });
  await consumer.claim({ restart: true });
  const { page } = await consumer.read();
  expect(page.changes.map(({ record_id }) => record_id)).toEqual(kept);
  await keep.close();
});

test('CNS-C10 workers at two servers share the changes, each once', async () => {
  const memory = sharedTestStore();
  const clock = new ManualClock();
  const open = () => openKeep({ store: memory.open(), clock, passwords: quickPasswords });
  const keeps = await Promise.all([open(), open()]);
  const agents = await Promise.all(keeps.map(worker));
  const [first] = agents;
  if (first === undefined) throw new Error('No server.');
  const ids = await remember(first, 24);
  const seen: string[] = [];
  let held = 0;
  const work = async (agent: Agent, at: number): Promise<void> => {
    for (let round = 0; round < 40; round += 1) {
      const consumer = agent.memory.consumers.open('shared', { holder: `${at} ${round}` });
      try {
        for await (const { changes } of consumer.pages({ limit: 2 })) {
          seen.push(...changes.map(({ record_id }) => record_id));
          // The page is committed, then the next worker may come.
          const { page } = { page: changes.at(-1) };
          if (page !== undefined && round % 2 === 0) await consumer.commit(page.cursor);
          if (round % 2 === 0) break;
        }
      } catch (error) {
        if ((error as { code?: string }).code !== 'consumer_held') throw error;
        held += 1;
      }
    }
  };
  await Promise.all(agents.map(work));
  expect(seen.toSorted()).toEqual(ids.toSorted());
  expect(held).toBeGreaterThan(0);
  await Promise.all(keeps.map((keep) => keep.close()));
});

describe('pages', () => {
  test('commit what the loop has done, and leave the rest to the next one', async () => {
    const keep = await openKeep({ store: testStore(), passwords: quickPasswords });
    const agent = await worker(keep);
    const ids = await remember(agent, 5);
    const { consumers } = agent.memory;
    const seen: string[] = [];
    const pageIds: string[] = [];
    const failing = async (): Promise<void> => {
      for await (const { id, changes } of consumers.open('loop').pages({ limit: 2 })) {
        pageIds.push(id);
        if (seen.length === 2) throw new Error('killed');
        seen.push(...changes.map(({ record_id }) => record_id));
      }
    };
    await expect(failing()).rejects.toThrow('killed');
    for await (const { id, changes, renew } of consumers.open('loop').pages({ limit: 100 })) {
      pageIds.push(id);
      await renew();
      seen.push(...changes.map(({ record_id }) => record_id));
    }
    expect(seen).toEqual(ids);
    // The page that was not committed came again, as it was.
    expect(pageIds).toHaveLength(4);
    expect(pageIds[1]).toBe(pageIds[2]);
    await keep.close();
  });

  test('wait for changes until the signal ends them, and release the consumer', async () => {
    const keep = await openKeep({ store: testStore(), passwords: quickPasswords });
    const agent = await worker(keep);
    const ending = new AbortController();
    const consumer = agent.memory.in(scope).consumers.open('waiting', { start: 'latest' });
    await consumer.claim();
    const waiting = (async () => {
      for await (const { changes } of consumer.pages({ wait: true, signal: ending.signal })) {
        return changes.length;
      }
      return 0;
    })();
    await remember(agent, 1);
    expect(await waiting).toBe(1);
    const [shown] = await agent.memory.consumers.list();
    expect(shown).toMatchObject({ name: 'waiting', lease: null });
    await agent.memory.consumers.delete('waiting');
    expect(await agent.memory.consumers.list()).toEqual([]);
    await keep.close();
  });
});
