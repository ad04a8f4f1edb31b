/** The console in Chromium: access, and what a person sees (docs/contract/console.md). */
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { connect } from '@agentkeep/client';
import { agentFor, formatGrantSecret } from '@agentkeep/core/operator';
import { COMPANY, PASSWORD } from '@agentkeep/example-company/fill-company';
import { scopes } from '@agentkeep/example-company/memories';
import { describe, expect, test } from 'vitest';
import { expectAccessible, expectClean, expectFit } from './console-checks.js';
import { companyInChromium, type ServedCompany, signedIn, signInBySecret } from './console-kit.js';
import { type WatchedPage, watchedPage } from './watched-page.js';

/** Connects a program to the account of a person, as the consent page and its program do. */
async function connectProgram({ keep, url }: ServedCompany, username: string): Promise<void> {
  const { tokens } = await keep.logIn({ tenantId: COMPANY, username, password: PASSWORD });
  const answer = await fetch(`${url}/api/v1/connections`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tokens.access_token}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({
      ...{ client_id: 'notes', client_name: 'Notes', client_host: 'notes.example' },
      ...{ access: ['read'], expires_in_days: 7 },
      grants: [{ ...scopes.desk, mission_id: null }],
    }),
  });
  const { approval_id: grantId } = (await answer.json()) as { readonly approval_id: string };
  const origin = { path: '/oauth/token', ipAddress: null, userAgent: null, endpointType: null };
  const call = { origin, requestId: undefined, traceId: undefined };
  const token = formatGrantSecret('RefreshToken', grantId, 'first');
  await keep.grants.put('RefreshToken', token, { payload: {}, lifeSecs: 86_400 }, call);
}

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('access in Chromium', () => {
  const served = companyInChromium();

  /** Opens the console for an administrator of credentials. */
  async function managing(): Promise<WatchedPage> {
    const { secret } = await served.company.setup.credentials.issue({
      ...{ subject_id: 'office', capabilities: ['credential_admin'], grants: [] },
    });
    const watched = await watchedPage(served.browser, { viewport: { width: 1280, height: 800 } });
    await watched.page.goto(`${served.company.url}/console/access`);
    await signInBySecret(watched.page, secret);
    await watched.page.getByRole('heading', { name: 'Access' }).waitFor();
    return watched;
  }

  test('CSL-C7 issues a credential by keyboard, and shows its secret once', async () => {
    await using watched = await managing();
    const { page } = watched;
    await page.getByRole('button', { name: 'Issue a credential' }).press('Enter');
    await page.getByLabel('Subject').fill('courier');
    await page.getByLabel('memory write').press('Space');
    await page.getByLabel('Project').fill('support');
    await page.getByLabel('Agent').fill('desk');
    await page.getByLabel('Visibility').selectOption('shared');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Issue', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'Save this secret now' }).waitFor();
    const secret = (await page.locator('.secret').textContent()) ?? '';
    await expectAccessible(page);
    await page.getByRole('button', { name: 'I have kept it' }).press('Enter');
    await page.getByRole('link', { name: 'courier' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await expectAccessible(page);
    const { spec } = await connect({ url: served.company.url, secret }).whoAmI();
    expect(spec).toMatchObject({ subject_id: 'courier', capabilities: ['memory_read'] });
    expect(spec.grants).toEqual([{ ...scopes.desk, mission_id: null }]);
    await expectClean(watched, served.company.url);
  });

  test('CSL-C7 shows what a credential reaches, rotates and revokes it', async () => {
    const first = await served.company.setup.credentials.issue({
      ...{ subject_id: 'printer', capabilities: ['memory_read'], grants: [scopes.stock] },
    });
    await using watched = await managing();
    const { page } = watched;
    await page.getByRole('link', { name: 'printer' }).click();
    await page.getByRole('heading', { name: 'What printer can reach' }).waitFor();
    await page.getByRole('cell', { name: 'purchasing / stock shared' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByLabel('The current secret expires').selectOption('in an hour');
    await page.getByRole('button', { name: 'Replace it' }).click();
    const rotated = (await page.locator('.secret').textContent()) ?? '';
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByText('Previous proof ends').waitFor();
    for (const secret of [first.secret, rotated]) {
      expect((await connect({ url: served.company.url, secret }).whoAmI()).revision).toBe(2);
    }
    await page.getByRole('button', { name: 'Revoke' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Revoke credential' }).click();
    await page.getByText('revoked', { exact: true }).first().waitFor();
    await page.getByText('No scopes').waitFor();
    expect(await page.getByRole('button', { name: 'Rotate' }).count()).toBe(0);
    const revoked = connect({ url: served.company.url, secret: rotated }).whoAmI();
    await expect(revoked).rejects.toMatchObject({ code: 'unauthorized' });
    await expectClean(watched, served.company.url);
  });

  test('a credential that was changed meanwhile is not revoked, and the page says why', async () => {
    const { credential } = await served.company.setup.credentials.issue({
      ...{ subject_id: 'scanner', capabilities: ['memory_read'], grants: [scopes.stock] },
    });
    await using watched = await managing();
    const { page } = watched;
    await page.getByRole('link', { name: 'scanner' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await served.company.setup.credentials.rotate(credential.id, credential.revision);
    await page.getByRole('button', { name: 'Revoke credential' }).click();
    await page.getByText('Somebody else has changed this').waitFor();
    await page.getByText(/^Request [\da-f-]{36} · revision_conflict$/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('cell', { name: 'rotated' }).waitFor();
    const now = await served.company.setup.credentials.inspect(credential.id);
    expect(now.revoked_at_millis).toBeNull();
  });

  test('says who can reach a scope, at an address that can be shared', async () => {
    await using watched = await managing();
    const { page } = watched;
    await page.getByRole('link', { name: 'Who can reach what' }).click();
    const byScope = page.getByRole('form', { name: 'Who can reach a scope?' });
    await byScope.getByLabel('Project').fill('support');
    await byScope.getByLabel('Agent').fill('desk');
    await byScope.getByLabel('Visibility').selectOption('shared');
    await byScope.getByRole('button', { name: 'Show' }).click();
    const holders = page.getByRole('region', { name: 'Who can reach support / desk' });
    await holders.getByRole('link', { name: 'returns' }).waitFor();
    expect(page.url()).toContain('show=reach&project=support&agent=desk&visibility=shared');
    await expectAccessible(page);
    await holders.getByRole('link', { name: 'returns' }).click();
    await page.getByRole('heading', { name: 'What returns can reach' }).waitFor();
    await page.goBack();
    await holders.getByRole('link', { name: 'mara' }).waitFor();
    const bySubject = page.getByRole('form', { name: 'What can a subject reach?' });
    await bySubject.getByLabel('Subject').fill('analyst');
    await bySubject.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('cell', { name: 'office / notes private to analyst' }).waitFor();
    await expectClean(watched, served.company.url);
  });

  test('an administrator locks and unlocks others, and is not offered to lock itself', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.getByRole('link', { name: 'Access' }).click();
    await page.getByRole('button', { name: 'Lock ines' }).click();
    await page.getByLabel('Reason').fill('Her laptop is lost.');
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Lock', exact: true }).click();
    const locked = page.getByRole('region', { name: 'Locked usernames' });
    await locked.getByText('Her laptop is lost.').waitFor();
    await expectAccessible(page);
    expect((await served.company.setup.lockouts.get('ines')).locked).toBe(true);
    await locked.getByRole('button', { name: 'Unlock ines' }).click();
    await locked.waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Lock mara' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Credentials' }).count()).toBe(0);
    await expectClean(watched, served.company.url);
  });

  test('CSL-55, CSL-C95 a person sees memory and their own account, and nothing else', async () => {
    await using watched = await signedIn(served, 'ines');
    const { page } = watched;
    const linksOf = (name: string) =>
      page.getByRole('navigation', { name }).getByRole('link').allTextContents();
    await page.getByRole('link', { name: 'My account' }).press('Enter');
    expect(await linksOf('Screens')).toEqual(['Memory', 'My account']);
    expect(await linksOf('Sections')).toEqual([
      ...['What agents remember', 'Sessions', 'Connected programs', 'API keys', 'Password'],
    ]);
    await page.getByText('Agents have stored no private memory for you').waitFor();
    await expectFit(page);
    await page.getByRole('link', { name: 'Connected programs' }).press('Enter');
    await page.getByText('No connected programs').waitFor();
    await page.goto(`${served.company.url}/console/access?show=credentials`);
    await page.getByText('You do not have permission to view this page').waitFor();
    expect(watched.requested.filter((each) => each.includes('/credentials'))).toEqual([]);
    await expectClean(watched, served.company.url);
  });

  test('a person ends a program that they connected', async () => {
    await connectProgram(served.company, 'jonas');
    await using watched = await signedIn(served, 'jonas');
    const { page } = watched;
    await page.getByRole('link', { name: 'My account' }).click();
    await page.getByRole('link', { name: 'Connected programs' }).click();
    await page.getByRole('cell', { name: 'support / desk' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'End Notes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('No connected programs').waitFor();
    await expectClean(watched, served.company.url);
  });

  test('CSL-55, CSL-C95 a person reads and exports what agents remember of them, by keyboard', async () => {
    const own = { ...scopes.desk, visibility: 'private' as const };
    const agent = await agentFor(served.company.keep, {
      ...{ tenantId: COMPANY, subjectId: 'nora', scopes: [own] },
      capabilities: ['memory_write'],
    });
    await agent.memory.in(own).remember('Nora rides a red bicycle.');
    const { credentials, users } = served.company.setup;
    const { credential } = await credentials.issue({
      ...{ subject_id: 'nora', capabilities: ['memory_read'] },
      grants: [{ ...own, mission_id: null }],
    });
    const account = { username: 'nora', password: PASSWORD, roles: [] };
    await users.create({ ...account, credential_id: credential.id });
    await using watched = await signedIn(served, 'nora');
    const { page } = watched;
    await page.getByRole('link', { name: 'My account' }).press('Enter');
    await page.getByRole('button', { name: /^Export support/ }).press('Enter');
    await page
      .getByRole('dialog')
      .getByText(/support \/ desk/)
      .waitFor();
    await page.keyboard.press('Escape');
    await expectFit(page);
    await page.getByRole('link', { name: 'support / desk' }).press('Enter');
    await page.getByText('Nora rides a red bicycle.').waitFor();
    await expectClean(watched, served.company.url);
  });
});
