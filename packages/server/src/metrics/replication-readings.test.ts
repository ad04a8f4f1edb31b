/** The metrics of the copy that follows a data directory. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep } from '@agentkeep/core';
import { eventually } from '@agentkeep/testkit/eventually';
import { expect, test } from 'vitest';
import { openMetrics } from './open-metrics.js';

test('PLT-46 shows whether the target takes commits, and how far it is behind', async () => {
  const home = await mkdtemp(join(tmpdir(), 'agentkeep-copied-'));
  const replicateTo = { target: join(home, 'target'), lagMs: 100 };
  const keep = await openKeep({ dataDir: join(home, 'data'), replicateTo });
  try {
    const metrics = await openMetrics(keep);
    await eventually(async () => {
      const text = await metrics.text();
      expect(text).toMatch(/^agentkeep_replication_up 1$/mu);
      expect(text).toMatch(/^agentkeep_replication_lag_seconds 0$/mu);
      expect(text).toMatch(/^agentkeep_replication_waiting_bytes 0$/mu);
      expect(text).toMatch(/^agentkeep_replication_lag_commits 0$/mu);
      expect(text).toMatch(/^agentkeep_replication_copy_time_seconds \d{10}(?:\.\d+)?$/mu);
    });
  } finally {
    await keep.close();
    await rm(home, { recursive: true });
  }
});

test('PLT-46 has no metrics of a copy where there is none', async () => {
  const home = await mkdtemp(join(tmpdir(), 'agentkeep-copied-'));
  const keep = await openKeep({ dataDir: home });
  const text = await (await openMetrics(keep)).text();
  await keep.close();
  await rm(home, { recursive: true });
  expect(text).not.toContain('agentkeep_replication');
});
