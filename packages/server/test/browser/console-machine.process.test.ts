/** The console in Chromium: the machine (docs/contract/console.md). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { bootstrapMaster } from '@agentkeep/core/operator';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  accessibilityProblems,
  type ServedCompany,
  servedCompany,
  signedIn,
  signInBySecret,
} from './console-kit.js';
import { startBrowser, type WatchedPage, watchedPage } from './watched-page.js';

const METRICS_TOKEN = 'metrics-of-the-bikes';

async function expectClean(watched: WatchedPage, url: string): Promise<void> {
  expect(watched.requested.filter((each) => !each.startsWith(`${url}/`))).toEqual([]);
  expect(watched.said).toEqual([]);
  expect(await watched.violations()).toEqual([]);
}

/** Says what axe finds in light and in dark. */
async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityProblems(page), colorScheme).toEqual([]);
  }
}

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('the machine in Chromium', () => {
  let company: ServedCompany;
  let browser: Browser;
  let folder: string;
  let master: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agentkeep-machine-'));
    [company, browser] = await Promise.all([
      servedCompany({}, undefined, { dataDir: folder, metricsToken: METRICS_TOKEN }),
      startBrowser(),
    ]);
    master = (await bootstrapMaster(company.keep, 'root')).secret;
  });

  afterAll(async () => {
    await browser.close();
    await company[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  /** Opens a section of the machine for who has a secret. */
  async function opened(section: string, secret: string): Promise<WatchedPage> {
    const watched = await watchedPage(browser, { viewport: { width: 1280, height: 800 } });
    await watched.page.goto(`${company.url}/console/machine?show=${section}`);
    await signInBySecret(watched.page, secret);
    await watched.page.getByRole('heading', { name: 'The machine' }).waitFor();
    return watched;
  }

  /** Returns the secret of a new administrator of the company. */
  async function officeSecret(): Promise<string> {
    const { secret } = await company.setup.credentials.issue({
      ...{ subject_id: 'office', capabilities: ['credential_admin', 'memory_read'], grants: [] },
    });
    return secret;
  }

  function sections(page: Page): Promise<string[]> {
    const links = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
    return links.allTextContents();
  }

  test('CSL-C7 the master sees how the server does, as charts and as tables', async () => {
    await using watched = await opened('now', master);
    const { page } = watched;
    await page.getByText('The server answers, and so does its store.').waitFor();
    await page.getByRole('img', { name: /^Answer time, from / }).waitFor();
    const stored = page.getByRole('region', { name: 'What is stored' });
    await stored.getByText('Records of memory').waitFor();
    expect(await sections(page)).toEqual(['Health', 'Traffic', 'Snapshots', 'Tenants']);
    // The second sample brings the first rate.
    await page.getByRole('img', { name: /^Commands a second, from / }).waitFor();
    await page.getByText('As a table').first().press('Enter');
    const table = page.getByRole('group', { name: 'Answer time' });
    await table.getByRole('row').nth(2).waitFor();
    await expectAccessible(page);
    await expectClean(watched, company.url);
  });
});
