/** The console in Chromium: links that sign in once, and links that do not. */
import { findChromium } from '@agentkeep/testkit/find-chromium';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectClean, expectFit } from './console-checks.js';
import { companyInChromium, signedIn, signInByPassword, signInBySecret } from './console-kit.js';
import { watchedPage } from './watched-page.js';

const USED = /used before.*Start the server again for a new one/;
const UNKNOWN = /This link does not sign anyone in/;

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('links in Chromium', () => {
  const served = companyInChromium();

  const isSignedIn = (page: Page) => page.getByRole('link', { name: 'support / desk' }).waitFor();

  test('CSL-13, CSL-14 a link signs in once, leaves the address, and says why not again', async () => {
    await using watched = await watchedPage(served.browser);
    const { page } = watched;
    const link = served.company.link('mara');
    await page.goto(link);
    await isSignedIn(page);
    expect(page.url()).toBe(`${served.company.url}/console`);
    await using other = await watchedPage(served.browser);
    await other.page.goto(link);
    await other.page.getByText(USED).waitFor();
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await other.page.getByText('Your session has ended').count()).toBe(0);
    await expectFit(other.page);
    await signInByPassword(other.page, 'mara');
    await isSignedIn(other.page);
    expect(await other.page.getByText(USED).count()).toBe(0);
    await expectClean(watched, served.company.url);
  });

  test('CSL-14 a wrong link leaves the session alone, and says what to do', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.goto('about:blank');
    await page.goto(`${served.company.url}/console#link=anything`);
    await page.getByText(UNKNOWN).waitFor();
    await page.getByText('You are still signed in as mara.').waitFor();
    await isSignedIn(page);
    expect(page.url()).toBe(`${served.company.url}/console`);
    await expectFit(page);
    await page.getByRole('button', { name: 'Close' }).press('Enter');
    await page.getByText(UNKNOWN).waitFor({ state: 'detached' });
    await page.reload();
    await isSignedIn(page);
  });

  test('CSL-14 a link that is opened in a page that is there counts too', async () => {
    const follow = (page: Page, link: string) => page.evaluate(`location.href = '${link}'`);
    await using watched = await signedIn(served);
    const { page } = watched;
    await follow(page, `${served.company.url}/console#link=anything`);
    await page.getByText('You are still signed in as mara.').waitFor();
    await follow(page, served.company.link('jonas'));
    await page.locator('.person').getByText('jonas').waitFor();
    // A secret is kept by the page alone, so there is nothing to go back to.
    await page.getByRole('button', { name: 'Sign out' }).click();
    const { secret } = await served.company.setup.credentials.issue({
      ...{ subject_id: 'watcher', capabilities: ['memory_read', 'credential_admin'], grants: [] },
    });
    await signInBySecret(page, secret);
    await page.locator('.person').getByText('watcher').waitFor();
    await follow(page, `${served.company.url}/console#link=anything`);
    await page.getByText('You are still signed in as watcher.').waitFor();
  });
});
