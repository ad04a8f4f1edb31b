/** Sweeps of counts of reads. */
import { testStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import { openKeep } from '../../../index.js';
import { agentFor, bootstrapTenant, runtimeOf } from '../../../operator.js';
import { ManualClock } from '../../../testing.js';
import { memoryReads } from '../record/read-store.js';
import { MemorySweeper } from './memory-sweeper.js';

const DAY_MS = 86_400_000;
const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;

// HIS-38, HIS-46
test('removes days that are no longer kept, and all once counting is off', async () => {
  const clock = new ManualClock();
  await using keep = await openKeep({ store: testStore(), clock });
  const runtime = runtimeOf(keep);
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(secret);
  await admin.retention.set({ expectedRevision: 0 }, { read_days: 2 });
  const ann = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes: [scope] });
  const memory = ann.memory.in(scope);
  const { record_id: id } = await memory.remember('one');
  const { record_id: other } = await memory.remember('two');
  const read = async (recordId: string): Promise<void> => {
    await memory.read(recordId);
    // Stores what was counted.
    expect((await memory.readersPage(recordId)).items).toHaveLength(1);
  };
  const daysLeft = async (): Promise<number[]> => {
    await new MemorySweeper(runtime).sweep();
    const days = await runtime.store.read((tx) =>
      Array.from(memoryReads.rows(tx, 'acme', { prefix: [] }), ({ value }) => value.days.length),
    );
    return days.toSorted();
  };
  await read(id);
  await read(other);
  clock.advance(DAY_MS);
  await read(other);
  expect(await daysLeft()).toEqual([1, 2]);
  clock.advance(DAY_MS);
  expect(await daysLeft()).toEqual([1]);
  await admin.retention.set({ expectedRevision: 1 }, { read_days: 0 });
  expect(await daysLeft()).toEqual([]);
});
