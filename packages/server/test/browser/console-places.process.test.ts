/** The console in Chromium: Back leads to the place in a long list that a person has left. */
import { agentFor } from '@agentkeep/core/operator';
import { COMPANY } from '@agentkeep/example-company/fill-company';
import { scopes } from '@agentkeep/example-company/memories';
import { eventually } from '@agentkeep/testkit/eventually';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectClean } from './console-checks.js';
import { accessibilityProblems, companyInChromium, signedIn } from './console-kit.js';

const RECORDS = 250;
const MANY = { ...scopes.stock, mission_id: 'many' };
const ADDRESS = `project=${MANY.project_id}&agent=${MANY.agent_id}&mission=many&visibility=shared`;

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('long lists in Chromium', () => {
  const served = companyInChromium();

  beforeAll(async () => {
    const agent = await agentFor(served.company.keep, {
      ...{ tenantId: COMPANY, subjectId: 'filler', scopes: [MANY] },
      capabilities: ['memory_read', 'memory_write'],
    });
    const many = Array.from({ length: RECORDS }, (_, at) => ({
      content: { primary: `Spoke ${at}.` },
    }));
    for await (const { outcomes } of agent.memory.in(MANY).createMany(many))
      expect(outcomes).not.toEqual([]);
  });

  async function openedList() {
    const watched = await signedIn(served);
    await watched.page.goto(`${served.company.url}/console/scope?${ADDRESS}`);
    await watched.page.getByText(`100 of ${RECORDS} records loaded`).waitFor();
    return watched;
  }

  test('CSL-C120 Back from a record leads to its row, with all that was loaded', async () => {
    await using watched = await openedList();
    const { page } = watched;
    await page.evaluate(`document.querySelector('.long-list').scrollTop = 5_800`);
    await page.getByText(`200 of ${RECORDS} records loaded`).waitFor();
    await page.getByRole('link', { name: 'Spoke 152.' }).scrollIntoViewIfNeeded();
    const before = await scrolledTo(page);
    expect(before).toBeGreaterThan(5_000);
    const pages: unknown[] = [];
    page.on('request', (request) => {
      if (!request.url().endsWith('/memory/search')) return;
      const { counts } = request.postDataJSON() as { readonly counts?: unknown };
      if (counts === undefined) pages.push(request.url());
    });
    await page.getByRole('link', { name: 'Spoke 152.' }).click();
    await page.getByRole('heading', { level: 2, name: 'History' }).waitFor();
    pages.length = 0;
    await page.goBack();
    await page.getByRole('link', { name: 'Spoke 152.' }).waitFor();
    await page.getByText(`of ${RECORDS} records loaded`).waitFor();
    // The place comes back a frame after the rows.
    await expect.poll(() => scrolledTo(page)).toBe(before);
    expect(pages).toEqual([]);
    await page.keyboard.press('Tab');
    expect(await accessibilityProblems(page)).toEqual([]);
    await expectClean(watched, served.company.url);
  });

  test('CSL-C121 a list goes to its other end and to a date, and Back to where it was', async () => {
    await using watched = await openedList();
    const { page } = watched;
    await page.getByRole('button', { name: 'Go to the other end' }).click();
    await page.getByRole('link', { name: /^Spoke 0\./ }).waitFor();
    await page.getByLabel('Go to date').fill('2999-05-04');
    await page.getByText('No records').waitFor();
    await page.getByRole('button', { name: /^Remove the filter Created from/ }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: /^Spoke 0\./ }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: `Spoke ${RECORDS - 1}.` }).waitFor();
    await page.getByLabel('Go to date').fill('2999-05-04');
    await page.getByText(`100 of ${RECORDS} records loaded`).waitFor();
    await page.getByRole('link', { name: `Spoke ${RECORDS - 1}.` }).waitFor();
    await expectClean(watched, served.company.url);
  });

  test('CSL-C122 Back leads to the place in a list that loads more by a button', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.goto(`${served.company.url}/console/find?words=spoke`);
    await page.getByText('100 records so far').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('200 records so far').waitFor();
    const found = page.locator('.found > li').nth(170).locator('.found-text');
    await found.scrollIntoViewIfNeeded();
    const before = await page.evaluate<number>('scrollY');
    expect(before).toBeGreaterThan(5_000);
    await found.click();
    await page.getByRole('heading', { level: 2, name: 'History' }).waitFor();
    await expect.poll(() => page.evaluate('scrollY')).toBe(0);
    await page.goBack();
    await page.getByText('200 records so far').waitFor();
    await eventually(async () => {
      expect(await page.evaluate<number>('scrollY')).toBe(before);
    });
    await expectClean(watched, served.company.url);
  });

  test('CSL-75, CSL-C122 Back leads to the place in a list that takes long to load', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.clock.install();
    await page.goto(`${served.company.url}/console/find?words=spoke`);
    await page.getByText('100 records so far').waitFor();
    const found = page.locator('.found > li').nth(70).locator('.found-text');
    await found.scrollIntoViewIfNeeded();
    const before = await page.evaluate<number>('scrollY');
    expect(before).toBeGreaterThan(1_000);
    await found.click();
    await page.getByRole('heading', { level: 2, name: 'History' }).waitFor();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/v1/memory/search', async (route) => {
      await released;
      await route.continue().catch(() => undefined);
    });
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Search all scopes' }).waitFor();
    await page.clock.fastForward(30_000);
    release();
    await page.getByText('100 records so far').waitFor();
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(before);
  });
});

async function scrolledTo(page: Page): Promise<number> {
  return page.evaluate<number>(`document.querySelector('.long-list').scrollTop`);
}
