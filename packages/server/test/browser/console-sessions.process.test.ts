/** The console in Chromium: sessions of an account (docs/contract/console.md). */
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { PEOPLE_ISSUER, peoplePorts } from '@agentkeep/testkit/test-sign-in';
import { PASSWORD } from '@agentkeep/example-company/fill-company';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectClean, expectFit } from './console-checks.js';
import { companyInChromium, servedCompany, signedIn } from './console-kit.js';
import { loggedIn, signInByIssuer } from './console-sessions-kit.js';

const END = /^End the session of /;

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('sessions in Chromium', () => {
  const served = companyInChromium(() =>
    servedCompany({ ...peoplePorts, sessions: { idleSeconds: 3_600 } }),
  );

  /** Opens the page of an account. */
  async function openAccount(page: Page, username: string): Promise<void> {
    await page.getByRole('link', { name: 'Access' }).click();
    await page.getByRole('link', { name: username, exact: true }).click();
    await page.getByRole('heading', { name: username, exact: true }).waitFor();
  }

  test('CSL-C73, CSL-6 an administrator ends one session of an account, by keyboard', async () => {
    const kept = await loggedIn(served.company, 'jonas');
    await using open = await signedIn(served, 'jonas');
    await using watched = await signedIn(served);
    const { page } = watched;
    await openAccount(page, 'jonas');
    const sessions = page.getByRole('region', { name: 'Sessions' });
    const buttons = sessions.getByRole('button', { name: END });
    await buttons.nth(1).waitFor();
    await expect.poll(() => buttons.count()).toBe(2);
    await sessions.getByRole('columnheader', { name: 'Last used' }).waitFor();
    expect(await sessions.getByText('this one').count()).toBe(0);
    await expectFit(page);
    await buttons.first().press('Enter');
    await page.getByRole('dialog').waitFor();
    await expectFit(page);
    await page.getByRole('button', { name: 'End this session' }).press('Enter');
    await open.page.getByText('Your session has ended').waitFor();
    await sessions.getByText('The session has ended.').waitFor();
    await buttons.nth(1).waitFor({ state: 'detached' });
    const { user_id: id } = kept.tokens;
    expect(await kept.agent.users.sessions(id)).toMatchObject([{ is_current: true }]);
    await buttons.first().press('Enter');
    await page.getByRole('button', { name: 'End this session' }).press('Enter');
    await page.getByText('No open sessions').waitFor();
    await expectFit(page);
    await expect(kept.agent.session.refresh()).rejects.toMatchObject({ code: 'unauthorized' });
    await expectClean(watched, served.company.url);
  });

  test('a session that ended meanwhile is not ended again, and the page says why', async () => {
    const gone = await loggedIn(served.company, 'jonas');
    await using watched = await signedIn(served);
    const { page } = watched;
    await openAccount(page, 'jonas');
    await page.getByRole('button', { name: END }).first().click();
    await gone.agent.session.logOut();
    await page.getByRole('button', { name: 'End this session' }).click();
    await page.getByText(/^Request [\da-f-]{36} · not_found$/).waitFor();
  });

  test('CSL-C74 an Admin is offered nothing of accounts that others manage', async () => {
    const { agent: mara } = await loggedIn(served.company, 'mara');
    await mara.users.create({ username: 'adam', password: PASSWORD, roles: ['Admin'] });
    const { credential } = await served.company.setup.credentials.issue({
      ...{ subject_id: 'office', capabilities: ['credential_admin'], grants: [] },
    });
    const office = { username: 'office', password: PASSWORD, roles: [] };
    await served.company.setup.users.create({ ...office, credential_id: credential.id });
    await loggedIn(served.company, 'office');
    await using watched = await signedIn(served, 'adam');
    const { page } = watched;
    for (const username of ['office', 'mara']) {
      await openAccount(page, username);
      await page.getByText('Other administrators manage this account.').waitFor();
      for (const name of ['Sessions', 'API keys']) {
        expect(await page.getByRole('region', { name }).count()).toBe(0);
      }
      expect(await page.getByRole('button', { name: /End|Revoke/ }).count()).toBe(0);
      expect(await page.getByRole('alert').count()).toBe(0);
      await expectFit(page);
    }
    // What it manages is there.
    await openAccount(page, 'ines');
    await page.getByRole('region', { name: 'Sessions' }).waitFor();
    await page.getByRole('button', { name: 'End sessions' }).waitFor();
    const asked = watched.requested.filter((each) => each.endsWith('/sessions'));
    expect(asked).toHaveLength(2);
  });

  test('CSL-C75 a person sees where it is signed in, ends another session, then its own', async () => {
    const other = await loggedIn(served.company, 'ines');
    const { user_id: id } = other.tokens;
    await signInByIssuer(served.company, id);
    await using watched = await signedIn(served, 'ines');
    const { page } = watched;
    await page.getByRole('link', { name: 'My account' }).click();
    await page.getByRole('link', { name: 'Sessions', exact: true }).press('Enter');
    await page.waitForURL(/show=sessions/u);
    const rows = page.getByRole('row');
    await rows.filter({ hasText: 'this one' }).waitFor();
    await expect.poll(() => rows.filter({ hasText: 'with a password or link' }).count()).toBe(2);
    await expect.poll(() => rows.filter({ hasText: `by ${PEOPLE_ISSUER}` }).count()).toBe(1);
    await expectFit(page);
    // The oldest is the one of the program.
    await page.getByRole('button', { name: END }).last().press('Enter');
    await page.getByRole('button', { name: 'End this session' }).press('Enter');
    await page.getByText('The session has ended.').waitFor();
    await expect(other.agent.session.refresh()).rejects.toMatchObject({ code: 'unauthorized' });
    await rows.nth(3).waitFor({ state: 'detached' });
    await expectClean(watched, served.company.url);
    await rows.filter({ hasText: 'this one' }).getByRole('button', { name: END }).press('Enter');
    await page.getByText('This ends your current session').waitFor();
    await expectFit(page);
    await page.getByRole('button', { name: 'End this session' }).press('Enter');
    await page.getByText('Your session has ended').waitFor();
    const ends = { eventType: 'session_ended', userId: id } as const;
    const { events } = await served.company.setup.audit.queryPage(ends);
    expect(events).toHaveLength(2);
  });
});
