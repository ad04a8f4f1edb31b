/** The console in Chromium: sign-ins, and memory (docs/contract/console.md). */
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { eventually } from '@agentkeep/testkit/eventually';
import { PASSWORD } from '@agentkeep/example-company/fill-company';
import { scopes } from '@agentkeep/example-company/memories';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectClean } from './console-checks.js';
import {
  accessibilityProblems,
  companyInChromium,
  DESK,
  type ServedCompany,
  signedIn,
  signInByPassword,
} from './console-kit.js';
import { watchedPage } from './watched-page.js';

/** What a page keeps in the browser. */
const STORED = '[localStorage.length, sessionStorage.length, document.cookie]';

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('the console in Chromium', () => {
  const served = companyInChromium();

  test('CSL-C7 signs in with a password, stays signed in, and signs out', async () => {
    await using watched = await watchedPage(served.browser);
    const { page } = watched;
    await page.goto(`${served.company.url}/console`);
    expect(await accessibilityProblems(page)).toEqual([]);
    await signInByPassword(page, 'jonas');
    await page.getByRole('link', { name: 'support / desk' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'support / desk' }).waitFor();
    expect(await page.evaluate(STORED)).toEqual([0, 0, '']);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectClean(watched, served.company.url);
  });

  test('CSL-5 a secret is forgotten with a sign-out; what is not allowed is not offered', async () => {
    const { credential, secret } = await issued(served.company);
    await using watched = await watchedPage(served.browser);
    const { page } = watched;
    await page.goto(`${served.company.url}/console`);
    await page.getByRole('button', { name: 'Secret' }).click();
    await page.getByLabel('Secret of a credential').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The server did not accept these credentials').waitFor();
    await page.getByText(/^Request [\da-f-]{36} · unauthorized$/).waitFor();
    await page.getByLabel('Secret of a credential').fill(secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'support / desk' }).click();
    await page.getByRole('heading', { name: 'support / desk' }).waitFor();
    expect(await page.getByRole('button', { name: 'New record' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(STORED)).toEqual([0, 0, '']);
    expect(credential.spec.capabilities).toEqual(['memory_read']);
  });

  test('recalls and says why, filters, and leads back', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.getByRole('link', { name: 'support / desk' }).click();
    await page.getByPlaceholder('Ask a question in your own words').fill('Why do gears slip?');
    await page.getByRole('button', { name: 'Recall' }).click();
    await page.getByText('2 records found').waitFor();
    await expect.poll(() => page.locator('.found mark').allTextContents()).toContain('gears');
    await expect.poll(() => page.locator('.found .tag').allTextContents()).toContain('slip · 2');
    expect(page.url()).toContain('q=Why+do+gears+slip');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show all records' }).click();
    await page.getByText('8 records', { exact: true }).waitFor();
    await page.getByText('Filters').click();
    await page.getByLabel('All of these tags').fill('policy');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('1 record', { exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: /Returns within 30 days/ }).click();
    await page.getByRole('heading', { name: 'policy/returns' }).waitFor();
    await page.goBack();
    await page.getByText('1 record', { exact: true }).waitFor();
    await expectClean(watched, served.company.url);
  });

  test('shows a record with its history as differences, and what was derived from it', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.goto(`${served.company.url}/console/scope?${DESK}`);
    await page.getByRole('link', { name: /Tighten it at the first service/ }).click();
    await page.getByRole('heading', { name: 'Revision 3' }).waitFor();
    await expect.poll(() => page.locator('.history ins').allTextContents()).toContain('200');
    await expect.poll(() => page.locator('.history del').allTextContents()).toContain('300');
    expect(await accessibilityProblems(page)).toEqual([]);
    await expectClean(watched, served.company.url);
  });

  test('creates, edits, restores, redacts and deletes', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.goto(`${served.company.url}/console/scope?${DESK}`);
    await page.getByRole('button', { name: 'New record' }).click();
    await page.getByLabel('Text', { exact: true }).fill('The bell of the tandem rings twice.');
    await page.getByLabel('Name', { exact: true }).fill('fault/bell');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'fault/bell' }).waitFor();
    await edit(page, 'The bell of the tandem rings once.');
    await page.getByRole('heading', { name: 'Revision 2' }).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('heading', { name: 'Revision 3' }).waitFor();
    await page.getByRole('button', { name: 'Redact' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Redact' }).click();
    await page.getByText('was permanently removed').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('8 records', { exact: true }).waitFor();
    await expectClean(watched, served.company.url);
  });

  test('CSL-C8 shows markup and scripts in texts, names and tags as texts', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    const attack = '<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>';
    const memory = served.company.agents.support.memory.in(scopes.desk);
    const record = {
      content: { primary: `${attack} bell`, context: attack, data: { [attack]: attack } },
      tags: [attack],
      metadata: { [attack]: attack },
    };
    const { record_id: id } = await memory.put(`name ${attack}`, record);
    await page.goto(`${served.company.url}/console/scope?${DESK}&q=bell`);
    await page.getByText('1 record found').waitFor();
    await page.goto(`${served.company.url}/console/record?${DESK}&id=${id}`);
    await page.getByRole('heading', { name: `name ${attack}` }).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.evaluate('typeof globalThis.ran')).toBe('undefined');
    await memory.delete({ name: `name ${attack}` });
    await expectClean(watched, served.company.url);
  });

  test('follows changes, and shows memory as it was', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.goto(`${served.company.url}/console/scope?${DESK}`);
    await page.getByText('8 records', { exact: true }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const memory = served.company.agents.support.memory.in(scopes.desk);
    const made = await memory.remember('Snow tyres are back.');
    const { record_id: recordId } = made;
    const atMillis = made.committed_at_millis - 1;
    await page.getByText('9 records', { exact: true }).waitFor();
    await page.goto(`${served.company.url}/console/scope?${DESK}&at=${atMillis}`);
    await page.getByText('Memory as of').waitFor();
    await page.getByText('8 records', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByText('9 records', { exact: true }).waitFor();
    await memory.delete({ recordId, expectedRevision: 1 });
    await page.getByText('8 records', { exact: true }).waitFor();
  });

  test('CSL-6, CSL-C9 a session that ends elsewhere ends in the page', async () => {
    await using watched = await signedIn(served, 'ines');
    const { page } = watched;
    await page.getByText('Live', { exact: true }).waitFor();
    const { users, session } = served.company.setup;
    for await (const { id, username } of users.list()) {
      if (username === 'ines') await session.revokeAll(id);
    }
    await page.getByText('Your session has ended').waitFor();
    expect(page.url()).toBe(`${served.company.url}/console`);
  });

  test.each([
    ['without a credential', undefined],
    ['who reads no memory', 'memory_propose'],
  ] as const)(
    'CSL-6, CSL-C27 the session of a person %s ends in the page too',
    async (_, right) => {
      const { users, session, credentials } = served.company.setup;
      const username = right === undefined ? 'otto' : 'vera';
      const spec = { subject_id: username, grants: [{ ...scopes.desk, mission_id: null }] };
      const issued =
        right === undefined
          ? undefined
          : await credentials.issue({ ...spec, capabilities: [right] });
      const { id } = await users.create({
        ...{ username, password: PASSWORD, roles: [] },
        ...(issued === undefined ? {} : { credential_id: issued.credential.id }),
      });
      await using watched = await signedIn(served, username);
      const { page } = watched;
      expect(await page.getByRole('link', { name: 'Review' }).count()).toBe(0);
      await session.revokeAll(id);
      await page.getByText('Your session has ended').waitFor();
      expect(watched.requested.filter((url) => url.includes('/memory/changes'))).toEqual([]);
    },
  );

  test('CSL-C9 other sites cannot frame it, and their forms reach nothing', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    const cookies = await page.context().cookies(`${served.company.url}/console/session`);
    expect(cookies.map(({ httpOnly, sameSite, path }) => [httpOnly, sameSite, path])).toEqual([
      [true, 'Strict', '/console/session'],
    ]);
    const attacker = await page.context().newPage();
    await attacker.route('http://evil.example/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${served.company.url}/console"></iframe>
          <form method="post" action="${served.company.url}/console/session" enctype="text/plain">
          <input name='{"x":"' value='"}'><button>Go</button></form>`,
      }),
    );
    await attacker.goto('http://evil.example/');
    await eventually(() => {
      const framed = attacker.frames().find((each) => each !== attacker.mainFrame());
      expect(framed?.url()).toMatch(/^chrome-error:/);
    });
    const answer = attacker.waitForResponse(`${served.company.url}/console/session`);
    await attacker.getByRole('button', { name: 'Go' }).click();
    expect((await answer).status()).toBe(403);
    await page.reload();
    await page.getByRole('link', { name: 'support / desk' }).waitFor();
  });

  test('fits a phone, takes the colours of the system, and works by keyboard', async () => {
    const phone = { viewport: { width: 390, height: 844 } };
    await using watched = await signedIn(served, 'mara', phone);
    const { page } = watched;
    for (const path of ['', `/scope?${DESK}`, `/scope?${DESK}&q=gears`]) {
      await page.goto(`${served.company.url}/console${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    }
    const background = 'getComputedStyle(document.body).backgroundColor';
    const light = await page.evaluate(background);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await page.evaluate(background)).not.toBe(light);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto(`${served.company.url}/console`);
    await page.getByRole('link', { name: 'support / desk' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
  });
});

async function issued({ setup }: ServedCompany) {
  return setup.credentials.issue({
    subject_id: 'visitor',
    capabilities: ['memory_read'],
    grants: [{ ...scopes.desk, mission_id: null }],
  });
}

async function edit(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Text', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Save' }).click();
}
