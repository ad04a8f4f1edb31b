/** The console in Chromium: procedures, their evaluations, attempts and tools. */
import { agentFor } from '@agentkeep/core/operator';
import { COMPANY } from '@agentkeep/example-company/fill-company';
import { fillLearning } from '@agentkeep/example-company/fill-learning';
import { scopes } from '@agentkeep/example-company/memories';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  accessibilityProblems,
  companyInChromium,
  signedIn,
  signInBySecret,
} from './console-kit.js';

async function isFocused(page: Page, name: string): Promise<boolean> {
  const text = await page.evaluate<string>('document.activeElement.textContent');
  return text === name;
}

/** Walks by keyboard to a link, and follows it. */
async function followByKeyboard(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).waitFor();
  for (let at = 0; at < 40; at += 1) {
    if (await isFocused(page, name)) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
}

async function widthOver(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('learning in Chromium', () => {
  const served = companyInChromium();

  beforeAll(async () => {
    await fillLearning(served.company.keep);
  });

  test('CSL-C15 a person walks to a procedure by keyboard, and sees what decides', async () => {
    await using watched = await signedIn(served, 'mara');
    const { page } = watched;
    await followByKeyboard(page, 'Learning');
    await page.getByText('Choose a scope').waitFor();
    await followByKeyboard(page, 'support / desk');
    await page.getByRole('row', { name: /ask-first Qualified/ }).waitFor();
    await expect.poll(() => page.getByRole('row', { name: /apologise Candidate/ }).count()).toBe(1);
    // Without the right to them, neither attempts nor tools are offered.
    expect(await page.getByRole('link', { name: 'Attempts' }).count()).toBe(0);
    await followByKeyboard(page, 'ask-first');
    await page.getByText('it chooses this procedure').waitFor();

    const reader = await agentFor(served.company.keep, {
      ...{ tenantId: COMPANY, subjectId: 'reader', scopes: [scopes.desk] },
      capabilities: ['memory_read'],
    });
    const { record } = await reader.learning.procedure(scopes.desk, 'ask-first');
    const figures = await page.getByRole('region', { name: 'Figures' }).textContent();
    expect(figures).toContain(`${String(record.qualification_count)} of 40`);
    expect(figures).toContain('admits at 10');
    expect(figures).toContain('grows when the procedure beats the baseline');
    expect(figures).toContain('Consecutive bad results in real use.');
    const decisions = await page.getByRole('region', { name: 'Decisions' }).textContent();
    expect(decisions).toContain(`by case ${record.decisions[0]!.triggering_case}`);

    await expect.poll(() => page.locator('figure.chart').count()).toBe(4);
    const table = page.getByRole('region', { name: 'Evaluations' }).locator('.table-frame');
    await expect.poll(() => table.getByRole('row').count()).toBe(25);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goBack();
    await page.getByRole('link', { name: 'apologise' }).click();
    await page.getByText('it chooses ask-first').waitFor();
    expect(watched.said).toEqual([]);
    expect(await watched.violations()).toEqual([]);
  });

  test('CSL-C15 attempts are a timeline and tools have their developments, on a phone', async () => {
    const { secret } = await served.company.setup.credentials.issue({
      subject_id: 'coach',
      capabilities: ['memory_read', 'experience_read', 'tool_read'],
      grants: Object.values(scopes).map((scope) => ({ ...scope, mission_id: null })),
    });
    await using watched = await signedIn(served, 'mara', {
      viewport: { width: 390, height: 844 },
    });
    const { page } = watched;
    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    await menu.click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signInBySecret(page, secret);
    await menu.click();
    await page.getByRole('link', { name: 'Learning' }).click();
    await page.getByRole('link', { name: 'support / desk' }).click();
    await page.getByRole('link', { name: 'Attempts' }).click();
    const timeline = page.getByRole('list', { name: 'Attempts' }).getByRole('listitem');
    await timeline.first().waitFor();
    const shown = await timeline.allTextContents();
    expect(shown.map((each) => /answer-\d(?:open|failed|succeeded)/.exec(each)?.[0])).toEqual([
      'answer-3open',
      'answer-2failed',
      'answer-1succeeded',
    ]);
    expect(await widthOver(page)).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Tools' }).click();
    await page.getByRole('row', { name: /frame-number.*check-frame-number/ }).waitFor();
    const registered = page.getByRole('region', { name: 'Registered tools' });
    await registered.getByRole('row', { name: /^check-frame-number run/ }).waitFor();
    expect(await widthOver(page)).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Procedures' }).click();
    await page.getByRole('link', { name: 'ask-first' }).click();
    await page.locator('figure.chart').first().waitFor();
    expect(await widthOver(page)).toBe(0);
    expect(watched.said).toEqual([]);
    expect(await watched.violations()).toEqual([]);
  });
});
