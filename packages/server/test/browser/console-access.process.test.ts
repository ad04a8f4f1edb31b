/** The console in Chromium: sessions, API keys and issuers (docs/contract/console.md). */
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { connect, logIn } from '@agentkeep/client';
import { COMPANY, PASSWORD } from '@agentkeep/example-company/fill-company';
import { describe, expect, test } from 'vitest';
import { expectClean, expectFit } from './console-checks.js';
import { companyInChromium, signedIn, signInBySecret } from './console-kit.js';
import { watchedPage } from './watched-page.js';

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('access in Chromium', () => {
  const served = companyInChromium();

  const loggedIn = (username: string) =>
    logIn({ url: served.company.url, tenantId: COMPANY, username, password: PASSWORD });

  test('CSL-C50 an administrator ends the sessions of an account, and revokes its keys', async () => {
    const jonas = await loggedIn('jonas');
    const [lost, used] = [
      await jonas.agent.keys.create('lost'),
      await jonas.agent.keys.create('ci'),
    ];
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.getByRole('link', { name: 'Access' }).click();
    await page.getByRole('link', { name: 'jonas' }).click();
    await page.getByRole('button', { name: 'Revoke lost' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('button', { name: 'Revoke lost' }).waitFor({ state: 'detached' });
    const asks = (secret: string) =>
      connect({ url: served.company.url, secret }).users.get(jonas.tokens.user_id);
    await expect(asks(lost.key)).rejects.toMatchObject({ code: 'unauthorized' });
    expect((await asks(used.key)).username).toBe('jonas');
    await page.getByRole('button', { name: 'End sessions' }).click();
    await page.getByLabel('Also end the API keys and connected programs').check();
    await page.getByLabel('Reason').fill('His laptop is lost.');
    await expectFit(page);
    await page.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click();
    await page.getByText('All sessions have ended.').waitFor();
    await page.getByText('No API keys').waitFor();
    await expectFit(page);
    await expect(jonas.agent.session.refresh()).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(asks(used.key)).rejects.toMatchObject({ code: 'unauthorized' });
    await page.getByRole('link', { name: 'All accounts' }).click();
    await page.getByRole('link', { name: 'mara' }).click();
    await page.getByRole('heading', { name: 'mara' }).waitFor();
    expect(await page.getByRole('button', { name: 'End sessions' }).count()).toBe(0);
    await expectClean(watched, served.company.url);
  });

  test('CSL-C51 a person makes an API key, which is shown once, and revokes it', async () => {
    await using watched = await signedIn(served, 'ines');
    const { page } = watched;
    await page.getByRole('link', { name: 'My account' }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByText('No API keys').waitFor();
    await expectFit(page);
    await page.getByRole('button', { name: 'Create an API key' }).press('Enter');
    await page.getByLabel('Name').fill('notebook');
    await page.getByLabel('Expires after (days)').fill('30');
    await expectFit(page);
    await page.getByLabel('Name').press('Enter');
    await page.getByRole('heading', { name: 'Save this secret now' }).waitFor();
    const secret = (await page.locator('.secret').textContent()) ?? '';
    await page.getByRole('button', { name: 'I have kept it' }).press('Enter');
    await page.getByRole('button', { name: 'Revoke notebook' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await expectFit(page);
    const { agent } = await loggedIn('ines');
    const { keys } = await agent.keys.listPage();
    expect(keys.map(({ name }) => name)).toEqual(['notebook']);
    await page.getByRole('button', { name: 'Revoke notebook' }).click();
    await expectFit(page);
    await page.getByRole('button', { name: 'Revoke key' }).press('Enter');
    await page.getByText('No API keys').waitFor();
    const refused = connect({ url: served.company.url, secret }).whoAmI();
    await expect(refused).rejects.toMatchObject({ code: 'unauthorized' });
    await expectClean(watched, served.company.url);
  });

  test('CSL-C52 an issuer is trusted, changed and blocked, and one changed elsewhere is not', async () => {
    const { secret } = await served.company.setup.credentials.issue({
      ...{ subject_id: 'office', capabilities: ['credential_admin'], grants: [] },
    });
    const { issuers } = connect({ url: served.company.url, secret });
    await using watched = await watchedPage(served.browser, {
      viewport: { width: 1280, height: 800 },
    });
    const { page } = watched;
    await page.goto(`${served.company.url}/console/access?show=issuers`);
    await signInBySecret(page, secret);
    await page.getByText('No trusted issuers').waitFor();
    await expectFit(page);
    await page.getByRole('button', { name: 'Trust an issuer' }).press('Enter');
    await page.getByLabel('Name').fill('workshop');
    await page.getByLabel('Issuer', { exact: true }).fill('https://workshop.example');
    await page.getByLabel('Audience').fill('bikes');
    await page.getByLabel('Keys', { exact: true }).selectOption('given here');
    await page.getByLabel('Public keys').fill('no JSON');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('Paste a JWK or a JWK set as JSON.').waitFor();
    await expectFit(page);
    expect(watched.requested.filter((each) => each.includes('/issuers/'))).toEqual([]);
    await page.getByLabel('Keys', { exact: true }).selectOption('by discovery');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('button', { name: 'Change workshop' }).press('Enter');
    await page.getByLabel('Audience').fill('bicycles');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('cell', { name: 'bicycles' }).waitFor();
    await page.getByRole('button', { name: 'Block workshop' }).press('Enter');
    await expectFit(page);
    await page.getByRole('button', { name: 'Block issuer' }).press('Enter');
    await page.getByText('blocked', { exact: true }).waitFor();
    await expectFit(page);
    const trust = { issuer: 'https://workshop.example', audience: 'bicycles' };
    const keys = { mode: 'discovery' } as const;
    const blocked = await issuers.get('workshop');
    expect(blocked).toMatchObject({ ...trust, keys, revision: 3, is_blocked: true });
    await page.getByRole('button', { name: 'Trust workshop again' }).press('Enter');
    await issuers.put('workshop', { ...trust, keys, is_blocked: true }, 3);
    await page.getByRole('button', { name: 'Trust issuer' }).press('Enter');
    await page.getByText('Somebody else has changed this').waitFor();
    expect(await issuers.get('workshop')).toMatchObject({ revision: 4, is_blocked: true });
    expect(await watched.violations()).toEqual([]);
  });
});
