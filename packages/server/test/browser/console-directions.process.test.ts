/** The console in Chromium: texts from right to left, and long names of scopes, on a phone. */
import { agentFor } from '@agentkeep/core/operator';
import { COMPANY } from '@agentkeep/example-company/fill-company';
import { scopes } from '@agentkeep/example-company/memories';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectClean } from './console-checks.js';
import { accessibilityProblems, companyInChromium, signedIn } from './console-kit.js';

const LONG = { ...scopes.desk, project_id: `p-${'long'.repeat(24)}`, agent_id: 'the-last-desk' };
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
    expect(await scope.locator('[aria-hidden]').textContent()).toMatch(
      /^p-long[^…]*…[^…]*long \/ the-last-desk$/,
    );
    expect(await scope.locator('bdi').getAttribute('title')).toBe(whole);
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
});

async function directionOf(page: Page, selector: string): Promise<string> {
  return page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).direction`);
}

async function expectToFit(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
}
