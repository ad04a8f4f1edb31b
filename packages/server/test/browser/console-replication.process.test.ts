/** The console in Chromium: where a server copies its commits to (docs/contract/console.md). */
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrapMaster } from '@agentkeep/core/operator';
import { scopes } from '@agentkeep/example-company/memories';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { afterAll, describe, expect, test } from 'vitest';
import { expectAccessible, expectFit } from './console-checks.js';
import { companyInChromium, servedCompany, signInBySecret } from './console-kit.js';
import { watchedPage } from './watched-page.js';

const METRICS_TOKEN = 'metrics-of-the-bikes';
/** From one sample of a chart to the next. */
const SAMPLE_MS = 5_000;

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('replication in Chromium', () => {
  let folder: string;
  let replica: string;

  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  const served = companyInChromium(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agentkeep-replication-'));
    replica = join(folder, 'replica');
    const serving = { dataDir: join(folder, 'data'), metricsToken: METRICS_TOKEN };
    return servedCompany({ replicateTo: { target: replica, lagMs: 100 } }, undefined, serving);
  });

  test('CSL-96, CSL-C134 the master sees the replication target, and what failed last', async () => {
    const { secret } = await bootstrapMaster(served.company.keep, 'root');
    await using watched = await watchedPage(served.browser, {
      viewport: { width: 1280, height: 800 },
    });
    const { page } = watched;
    await page.clock.install();
    await page.goto(`${served.company.url}/console/system?show=traffic`);
    await signInBySecret(page, secret);
    await page.getByLabel('Metrics secret').fill(METRICS_TOKEN);
    await page.getByRole('button', { name: 'Show metrics' }).press('Enter');
    const replication = page.getByRole('region', { name: 'Replication' });
    await replication.getByText('none since the server started').waitFor();
    await replication.getByText(replica, { exact: true }).waitFor();
    await replication.getByText(/^asynchronous: /).waitFor();
    await replication.getByText(/^[\d,]+, generation 1$/).waitFor();
    await rename(replica, `${replica}-away`);
    try {
      await served.company.agents.support.memory.in(scopes.desk).remember('The copy is away.');
      await expect.poll(() => served.company.keep.replication()?.state).toBe('away');
      await page.clock.fastForward(SAMPLE_MS);
      await replication.getByText('replica_unavailable, ENOENT').waitFor();
      await replication.getByText(/The replication target does not answer/).waitFor();
      await expectAccessible(page);
    } finally {
      await rename(`${replica}-away`, replica);
    }
    // The error stays, with its time, when the target is back.
    await expect.poll(() => served.company.keep.replication()?.state).toBe('shipping');
    await page.clock.fastForward(SAMPLE_MS);
    await replication.getByText('The replication target receives commits.').waitFor();
    await replication.getByText('replica_unavailable, ENOENT').waitFor();
    await expectFit(page);
    expect(await watched.violations()).toEqual([]);
  });
});
