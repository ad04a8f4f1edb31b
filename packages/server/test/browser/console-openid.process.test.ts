/** The console in Chromium: sign-ins by another identity provider (docs/contract/console.md). */
import { connect } from '@agentkeep/client';
import { COMPANY, PASSWORD } from '@agentkeep/example-company/fill-company';

import { findChromium } from '@agentkeep/testkit/find-chromium';
import { freePort } from '@agentkeep/testkit/free-port';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpDocumentFetcher, openidProtocol } from '../../src/index.js';
import { CLIENT, PeopleProvider } from '../openid/people-provider.js';
import { companyInChromium, servedCompany, signedIn, signInBySecret } from './console-kit.js';
import { type WatchedPage, watchedPage } from './watched-page.js';

const ATTACK = '<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>';

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('sign-ins by an issuer in Chromium', () => {
  let provider: PeopleProvider;

  afterAll(async () => {
    await provider[Symbol.asyncDispose]();
  });

  const served = companyInChromium(async () => {
    const port = await freePort();
    const redirectUri = `http://127.0.0.1:${port}/login/openid/callback`;
    provider = await PeopleProvider.start({ redirectUri });
    const allowedAddresses = ['127.0.0.1'];
    const ports = {
      documentFetcher: httpDocumentFetcher({ allowedAddresses }),
      signInProtocol: openidProtocol({ allowedAddresses }),
    };
    return servedCompany(ports, undefined, { frontDoorPort: port });
  });

  beforeAll(() => trust('Staff'));

  /** Lets everybody in whom the provider counts to the group. */
  async function trust(name: string): Promise<void> {
    const login = { tenantId: COMPANY, username: 'mara', password: PASSWORD };
    const { tokens } = await served.company.keep.logIn(login);
    const { signIn } = connect({ url: served.company.url, secret: tokens.access_token });
    const issuer = { name, issuer: provider.issuer, ...CLIENT };
    const { revision } = await signIn.settings();
    const rules = Object.entries({ office: ['Admin'], guests: [] }).map(([value, roles]) => ({
      ...{ claims: [{ path: ['groups'], value }], roles, creates_accounts: true },
    }));
    await signIn.putSettings({ issuers: [{ ...issuer, rules }] }, revision);
  }

  /** Opens the page, and follows the link to the issuer. */
  async function atIssuer(person: string, name = 'Staff'): Promise<WatchedPage> {
    provider.person = person;
    const watched = await watchedPage(served.browser);
    await watched.page.goto(`${served.company.url}/console`);
    await watched.page.getByLabel('Tenant').fill(COMPANY);
    await watched.page.getByRole('link', { name }).click();
    return watched;
  }

  test('CSL-12, CSL-C30 a person signs in by an issuer, stays signed in, and signs out', async () => {
    provider.people.set('u1', { preferred_username: 'ann', groups: ['office'] });
    await using watched = await atIssuer('u1');
    const { page } = watched;
    await page.getByRole('heading', { name: 'Access' }).waitFor();
    expect(page.url()).toBe(`${served.company.url}/console/`);
    await page.reload();
    await page.getByRole('banner').getByText('ann', { exact: true }).waitFor();
    const cookies = await page.context().cookies(served.company.url);
    expect(cookies.map(({ name }) => name)).not.toContain('agentkeep_session');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectClean(watched);
  });

  test('CSL-30, CSL-C30 the page begins with the first screen that a caller may see', async () => {
    provider.people.set('u2', { preferred_username: 'guest', groups: ['guests'] });
    await using guest = await atIssuer('u2');
    await guest.page.getByRole('heading', { name: 'My account' }).waitFor();
    await expect
      .poll(() => guest.page.getByRole('navigation').first().getByRole('link').count())
      .toBe(1);
    await expectClean(guest);
    const { secret } = await served.company.setup.credentials.issue({
      ...{ subject_id: 'scribe', capabilities: ['memory_write'], grants: [] },
    });
    await using scribe = await watchedPage(served.browser);
    await scribe.page.goto(`${served.company.url}/console`);
    await signInBySecret(scribe.page, secret);
    await scribe.page.getByRole('heading', { name: 'You have no permissions yet' }).waitFor();
    await expectClean(scribe);
  });

  test('CSL-C31 script in the name of an issuer and in its claims does not run', async () => {
    await trust(ATTACK);
    provider.people.set('u3', { preferred_username: ATTACK, groups: ['office'] });
    provider.people.set(ATTACK, { preferred_username: 'bea', groups: [ATTACK] });
    await using accepted = await atIssuer('u3', ATTACK);
    await accepted.page.getByRole('heading', { name: 'Access' }).waitFor();
    await accepted.page.getByTitle(ATTACK, { exact: true }).first().waitFor();
    await expectNothingRan(accepted.page);
    await using refused = await atIssuer(ATTACK, ATTACK);
    await refused.page.waitForURL(`${served.company.url}/login/openid/callback?*`);
    await expectNothingRan(refused.page);
    await using mara = await signedIn(served);
    const { page } = mara;
    await page.goto(`${served.company.url}/console/audit?event=login_failed`);
    await page.locator('summary').first().click();
    await page.getByTitle(ATTACK).filter({ visible: true }).first().waitFor();
    await expectNothingRan(page);
  });

  /** Expects no request but to the server and the issuer, no message and no violation. */
  async function expectClean(watched: WatchedPage): Promise<void> {
    const known = [served.company.url, provider.issuer];
    const asked = watched.requested.map((each) => new URL(each).origin);
    expect(asked.filter((each) => !known.includes(each))).toEqual([]);
    expect(watched.said).toEqual([]);
    expect(await watched.violations()).toEqual([]);
  }
});

/** Fails if a script of others ran, or if there is markup of others. */
async function expectNothingRan(page: Page): Promise<void> {
  expect(await page.locator('img, script:not([src])').count()).toBe(0);
  expect(await page.evaluate('typeof globalThis.ran')).toBe('undefined');
}
