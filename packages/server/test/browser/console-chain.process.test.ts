/** The console in Chromium: the chain of the audit log (docs/contract/console.md). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep } from '@agentkeep/core';
import { bootstrapMaster, bootstrapTenant } from '@agentkeep/core/operator';
import { COMPANY } from '@agentkeep/example-company/fill-company';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, expectClean, expectFit } from './console-checks.js';
import {
  companyInChromium,
  type ServedKeep,
  servedKeep,
  signedIn,
  signInBySecret,
} from './console-kit.js';
import { type WatchedPage, watchedPage } from './watched-page.js';

const OPEN = { name: 'Verify the chain' };
const WHOLE = 'The log is intact: no event was altered, removed or moved.';

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('the chain of the audit log in Chromium', () => {
  const served = companyInChromium();

  /** Opens the audit log for who has a secret. */
  async function openedLog({ url }: Pick<ServedKeep, 'url'>, secret: string): Promise<WatchedPage> {
    const watched = await watchedPage(served.browser, { viewport: { width: 1280, height: 800 } });
    await watched.page.goto(`${url}/console/audit`);
    await signInBySecret(watched.page, secret);
    await watched.page.getByRole('heading', { name: 'Audit log' }).waitFor();
    return watched;
  }

  /** Opens the dialog. */
  async function dialogOf(page: Page) {
    await page.getByRole('button', OPEN).press('Enter');
    const dialog = page.getByRole('dialog', OPEN);
    await dialog.waitFor();
    return dialog;
  }

  test('CSL-33, CSL-C60 an administrator verifies the log, also after stopping it', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.goto(`${served.company.url}/console/audit`);
    const dialog = await dialogOf(page);
    await expectAccessible(page);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/audit-logs/verification*', async (route) => {
      await released;
      await route.continue().catch(() => undefined);
    });
    await dialog.getByRole('button', { name: 'Verify', exact: true }).press('Enter');
    await dialog.getByRole('progressbar', { name: 'Verifying the chain' }).waitFor();
    await dialog.getByRole('button', { name: 'Stop' }).press('Enter');
    await dialog.getByText('Verification stopped.').waitFor();
    release();
    await dialog.getByRole('button', { name: 'Verify', exact: true }).press('Enter');
    await dialog.getByText(WHOLE).waitFor();
    const { chains } = await served.company.setup.audit.verify();
    const changes = chains.find(({ chain }) => chain === 'changes');
    await dialog.getByText(changes?.digest ?? 'no digest').waitFor();
    await dialog.getByText(/^[\d,]+ events in [\d,]+ blocks$/u).waitFor();
    await expectFit(page);
    await dialog.getByRole('button', { name: 'Close' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expectClean(watched, served.company.url);
  });

  test('CSL-33, CSL-C60 the master verifies the log of the installation, or of a tenant', async () => {
    const { secret } = await bootstrapMaster(served.company.keep, 'root');
    await using watched = await openedLog(served.company, secret);
    const { page } = watched;
    for (const [tenant, log] of [
      ['', 'The installation'],
      [COMPANY, COMPANY],
    ] as const) {
      const dialog = await dialogOf(page);
      await dialog.getByLabel('Tenant').fill(tenant);
      await dialog.getByRole('button', { name: 'Verify', exact: true }).press('Enter');
      await dialog.getByText(WHOLE).waitFor();
      await dialog.getByRole('definition').filter({ hasText: log }).first().waitFor();
      await dialog.getByRole('button', { name: 'Close' }).press('Enter');
    }
    await expectClean(watched, served.company.url);
  });

  test('CSL-5, CSL-C60 it is not offered to a caller without a role', async () => {
    const { secret } = await served.company.setup.credentials.issue({
      ...{ subject_id: 'reader', capabilities: ['memory_read'], grants: [] },
    });
    await using watched = await openedLog(served.company, secret);
    await watched.page.getByRole('alert').getByText('forbidden').waitFor();
    expect(await watched.page.getByRole('button', OPEN).count()).toBe(0);
  });

  test('CSL-33, CSL-C61 says at which event a damaged log does not hold, and why', async () => {
    const home = mkdtempSync(join(tmpdir(), 'agentkeep-chain-'));
    try {
      const dataDir = join(home, 'data');
      const whole = await openKeep({ dataDir });
      const made = await bootstrapTenant(whole, { tenantId: 'acme', subjectId: 'ops' });
      const [first] = (await (await whole.authenticate(made.secret)).audit.queryPage()).events;
      await whole.close();
      damageFirstEvent(join(dataDir, 'data.mdb'));
      await using damaged = await servedKeep(await openKeep({ dataDir }));
      await using watched = await openedLog(damaged, made.secret);
      const { page } = watched;
      const dialog = await dialogOf(page);
      await dialog.getByRole('button', { name: 'Verify', exact: true }).press('Enter');
      await dialog.getByText('Verification failed.').waitFor();
      await dialog.getByText('The block that begins with the event cannot be read.').waitFor();
      await dialog.getByText(first?.event_id ?? 'no event').waitFor();
      await expectFit(page);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});

/** Changes a letter of the event in which the tenant began. */
function damageFirstEvent(file: string): void {
  const bytes = readFileSync(file);
  const text = Buffer.from('"change":"bootstrapped"');
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) {
    bytes.write('"change":"bootstripped"', at);
  }
  writeFileSync(file, bytes);
}
