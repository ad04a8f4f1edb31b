/** Old changes go from the oldest on, and cursors before them are refused. */
import { expect, test } from 'vitest';
import { openKeep, type ScopeInput } from '../../../index.js';
import { agentFor } from '../../../operator.js';
import { ManualClock, quickPasswords } from '../../../testing.js';
import { testStore } from '@agentkeep/testkit/test-store';
import { ChangeSweeper } from './change-sweeper.js';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };
const record = {
  episode_type: 'Observation' as const,
  content: { primary: 'x' },
  event_time_millis: 0,
};
const DAY_MS = 86_400_000;

async function setUp() {
  const store = testStore();
  const clock = new ManualClock();
  const keep = await openKeep({ store, clock, passwords: quickPasswords });
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 's', scopes: [scope] });
  const sweeper = new ChangeSweeper({ store, clock, retentionOf: () => 30 * DAY_MS });
  const ids = async (after?: string): Promise<string[]> => {
    const page = await agent.memory.changesPage({ after, limit: 256 });
    expect(page.has_more).toBe(false);
    return page.changes.map(({ record_id }) => record_id);
  };
  return { keep, clock, sweeper, memory: agent.memory, ids };
}

// CHG-13, CHG-14
test('a cursor before a removed change has expired; the oldest kept change is the first', async () => {
  const { keep, clock, sweeper, memory, ids } = await setUp();
  const start = await memory.changesPage({ after: 'latest' });
  const made: string[] = [];
  const create = async (): Promise<void> => {
    made.push((await memory.in(scope).create(record)).record_id);
  };
  for (let count = 0; count < 3; count += 1) await create();
  const between = await memory.changesPage();
  clock.advance(20 * DAY_MS);
  for (let count = 0; count < 2; count += 1) await create();
  await sweeper.sweep();
  expect(await ids(start.next_after)).toEqual(made);
  clock.advance(11 * DAY_MS);
  await sweeper.sweep();
  const [first = ''] = between.changes.map(({ cursor }) => cursor);
  for (const after of [start.next_after, first]) {
    await expect(ids(after)).rejects.toMatchObject({
      code: 'position_expired',
      members: [{ path: 'after' }],
    });
  }
  expect(await ids()).toEqual(made.slice(3));
  expect(await ids(between.next_after)).toEqual(made.slice(3));
  expect(await ids('latest')).toEqual([]);
  await keep.close();
});

test('many changes go in several transactions, and those of other tenants stay', async () => {
  const { keep, clock, sweeper, memory, ids } = await setUp();
  const other = await agentFor(keep, { tenantId: 'other', subjectId: 's', scopes: [scope] });
  for (let count = 0; count < 2; count += 1) {
    await memory.batch(
      Array.from({ length: 150 }, () => ({
        scope,
        operation: { type: 'create', record } as const,
      })),
    );
  }
  clock.advance(30 * DAY_MS);
  await other.memory.in(scope).create(record);
  clock.advance(1);
  await sweeper.sweep();
  expect(await ids()).toEqual([]);
  expect((await other.memory.changesPage()).changes).toHaveLength(1);
  await keep.close();
});
