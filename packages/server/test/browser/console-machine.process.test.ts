/** The console in Chromium: the machine (docs/contract/console.md). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { connect } from '@agentkeep/client';
import type { WebhookSender } from '@agentkeep/core';
import { bootstrapMaster, createAdmin } from '@agentkeep/core/operator';
import { ManualClock } from '@agentkeep/core/testing';
import { eventually } from '@agentkeep/testkit/eventually';
import { COMPANY, PASSWORD } from '@agentkeep/example-company/fill-company';
import { scopes } from '@agentkeep/example-company/memories';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, expectClean } from './console-checks.js';
import {
  companyInChromium,
  type ServedCompany,
  servedCompany,
  signedIn,
  signInBySecret,
} from './console-kit.js';
import { type WatchedPage, watchedPage } from './watched-page.js';

const DAY_MS = 86_400_000;
const METRICS_TOKEN = 'metrics-of-the-bikes';
/** From one sample of a chart to the next. */
const SAMPLE_MS = 5_000;

/** Returns the path and the title of a screen: sections of the system are shown in it. */
function placeOf(section: string): { readonly path: string; readonly title: string } {
  const own: Readonly<Record<string, string>> = {
    ...{ tenants: 'Tenants', webhooks: 'Webhooks', erasures: 'Erasures' },
  };
  const title = own[section];
  return title === undefined
    ? { path: `system?show=${section}`, title: 'System' }
    : { path: section, title };
}

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('the machine in Chromium', () => {
  let folder: string;
  let replica: string;
  let master: string;

  afterAll(async () => {
    await rm(folder, { recursive: true });
    await rm(replica, { recursive: true });
  });

  const served = companyInChromium(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agentkeep-machine-'));
    replica = `${folder}-replica`;
    const replicateTo = { target: replica, lagMs: 100 };
    const serving = { dataDir: folder, metricsToken: METRICS_TOKEN };
    return servedCompany({ replicateTo }, undefined, serving);
  });

  beforeAll(async () => {
    master = (await bootstrapMaster(served.company.keep, 'root')).secret;
  });

  /** Opens a screen of the system, or a section of it, for who has a secret. */
  async function opened(
    section: string,
    secret: string,
    { url }: Pick<ServedCompany, 'url'> = served.company,
  ): Promise<WatchedPage> {
    const watched = await watchedPage(served.browser, { viewport: { width: 1280, height: 800 } });
    await watched.page.clock.install();
    const { path, title } = placeOf(section);
    await watched.page.goto(`${url}/console/${path}`);
    await signInBySecret(watched.page, secret);
    await watched.page.getByRole('heading', { name: title, exact: true }).waitFor();
    return watched;
  }

  /** Returns the secret of a new administrator of the company. */
  async function officeSecret(): Promise<string> {
    const { secret } = await served.company.setup.credentials.issue({
      ...{ subject_id: 'office', capabilities: ['credential_admin', 'memory_read'], grants: [] },
    });
    return secret;
  }

  function sections(page: Page): Promise<string[]> {
    const links = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
    return links.allTextContents();
  }

  function screens(page: Page): Promise<string[]> {
    const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
    return links.allTextContents();
  }

  test('CSL-C7, CSL-C14 the master sees how the server does, as charts and as tables', async () => {
    await using watched = await opened('now', master);
    const { page } = watched;
    await page.getByText('The server and its store are responding.').waitFor();
    const drawing = page.getByRole('img', { name: /^Response time, from / });
    await drawing.waitFor();
    const times = page.locator('figure', { has: drawing }).locator('.chart-from, .chart-until');
    // One sample has one time.
    await expect.poll(() => times.count()).toBe(1);
    const stored = page.getByRole('region', { name: 'Stored entries' });
    await stored.getByText('Memory records').waitFor();
    expect(await sections(page)).toEqual(['Health', 'Traffic', 'Snapshots']);
    // The second sample brings the first rate.
    await page.clock.fastForward(SAMPLE_MS);
    await page.getByRole('img', { name: /^Commands per second, from / }).waitFor();
    await expect.poll(() => times.count()).toBe(2);
    await page.getByText('As a table').first().press('Enter');
    const table = page.getByRole('group', { name: 'Response time' });
    await table.getByRole('row').nth(2).waitFor();
    await expectAccessible(page);
    await expectClean(watched, served.company.url);
  });

  test('the metrics are shown with their secret, and with no other', async () => {
    await using watched = await opened('traffic', master);
    const { page } = watched;
    await page.getByLabel('Metrics secret').fill('another-secret-of-16');
    await page.getByRole('button', { name: 'Show metrics' }).press('Enter');
    await page.getByText('The metrics secret is wrong.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Metrics secret').fill(METRICS_TOKEN);
    await page.getByRole('button', { name: 'Show metrics' }).press('Enter');
    await page.getByRole('cell', { name: 'transactions' }).waitFor();
    await page.clock.fastForward(SAMPLE_MS);
    await page.getByRole('img', { name: /^Response time, from / }).waitFor();
    await page.getByRole('img', { name: /^Requests per second, from / }).waitFor();
    // docs/contract/console.md#csl-94
    await page.getByRole('img', { name: /^Replication lag, from / }).waitFor();
    const replication = page.getByRole('region', { name: 'Replication' });
    await replication.getByText('The replication target receives commits.').waitFor();
    await replication.getByText(/^\d+ commits, /).waitFor();
    await expectAccessible(page);
    // Chromium reports the refused request in its console.
    expect(watched.said.filter((each) => !each.includes('401'))).toEqual([]);
    expect(await watched.violations()).toEqual([]);
  });

  test('CSL-91 the usage of a tenant without a quota is counted when asked for', async () => {
    await using watched = await opened('tenants', master);
    const { page } = watched;
    await page.getByRole('link', { name: COMPANY }).click();
    await page.getByText('The tenant has no quota').waitFor();
    expect(watched.requested.filter((each) => each.includes('/use'))).toEqual([]);
    await page.getByRole('button', { name: 'Count the usage' }).press('Enter');
    await page.getByText(/^Records: [1-9][\d,]*\. Entries of all kinds: [\d,]+, /u).waitFor();
    await expectAccessible(page);
    await expectClean(watched, served.company.url);
  });

  test('the master registers a tenant, bounds it, and erases it', async () => {
    await using watched = await opened('tenants', master);
    const { page } = watched;
    await page.getByRole('link', { name: COMPANY }).waitFor();
    await page.getByRole('button', { name: 'Register a tenant' }).press('Enter');
    await page.getByLabel('Tenant', { exact: true }).fill('berg-boats');
    await page.getByLabel('Name', { exact: true }).fill('Berg Boats');
    await page.getByLabel('Subject of the administrator').fill('berg');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Register', exact: true }).press('Enter');
    const secret = (await page.locator('.secret').textContent()) ?? '';
    await page.getByRole('button', { name: 'I have kept it' }).press('Enter');
    const berg = connect({ url: served.company.url, secret });
    expect((await berg.whoAmI()).tenant_id).toBe('berg-boats');
    await page.getByRole('link', { name: 'berg-boats' }).click();
    await page.getByText('The tenant has no quota').waitFor();
    await page.getByRole('button', { name: 'Change the quota' }).press('Enter');
    await page.getByLabel('Maximum entries').fill('1000');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('progressbar', { name: 'Entries' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Erase the tenant' }).press('Enter');
    await page.getByLabel('Type berg-boats to confirm').fill(COMPANY);
    await page.getByRole('button', { name: 'Erase permanently' }).press('Enter');
    await page.getByText('The name does not match.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Type berg-boats to confirm').fill('berg-boats');
    await page.getByRole('button', { name: 'Erase permanently' }).press('Enter');
    await page.getByText('finished', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Check the signature' }).press('Enter');
    await page.getByText('The signature is valid').waitFor();
    await expectAccessible(page);
    await expect(berg.whoAmI()).rejects.toMatchObject({ code: 'unauthorized' });
    await page.getByRole('link', { name: 'All tenants' }).click();
    await page.getByRole('link', { name: 'Erased tenants' }).click();
    // CSL-90
    const erased = page.locator('tbody tr').filter({ hasText: 'finished' });
    await erased.waitFor();
    await expectAccessible(page);
    expect(await page.locator('main').innerText()).not.toContain('berg-boats');
    await erased.getByRole('link').click();
    await page.getByRole('heading', { name: 'Certificate' }).waitFor();
    expect(watched.said.filter((each) => !each.includes('404'))).toEqual([]);
  });

  test('an administrator of a tenant erases a subject, once its name is typed', async () => {
    await served.company.setup.credentials.issue({
      ...{ subject_id: 'temp', capabilities: ['memory_read'], grants: [] },
    });
    await using watched = await opened('erasures', await officeSecret());
    const { page } = watched;
    expect(await screens(page)).toEqual([
      ...['Memory', 'Branches', 'Learning', 'Access', 'Audit log', 'System'],
      ...['Webhooks', 'Erasures'],
    ]);
    await page.getByRole('button', { name: 'Erase a subject or scope' }).press('Enter');
    await page.getByLabel('Subject', { exact: true }).fill('temp');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue' }).press('Enter');
    await page.getByRole('heading', { name: 'Permanently erase temp?' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Type temp to confirm').fill('temp');
    await page.getByRole('button', { name: 'Erase permanently' }).press('Enter');
    const certificate = page.getByRole('region', { name: 'Certificate' });
    await certificate.getByRole('button', { name: 'Check the signature' }).press('Enter');
    await certificate.getByText('The signature is valid').waitFor();
    await page.getByText('Entries by family').press('Enter');
    await expectAccessible(page);
    expect(await page.locator('main').textContent()).not.toContain('temp');
    await page.getByRole('link', { name: 'All erasures' }).click();
    await page.getByRole('cell', { name: 'A subject' }).first().waitFor();
    await expectAccessible(page);
    await expectClean(watched, served.company.url);
  });

  test('makes, pauses and deletes a webhook', async () => {
    await using watched = await opened('webhooks', await officeSecret());
    const { page } = watched;
    await page.getByRole('button', { name: 'Create a webhook' }).press('Enter');
    await page.getByLabel('Name', { exact: true }).fill('stock list');
    await page.getByLabel('Address', { exact: true }).fill('https://list.example/hooks');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create webhook' }).press('Enter');
    await page.getByText('The receiver checks signatures with this secret.').waitFor();
    expect(await page.locator('.secret').textContent()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have kept it' }).press('Enter');
    await page.getByRole('link', { name: 'stock list' }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const frame = "document.querySelector('.table-frame')";
    expect(await page.evaluate(`${frame}.scrollWidth - ${frame}.clientWidth`)).toBe(0);
    await page.getByRole('link', { name: 'stock list' }).click();
    await page.getByRole('button', { name: 'Pause' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).press('Enter');
    await page.getByText('paused', { exact: true }).waitFor();
    await page.getByText('No dead letters.').waitFor();
    await page.getByRole('button', { name: 'Replace the secret' }).press('Enter');
    const asked = page.getByRole('dialog');
    await asked.getByRole('button', { name: 'Replace the secret' }).press('Enter');
    await page.getByRole('button', { name: 'I have kept it' }).press('Enter');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('link', { name: 'stock list' }).waitFor({ state: 'detached' });
    await expectClean(watched, served.company.url);
  });

  test('CSL-C14 an account with the role Admin sees whether the server is well, and no more', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.getByRole('link', { name: 'System' }).click();
    await page.getByText('The server and its store are responding.').waitFor();
    expect(await sections(page)).toEqual(['Health']);
    await page.goto(`${served.company.url}/console/tenants`);
    await page.getByText('You do not have permission to view this page').waitFor();
    await expectAccessible(page);
    expect(watched.requested.filter((each) => each.includes('/admin/'))).toEqual([]);
    await expectClean(watched, served.company.url);
  });

  test('CSL-20, CSL-C14 an account of the installation begins with its system, and an agent has none', async () => {
    await createAdmin(served.company.keep, { username: 'root', password: PASSWORD });
    await using watched = await watchedPage(served.browser);
    const { page } = watched;
    await page.clock.install();
    await page.goto(`${served.company.url}/console`);
    await page.getByLabel('Username').fill('root');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'System' }).waitFor();
    // The session is looked at every second, also where there is no credential.
    await page.getByRole('img', { name: /^Response time, from / }).waitFor();
    await page.clock.fastForward(SAMPLE_MS);
    await page.getByRole('img', { name: /^Commands per second, from / }).waitFor();
    expect(await sections(page)).toEqual(['Health', 'Traffic', 'Snapshots']);
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('Details').first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Tenant').waitFor();
    const { secret } = await served.company.setup.credentials.issue({
      ...{ subject_id: 'probe', capabilities: ['memory_read'], grants: [scopes.stock] },
    });
    await page.goto(`${served.company.url}/console/system`);
    await signInBySecret(page, secret);
    await page.getByText('You do not have permission to view this page').waitFor();
    await expectAccessible(page);
    expect(await page.getByRole('link', { name: 'System' }).count()).toBe(0);
  });

  test('USR-57 the owner of the installation signs in and manages its tenants', async () => {
    const owner = { username: 'owner', password: PASSWORD, isOwner: true };
    await createAdmin(served.company.keep, owner);
    await using watched = await watchedPage(served.browser);
    const { page } = watched;
    await page.goto(`${served.company.url}/console`);
    await page.getByLabel('Username').fill('owner');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'System' }).waitFor();
    await page.getByRole('link', { name: 'Tenants' }).click();
    await page.getByRole('link', { name: COMPANY }).waitFor();
    await page.getByRole('button', { name: 'Register a tenant' }).press('Enter');
    await page.getByLabel('Tenant', { exact: true }).fill('seller');
    await page.getByLabel('Subject of the administrator').fill('seller');
    await page.getByRole('button', { name: 'Register', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'I have kept it' }).press('Enter');
    await page.getByRole('link', { name: 'seller' }).waitFor();
    await expectAccessible(page);
    await expectClean(watched, served.company.url);
  });

  test('has what a webhook gave up delivered again, or removes it', async () => {
    const clock = new ManualClock();
    const receiver = { isBroken: true };
    const webhookSender: WebhookSender = {
      send: () =>
        Promise.resolve({
          kind: 'answered',
          status: receiver.isBroken ? 503 : 204,
          retryAfterMs: null,
        }),
    };
    await using broken = await servedCompany({ clock, webhookSender });
    const { secret } = await broken.setup.credentials.issue({
      ...{ subject_id: 'office', capabilities: ['credential_admin'], grants: [] },
    });
    const { webhooks } = connect({ url: broken.url, secret });
    const [webhook] = await webhooks.list();
    const stock = broken.agents.purchasing.memory.in(scopes.stock);
    await eventually(async () => {
      await stock.remember('A bell was sold.');
      clock.advance(DAY_MS);
      expect(await webhooks.deadLetters(webhook?.id ?? '')).toHaveLength(1);
    });
    await using watched = await watchedPage(served.browser, {
      viewport: { width: 1280, height: 800 },
    });
    const { page } = watched;
    await page.goto(`${broken.url}/console/webhooks?id=${webhook?.id ?? ''}`);
    await signInBySecret(page, secret);
    await page.getByRole('cell', { name: 'response 503' }).waitFor();
    // Who reads no memory cannot make a webhook read with its rights.
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    await expectAccessible(page);
    receiver.isBroken = false;
    await page.getByRole('button', { name: 'Deliver all again' }).press('Enter');
    await eventually(async () => {
      clock.advance(DAY_MS);
      await stock.remember('A lamp was sold.');
      expect(await webhooks.deadLetters(webhook?.id ?? '')).toEqual([]);
    });
    await page.getByRole('link', { name: 'All webhooks' }).click();
    await page.getByRole('link', { name: 'web shop' }).click();
    await page.getByText('No dead letters.').waitFor();
    receiver.isBroken = true;
    await eventually(async () => {
      await stock.remember('A chain was sold.');
      clock.advance(DAY_MS);
      expect(await webhooks.deadLetters(webhook?.id ?? '')).toHaveLength(1);
    });
    await page.getByRole('link', { name: 'All webhooks' }).click();
    await page.getByRole('link', { name: 'web shop' }).click();
    await page.getByRole('button', { name: 'Remove…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Remove this dead letter?' });
    await dialog.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await page.getByText('No dead letters.').waitFor();
    expect(await webhooks.deadLetters(webhook?.id ?? '')).toEqual([]);
    await expectClean(watched, broken.url);
  });
});
