/** The console in Chromium: texts from right to left, and long names of scopes, on a phone. */
import { agentFor } from '@agentkeep/core/operator';
import { COMPANY } from '@agentkeep/example-company/fill-company';
import { scopes } from '@agentkeep/example-company/memories';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectClean } from './console-checks.js';
import { accessibilityProblems, companyInChromium, DESK, signedIn } from './console-kit.js';

const LONG = { ...scopes.desk, project_id: `p-${'long'.repeat(24)}`, agent_id: 'the-last-desk' };
/** How far a table scrolls sideways in its frame. */
const BEYOND = `(() => {
  const { scrollWidth, clientWidth } = document.querySelector('.table-frame');
  return scrollWidth - clientWidth;
})()`;
const HEBREW = 'הלקוח מעדיף תשובות קצרות.';

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('directions in Chromium', () => {
  const served = companyInChromium();

  test('CSL-C124 a text from right to left and a long name fit a phone', async () => {
    const agent = await agentFor(served.company.keep, {
      ...{ tenantId: COMPANY, subjectId: 'filler', scopes: [LONG] },
      capabilities: ['memory_read', 'memory_write'],
    });
    await agent.memory.in(LONG).remember(HEBREW);
    const viewport = { width: 320, height: 640 };
    await using watched = await signedIn(served, 'mara', { viewport });
    const { page } = watched;
    const whole = `${LONG.project_id} / the-last-desk`;
    const scope = page.getByRole('link', { name: whole, exact: true }).first();
    await scope.waitFor();
    expect(await shownOf(page, 'td .cut')).toMatchObject({ isCut: true, end: 'he-last-desk' });
    expect(await scope.locator('bdi').getAttribute('title')).toBe(whole);
    expect(await copied(page, 'td .cut')).toBe(whole);
    await expectToFit(page);
    await scope.click();
    const row = page.locator('.record-text', { hasText: HEBREW });
    await row.waitFor();
    expect(await directionOf(page, '.record-text')).toBe('rtl');
    expect(await directionOf(page, 'h1')).toBe('ltr');
    await expectToFit(page);
    await row.click();
    await page.locator('.main-text', { hasText: HEBREW }).waitFor();
    expect(await directionOf(page, '.main-text')).toBe('rtl');
    await expectToFit(page);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await directionOf(page, 'dialog textarea')).toBe('rtl');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await expectClean(watched, served.company.url);
  });

  test('CSL-77, CSL-C124 an id in a record keeps its end on a phone, and is read as a whole', async () => {
    const viewport = { width: 320, height: 640 };
    await using watched = await signedIn(served, 'mara', { viewport });
    const { page } = watched;
    await page.goto(`${served.company.url}/console/scope?${DESK}`);
    await page.getByText('Tighten it at the first service').click();
    const fact = page.locator('.facts dd code').last();
    await fact.waitFor();
    const id = new URL(page.url()).searchParams.get('id') ?? '';
    expect(await fact.ariaSnapshot()).toContain(id);
    expect(await shownOf(page, '.facts dd code .cut')).toMatchObject({ end: id.slice(-12) });
    await expectToFit(page);
    await expectClean(watched, served.company.url);
  });

  test('CSL-77, CSL-C124 a phone shows when each audit event was, without scrolling', async () => {
    for (const width of [390, 320]) {
      await using watched = await signedIn(served, 'mara', { viewport: { width, height: 640 } });
      const { page } = watched;
      await page.goto(`${served.company.url}/console/audit`);
      await page.locator('td time').first().waitFor();
      for (const time of await page.locator('td time').all()) {
        const { x = 0, width: wide = 0 } = (await time.boundingBox()) ?? {};
        expect(x).toBeGreaterThan(0);
        expect(x + wide).toBeLessThan(width);
      }
      expect(await page.evaluate(BEYOND)).toBe(0);
      await page.locator('td details').first().click();
      expect(await page.evaluate(BEYOND)).toBe(0);
      await expectToFit(page);
    }
  });
});

/** Says whether the begin of the first name that is cut has room, and what stands at its end. */
function shownOf(page: Page, selector: string) {
  return page.evaluate<{ isCut: boolean; end: string }>(`(() => {
    const cut = document.querySelector('${selector}');
    const { begin, end } = cut.dataset;
    const context = new OffscreenCanvas(0, 0).getContext('2d');
    context.font = getComputedStyle(cut).font;
    const whole = context.measureText(begin + end).width;
    return { isCut: cut.getBoundingClientRect().width < whole - 1, end };
  })()`);
}

/** Returns what a copy of the first name that is cut has. */
function copied(page: Page, selector: string): Promise<string> {
  return page.evaluate<string>(`(() => {
    getSelection().selectAllChildren(document.querySelector('${selector}'));
    return getSelection().toString().trim();
  })()`);
}

async function directionOf(page: Page, selector: string): Promise<string> {
  return page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).direction`);
}

async function expectToFit(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
}
