/** The console in Chromium: rate limits of the installation (docs/contract/console.md). */
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { connectAdministrator } from '@agentkeep/client';
import { bootstrapMaster } from '@agentkeep/core/operator';
import { describe, expect, test } from 'vitest';
import { expectClean, expectFit } from './console-checks.js';
import { companyInChromium, signedIn, signInBySecret } from './console-kit.js';
import { watchedPage } from './watched-page.js';

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('rate limits in Chromium', () => {
  const served = companyInChromium();

  test('CSL-C77 the master makes, changes, disables and deletes a limit', async () => {
    const { secret } = await bootstrapMaster(served.company.keep, 'root');
    const { rateLimits } = connectAdministrator({ url: served.company.url, secret });
    const newest = async () => (await rateLimits.listPage()).policies[0];
    await using watched = await watchedPage(served.browser, {
      viewport: { width: 1280, height: 800 },
    });
    const { page } = watched;
    await page.goto(`${served.company.url}/console/access?show=limits`);
    await signInBySecret(page, secret);
    await page.getByRole('cell', { name: 'sign-ins' }).waitFor();
    await expectFit(page);
    await page.getByRole('button', { name: 'Create a rate limit' }).press('Enter');
    await page.getByLabel('Name').fill('quiet sign-ins');
    await page.getByLabel('Applies to').selectOption('sign-ins');
    await page.getByLabel('Requests per client').fill('20');
    await expectFit(page);
    await page.getByRole('button', { name: 'Create limit' }).press('Enter');
    const made = page.getByRole('row', { name: /^quiet sign-ins/ });
    await made.getByRole('cell', { name: '20 in 1 minute' }).waitFor();
    await made.getByText('applies', { exact: true }).waitFor();
    const older = page.getByRole('row', { name: /^Default Login/ });
    await older.getByText('a newer one applies').waitFor();
    await page.getByRole('button', { name: 'Change quiet sign-ins' }).press('Enter');
    await page.getByLabel('Requests per client').fill('30');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await made.getByRole('cell', { name: '30 in 1 minute' }).waitFor();
    await page.getByRole('button', { name: 'Disable quiet sign-ins' }).press('Enter');
    await expectFit(page);
    await page.getByRole('button', { name: 'Disable limit' }).press('Enter');
    await made.getByText('disabled').waitFor();
    await older.getByText('applies', { exact: true }).waitFor();
    expect(await newest()).toMatchObject({
      ...{ name: 'quiet sign-ins', endpoint_type: 'Login' },
      ...{ max_requests: 30, window_secs: 60, enabled: false },
    });
    await page.getByRole('button', { name: 'Delete quiet sign-ins' }).press('Enter');
    await page.getByRole('button', { name: 'Delete limit' }).press('Enter');
    await made.waitFor({ state: 'detached' });
    await expectFit(page);
    expect((await newest())?.name).not.toBe('quiet sign-ins');
    await expectClean(watched, served.company.url);
    await page.getByRole('button', { name: 'Create a rate limit' }).press('Enter');
    await page.getByLabel('Name').fill('memory');
    await page.getByLabel('Applies to').selectOption('a path');
    await page.getByLabel('Path').fill('/api/v1/memory/');
    await page.getByLabel('Requests per client').fill('200');
    await page.getByRole('button', { name: 'Create limit' }).press('Enter');
    await page.getByText(/without query and trailing slash/).waitFor();
    expect(await watched.violations()).toEqual([]);
  });

  test('CSL-C67 an administrator of a tenant is not offered rate limits', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.goto(`${served.company.url}/console/access?show=limits`);
    await page.getByRole('link', { name: 'ines', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Rate limits' }).count()).toBe(0);
    expect(watched.requested.filter((each) => each.includes('rate-limits'))).toEqual([]);
    await expectClean(watched, served.company.url);
  });
});
