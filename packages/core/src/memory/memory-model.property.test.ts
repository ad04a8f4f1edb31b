/**
 * Random histories of tenants, credentials and memory, compared step by step with a plain model of
 * the contract.
 * @module
 */
import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HistoryRunner, type Place, type Tally } from '../../test/memory-model/history-runner.js';
import { type Step, step, TENANTS } from '../../test/memory-model/steps.js';
import { openLmdbStore } from '../storage/lmdb-store/open-lmdb-store.js';
import { testStore } from '@agentkeep/testkit/test-store';

const RUNS_MIN = 60;
/** Histories on disk are fewer, since each opens a directory several times. */
const RUNS_PER_DIRECTORY = 10;
/** Without these a history would say little. */
const ANSWERS = [
  ...['create done', 'update done', 'delete done', 'query done', 'read done'],
  ...['create idempotency_conflict', 'update revision_conflict', 'update record_not_found'],
  ...['create forbidden', 'create unauthorized', 'create invalid_request'],
  ...['read forbidden', 'read unauthorized', 'read record_not_found'],
];
const STEPS_MAX = 120;
const TIMEOUT_MS_PER_RUN = 500;

/** Every credential is revoked before its holder writes, which random steps seldom come to. */
const revoked: Step[] = [
  ...TENANTS.flatMap((_, tenant) =>
    Array.from({ length: 8 }, (_none, credential) => {
      return { type: 'revoke', tenant, credential, off: 0 } as const;
    }),
  ),
  ...Array.from({ length: 8 }, (_, caller): Step => {
    const record = {
      primary: 'a',
      extra: null,
      episode_type: 'Error',
      event_time_millis: 0,
    } as const;
    const target = { from: 'nowhere', index: 0 } as const;
    const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
    return {
      type: 'command',
      key: null,
      caller,
      scope,
      change: { type: 'create', target, off: 0, record },
    };
  }),
];

/** Raised by a variable; never lowered, or rare answers might not be met. */
const runs = Math.max(RUNS_MIN, Number(process.env['AGENTKEEP_PROPERTY_RUNS'] ?? 0));
const timeout = 30_000 + runs * TIMEOUT_MS_PER_RUN;

async function runHistories(
  numRuns: number,
  withPlace: (run: (place: Place) => Promise<void>) => Promise<void>,
): Promise<Tally> {
  const tally: Tally = new Map();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: STEPS_MAX, size: 'max' }), async (steps) => {
      await withPlace(async (place) => {
        const runner = new HistoryRunner(place, tally);
        try {
          await runner.start();
          for (const each of steps) await runner.run(each);
          await runner.finish();
        } finally {
          await runner.close();
        }
      });
    }),
    { numRuns, examples: [[revoked]] },
  );
  return tally;
}

test('histories in memory are those of the model', { timeout }, async () => {
  const tally = await runHistories(runs, async (run) => {
    const store = testStore();
    await run({ open: () => Promise.resolve(store), leave: () => Promise.resolve() });
  });
  expect([...tally.keys()]).toEqual(expect.arrayContaining(ANSWERS));
});

test(
  'histories on disk, opened again in between, are those of the model',
  { timeout },
  async () => {
    await runHistories(Math.ceil(runs / RUNS_PER_DIRECTORY), async (run) => {
      const parent = await mkdtemp(join(tmpdir(), 'agentkeep-model-'));
      const directory = join(parent, 'store');
      try {
        await run({
          open: () => openLmdbStore({ directory, reserveBytes: 0, durability: 'relaxed' }),
          leave: (keep) => keep.close(),
        });
      } finally {
        await rm(parent, { recursive: true, force: true });
      }
    });
  },
);
