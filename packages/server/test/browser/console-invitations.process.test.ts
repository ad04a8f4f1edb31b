/** The console in Chromium: invitations, changes of accounts, passwords, and kept secrets. */
import { COMPANY, PASSWORD } from '@agentkeep/example-company/fill-company';
import { scopes } from '@agentkeep/example-company/memories';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { describe, expect, test } from 'vitest';
import { expectAccessible, expectClean } from './console-checks.js';
import { companyInChromium, signedIn, signInByPassword, signInBySecret } from './console-kit.js';
import { type WatchedPage, watchedPage } from './watched-page.js';

const NEW_PASSWORD = 'Battery.Staple8';

describe.skipIf(findChromium() === undefined)('invitations in Chromium', () => {
  const served = companyInChromium();

  /** Opens the accounts for an administrator of credentials. */
  async function managing(): Promise<WatchedPage> {
    const { secret } = await served.company.setup.credentials.issue({
      ...{ subject_id: 'office', capabilities: ['credential_admin'], grants: [] },
    });
    const watched = await watchedPage(served.browser, { viewport: { width: 1280, height: 800 } });
    await watched.page.goto(`${served.company.url}/console/access?show=accounts`);
    await signInBySecret(watched.page, secret);
    await watched.page.getByRole('button', { name: 'Invite a person' }).waitFor();
    return watched;
  }

  test('CSL-66 invites a person by keyboard, who sets a password and is in the console', async () => {
    await using watched = await managing();
    const { page } = watched;
    await page.getByRole('button', { name: 'Invite a person' }).press('Enter');
    await page.getByLabel('E-mail address or username').fill('ann@example.com');
    await page.getByLabel('Role').selectOption('reviewer');
    await page.getByLabel('Project').fill('support');
    await page.getByLabel('Agent').fill('desk');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Invite', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'Send this link' }).waitFor();
    const link = (await page.locator('.secret').textContent()) ?? '';
    expect(link).toContain(`${served.company.url}/invitation?code=aki1_`);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'I have kept it' }).press('Enter');
    const invitations = page.getByRole('region', { name: 'Invitations' });
    await invitations.getByRole('cell', { name: 'ann@example.com', exact: true }).waitFor();
    await invitations.getByText('waiting').waitFor();
    const user = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'ann@' }) });
    await user.getByText(/^invited until .*\d{4}/u).waitFor();
    expect(await user.textContent()).not.toContain('active');
    expect(await page.content()).not.toContain(link);
    await expectAccessible(page);
    await expectClean(watched, served.company.url);
    await using invited = await watchedPage(served.browser, {
      viewport: { width: 390, height: 800 },
    });
    await invited.page.goto(link);
    await expectAccessible(invited.page);
    await invited.page.getByLabel('New password').fill(NEW_PASSWORD);
    await invited.page.getByLabel('The same password again').fill(NEW_PASSWORD);
    await invited.page.getByRole('button', { name: 'Set the password' }).press('Enter');
    await invited.page.getByRole('button', { name: 'Menu', exact: true }).waitFor();
    await invited.page.getByRole('heading', { level: 1 }).waitFor();
    await page.reload();
    await user.getByText('active', { exact: true }).waitFor();
    const { agent } = await served.company.keep.logIn({
      ...{ tenantId: COMPANY, username: 'ann@example.com', password: NEW_PASSWORD },
    });
    expect((await agent.whoAmI()).spec.grants).toEqual([{ ...scopes.desk, mission_id: null }]);
  });

  test('CSL-66 makes a new link with the same offer, and revokes an invitation', async () => {
    const { setup } = served.company;
    const scope = { ...scopes.desk, mission_id: null };
    await setup.users.invite({ username: 'bert', role: 'writer', scopes: [scope] });
    await using watched = await managing();
    const { page } = watched;
    await page.getByRole('link', { name: 'bert' }).click();
    await page.getByText(/^invited until .*\d{4}/u).waitFor();
    await page.goBack();
    // The end of the link wraps on a phone.
    await page.setViewportSize({ width: 320, height: 800 });
    const time = page
      .getByRole('row')
      .filter({ hasText: /^bertinvited/u })
      .locator('time');
    await expect
      .poll(async () => {
        const { x = 0, width = 0 } = (await time.boundingBox()) ?? {};
        return width > 0 && x + width <= 320;
      })
      .toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'New link for bert' }).click();
    await page.getByRole('heading', { name: 'Send this link' }).waitFor();
    await page.getByRole('button', { name: 'I have kept it' }).click();
    const invited = async () => {
      for await (const each of setup.users.invitations()) {
        if (each.user.username === 'bert') return each;
      }
      throw new Error('bert is not invited');
    };
    const { role, user } = await invited();
    expect(role).toBe('writer');
    const { spec } = await setup.credentials.inspect(user.credential_id ?? '');
    expect(spec.grants).toEqual([scope]);
    await page.getByRole('button', { name: 'Revoke the invitation of bert' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Revoke the invitation', exact: true }).click();
    await page.getByText('revoked').waitFor();
    expect((await invited()).state).toBe('revoked');
    await expectClean(watched, served.company.url);
  });

  test('CSL-66 an administrator without credential_admin is told what inviting needs', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    await page.getByText('To invite people, sign in with a secret or an account that').waitFor();
    expect(await page.getByRole('button', { name: 'Invite a person' }).count()).toBe(0);
    await expectAccessible(page);
    await expectClean(watched, served.company.url);
  });

  test('CSL-65 a pasted secret is asked for once in a tab', async () => {
    await using watched = await managing();
    const { page } = watched;
    await page.reload();
    await page.getByRole('button', { name: 'Invite a person' }).waitFor();
    await page.goto(`${served.company.url}/console/access?show=credentials`);
    await page.getByRole('button', { name: 'Issue a credential' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${served.company.url}/console/access`);
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  test('CSL-67 an administrator changes roles, password and activity, and deletes', async () => {
    const { setup, url } = served.company;
    const { id } = await setup.users.create({ username: 'carl', password: PASSWORD });
    await using watched = await managing();
    const { page } = watched;
    await page.goto(`${url}/console/access?show=accounts&id=${id}`);
    await page.getByRole('button', { name: 'Change roles' }).click();
    await page.getByLabel('Roles, separated by commas').fill('Read, Write , Read');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Write').waitFor();
    expect((await setup.users.get(id)).roles).toEqual(['Read', 'Write']);
    await page.getByRole('button', { name: 'Reset link' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make the link' }).click();
    const link = (await page.locator('.secret').textContent()) ?? '';
    const code = link.replace(`${url}/invitation?code=`, '');
    await setup.users.acceptInvitation(code, NEW_PASSWORD);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await served.company.keep.logIn({
      ...{ tenantId: COMPANY, username: 'carl', password: NEW_PASSWORD },
    });
    await page.getByRole('button', { name: 'Reset password' }).click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Reset password' }).click();
    const password = (await page.locator('.secret').textContent()) ?? '';
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await served.company.keep.logIn({ tenantId: COMPANY, username: 'carl', password });
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('button', { name: 'Activate', exact: true }).click();
    await page.getByRole('button', { name: 'Deactivate' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete the account' }).click();
    await page.getByRole('button', { name: 'Invite a person' }).waitFor();
    await expect(setup.users.get(id)).rejects.toMatchObject({ code: 'target_not_found' });
    await expectClean(watched, url);
  });

  test('CSL-67 a person changes her own password, and signs in with it', async () => {
    const { setup, url } = served.company;
    await setup.users.create({ username: 'dora', password: PASSWORD });
    await using watched = await watchedPage(served.browser, {
      viewport: { width: 390, height: 800 },
    });
    const { page } = watched;
    await page.goto(`${url}/console/account?show=password`);
    await signInByPassword(page, 'dora');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('New password again').fill('other');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('The two new passwords are different.').waitFor();
    await page.getByLabel('New password again').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('Your password is changed. Sign in with the new one.').waitFor();
    const login = { tenantId: COMPANY, username: 'dora' };
    await served.company.keep.logIn({ ...login, password: NEW_PASSWORD });
    const before = served.company.keep.logIn({ ...login, password: PASSWORD });
    await expect(before).rejects.toMatchObject({ code: 'invalid_login' });
  });
});
