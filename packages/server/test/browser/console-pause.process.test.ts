/** Pausing agents and people in the console, in Chromium (docs/contract/console.md#csl-84). */
import { connect, connectAdministrator } from '@agentkeep/client';
import { bootstrapMaster } from '@agentkeep/core/operator';
import { COMPANY, PASSWORD } from '@agentkeep/example-company/fill-company';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectBestPractice, expectClean, expectFit } from './console-checks.js';
import { companyInChromium, signedIn, signInBySecret } from './console-kit.js';
import { loggedIn } from './console-sessions-kit.js';
import { type WatchedPage, watchedPage } from './watched-page.js';

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('pausing in Chromium', () => {
  const served = companyInChromium();

  /** Opens a page for an administrator of credentials. */
  async function managing(path: string, options: BrowserContextOptions): Promise<WatchedPage> {
    const { secret } = await served.company.setup.credentials.issue({
      ...{ subject_id: 'office', capabilities: ['credential_admin'], grants: [] },
    });
    const watched = await watchedPage(served.browser, options);
    await watched.page.goto(`${served.company.url}/console${path}`);
    await signInBySecret(watched.page, secret);
    return watched;
  }

  test('CSL-84 pauses an agent with a reason by keyboard, and resumes it with one button', async () => {
    const { secret, credential } = await served.company.setup.credentials.issue({
      ...{ subject_id: 'nightly', capabilities: ['memory_read'], grants: [] },
    });
    const agent = connect({ url: served.company.url, secret });
    await using watched = await managing('/access', { viewport: { width: 1280, height: 800 } });
    const { page } = watched;
    await page.getByRole('link', { name: 'nightly' }).press('Enter');
    await page.getByText('nightly is not paused.').waitFor();
    await page.getByRole('button', { name: 'Pause nightly' }).press('Enter');
    await page.getByLabel('Reason').fill('It repeats itself.');
    await expectBestPractice(page);
    await page.getByLabel('Reason').press('Enter');
    await page.getByText('It repeats itself.').waitFor();
    await expectBestPractice(page);
    await expectFit(page);
    await expect(agent.whoAmI()).rejects.toMatchObject({ code: 'subject_blocked' });
    await page.getByRole('button', { name: 'Resume nightly' }).press('Enter');
    await page.getByText('nightly is not paused.').waitFor();
    expect((await agent.whoAmI()).id).toBe(credential.id);
    await expectClean(watched, served.company.url);
  });

  test('CSL-85 pauses a person in German on a phone, whose session is refused', async () => {
    const { keep, setup, url } = served.company;
    const { secret } = await bootstrapMaster(keep, 'root');
    const { credential } = await setup.credentials.issue({
      ...{ subject_id: 'nora', capabilities: ['credential_admin', 'memory_read'], grants: [] },
    });
    const account = { username: 'nora', password: PASSWORD, roles: ['Admin' as const] };
    const { users } = connectAdministrator({ url, secret });
    await users.create({ ...account, credential_id: credential.id }, { tenantId: COMPANY });
    const { agent: ines } = await loggedIn(served.company, 'ines');
    const viewport = { width: 320, height: 640 };
    await using watched = await signedIn(served, 'nora', { locale: 'de', viewport });
    const { page } = watched;
    await page.goto(`${url}/console/access?show=accounts`);
    await page.getByRole('link', { name: 'ines' }).click();
    await page.getByRole('button', { name: 'ines pausieren' }).click();
    await page.getByText('Nichts wird gelöscht.').waitFor();
    await page.getByLabel('Grund').fill('Im Urlaub.');
    await expectBestPractice(page);
    await page.getByRole('button', { name: 'Pausieren', exact: true }).click();
    await page.getByText('Im Urlaub.').waitFor();
    await expectFit(page);
    await expect(ines.whoAmI()).rejects.toMatchObject({ code: 'subject_blocked' });
    await page.getByRole('button', { name: 'Pause von ines beenden' }).click();
    await page.getByText('ines ist nicht pausiert.').waitFor();
    await ines.whoAmI();
    await page.goto(`${url}/console/access?show=credentials`);
    await page.getByRole('link', { name: 'nora' }).click();
    await page.getByRole('heading', { name: 'nora', level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: 'nora pausieren' }).count()).toBe(0);
  });
});
