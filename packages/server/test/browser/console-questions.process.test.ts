/** The console in Chromium: questions, and the way back to the list. */
import { scopes } from '@agentkeep/example-company/memories';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { describe, expect, test } from 'vitest';
import { expectClean } from './console-checks.js';
import { accessibilityProblems, companyInChromium, signedIn } from './console-kit.js';

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('questions in Chromium', () => {
  const served = companyInChromium();

  test('CSL-C99 a question says when there is more, and Back leads to the list', async () => {
    const stock = served.company.agents.purchasing.memory.in(scopes.stock);
    const many = Array.from({ length: 40 }, (_, at) => ({ content: { primary: `Valve ${at}.` } }));
    for await (const { outcomes } of stock.createMany(many)) expect(outcomes.length).toBe(40);
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.getByRole('link', { name: 'purchasing / stock' }).first().click();
    const list = page.url();
    const box = page.getByRole('searchbox', { name: 'Ask this memory' });
    await box.fill('valve');
    await box.press('Enter');
    await page.getByText('The 30 best matches of more.').waitFor();
    await page.getByText('rare words count more').waitFor();
    expect(await page.locator('.found > li').count()).toBe(30);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goBack();
    await page.getByRole('group', { name: 'Records' }).waitFor();
    expect(page.url()).toBe(list);
    await expectClean(watched, served.company.url);
  });
});
