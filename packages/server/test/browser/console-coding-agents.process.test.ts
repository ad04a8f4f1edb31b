/** Sessions of coding agents in the console, in Chromium (docs/contract/console.md). */
import { agentFor } from '@agentkeep/core/operator';
import { COMPANY } from '@agentkeep/example-company/fill-company';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { describe, expect, test } from 'vitest';
import { expectBestPractice, expectClean, expectFit } from './console-checks.js';
import { companyInChromium, signedIn } from './console-kit.js';

const BIKES = { project_id: 'bikes', agent_id: 'coding-agent', visibility: 'shared' } as const;
const SHOP = { ...BIKES, project_id: 'web-shop-of-the-northern-branch' };

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('coding agents in Chromium', () => {
  const served = companyInChromium();

  test('CSL-83, CSL-C131 shows which sessions stored what, and where, by keyboard', async () => {
    const agent = await agentFor(served.company.keep, {
      ...{ tenantId: COMPANY, subjectId: 'coder', scopes: [BIKES, SHOP] },
      capabilities: ['memory_read', 'memory_write'],
    });
    const stored = [
      [BIKES, 'claude-code', 's-1', 'Use pnpm here.'],
      [BIKES, 'claude-code', 's-1', 'Tests run with vitest.'],
      [BIKES, 'codex', '2026', 'The release is on Friday.'],
      [SHOP, 'claude-code', 's-3', 'Prices are in cents.', 'Mend the prices · tax.ts'],
    ] as const;
    for (const [scope, host, session, text, title] of stored) {
      await agent.memory.in(scope).remember(text, {
        ...{
          tags: ['coding-agent'],
          metadata: { host, session, turn: 1, ...(title && { title }) },
        },
      });
    }
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.getByRole('link', { name: 'Coding agents' }).press('Enter');
    await page.getByText('3 sessions, from 4 records').waitFor();
    const cells = await page.locator('tbody tr td:first-child').allTextContents();
    expect(cells.map((each) => each.slice(0, 4))).toEqual(['Mend', '2026', 's-1c']);
    await expectFit(page);
    await expectBestPractice(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await page
      .getByRole('link', { name: /^web-shop-of/ })
      .first()
      .waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const [session, texts] of [
      ['s-1', ['Tests run with vitest.', 'Use pnpm here.']],
      ['2026', ['The release is on Friday.']],
    ] as const) {
      await page.getByRole('link', { name: session, exact: true }).press('Enter');
      await page.getByText(texts[0]).waitFor();
      expect(await page.locator('.record-text').allTextContents()).toEqual(texts);
      await page.goBack();
      await page.getByText('3 sessions, from 4 records').waitFor();
    }
    await expectClean(watched, served.company.url);
  });
});
