/**
 * Random histories of tenants, credentials and memory in a directory, which is reopened in between,
 * each answer compared with a plain model of the contract.
 */
import { onDisk, playHistories } from '@agentkeep/testkit/player';
import { expect, test } from 'vitest';

/** Few, because each opens a directory several times. An environment variable can raise it. */
const RUNS_MIN = 30;
const TIMEOUT_MS_PER_RUN = 20_000;

const runs = Math.max(
  RUNS_MIN,
  Math.ceil(Number(process.env['AGENTKEEP_PROPERTY_RUNS'] ?? 0) / 10),
);
const timeout = 300_000 + runs * TIMEOUT_MS_PER_RUN;

test('histories on disk, reopened in between, match the model', { timeout }, async () => {
  const { met } = await playHistories(runs, onDisk);
  expect(met.has('create done')).toBe(true);
});
