/** The console in Chromium: a server that goes away, and comes back. */
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { scopes } from '@agentkeep/example-company/memories';
import { describe, expect, test } from 'vitest';
import { accessibilityProblems, companyInChromium, DESK, signedIn } from './console-kit.js';

const AWAY = 'The server is not responding. This page loads again once it does.';

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('a server that was away', () => {
  const served = companyInChromium();

  test('CSL-C125 screens say so, and load by themselves once it is back', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    const network = page.context();
    await page.getByRole('link', { name: 'support / desk' }).waitFor();
    await network.setOffline(true);
    await page.getByRole('link', { name: 'support / desk' }).click();
    await page.getByText(AWAY).first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await network.setOffline(false);
    await page.getByText('Chidi Okafor needs a child seat').waitFor();
    await expect.poll(() => page.getByText(AWAY).count()).toBe(0);
  });

  test('CSL-78 a list shows what was stored meanwhile', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.goto(`${served.company.url}/console/scope?${DESK}`);
    await page.getByText('Chidi Okafor needs a child seat').waitFor();
    await page.context().setOffline(true);
    await served.company.agents.support.memory.in(scopes.desk).remember('A tandem came in.');
    await page.context().setOffline(false);
    await page.getByText('A tandem came in.').waitFor();
  });
});
