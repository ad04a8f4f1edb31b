/** The console in German and in both themes, in Chromium (docs/contract/console.md). */
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { describe, expect, test } from 'vitest';
import { expectAccessible, expectClean, expectFit } from './console-checks.js';
import { companyInChromium, signedIn } from './console-kit.js';
import { watchedPage } from './watched-page.js';

/** Follows a link, and opens the navigation before the page is painted. */
const FOLLOW_AND_OPEN = `(async () => {
  document.querySelector('#menu a[href$="/account"]').click();
  while (document.querySelector('h1').textContent !== 'My account') await Promise.resolve();
  document.querySelector('.menu-button').click();
})()`;

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('languages in Chromium', () => {
  const served = companyInChromium();

  test('CSL-56, CSL-C98 the page is in the language of the browser', async () => {
    await using watched = await watchedPage(served.browser, { locale: 'de-AT' });
    const { page } = watched;
    await page.goto(`${served.company.url}/console`);
    await page.getByRole('heading', { name: 'Anmeldung' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await expectFit(page);
    await page.getByLabel('Sprache').selectOption('en');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectClean(watched, served.company.url);
  });

  test('CSL-56, CSL-C98 each screen is in German once it is chosen, and in English again', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    const columns = page.getByRole('columnheader');
    await columns.first().waitFor();
    const english = await columns.allTextContents();
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('heading', { name: 'Gedächtnis' }).waitFor();
    for (const [link, title] of [
      ['Prüfung', 'Prüfung'],
      ['Zweige', 'Zweige'],
      ['Lernen', 'Lernen'],
      ['Zugriff', 'Zugriff'],
      ['Prüfprotokoll', 'Prüfprotokoll'],
      ['System', 'System'],
      ['Mein Konto', 'Mein Konto'],
    ] as const) {
      await page.getByRole('navigation').getByRole('link', { name: link }).press('Enter');
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await expectFit(page);
    }
    await page.getByLabel('Sprache').selectOption('en');
    await page.getByRole('link', { name: 'Memory' }).press('Enter');
    await page.getByRole('heading', { name: 'Memory' }).waitFor();
    await columns.first().waitFor();
    expect(await columns.allTextContents()).toEqual(english);
    await expectClean(watched, served.company.url);
  });

  test('CSL-56, CSL-C98 events of the audit log have German names', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.getByLabel('Language').selectOption('de');
    const navigation = page.getByRole('navigation');
    await navigation.getByRole('link', { name: 'Prüfprotokoll' }).press('Enter');
    const results = page.locator('td.wide-only .tag');
    await page
      .getByRole('cell', { name: /^Anmeldung/ })
      .first()
      .waitFor();
    await results.getByText('Erfolg').first().waitFor();
    await page.locator('select[name=event]').selectOption('Berechtigung verweigert');
    await page.getByLabel('Sprache').selectOption('en');
    await results.getByText('Success').first().waitFor();
    await expectClean(watched, served.company.url);
  });

  test('CSL-56, CSL-C98 a theme is kept, whatever the system has', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await background();
    await page.getByLabel('Theme').selectOption('dark');
    expect(await background()).not.toBe(light);
    await expectAccessible(page);
    await page.reload();
    await page.getByLabel('Theme').waitFor();
    expect(await background()).not.toBe(light);
    await page.getByLabel('Theme').selectOption('system');
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await background()).toBe(light);
    await expectClean(watched, served.company.url);
  });

  test('CSL-57, CSL-C97 the navigation is behind a button on a phone', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const button = page.getByRole('button', { name: 'Menu', exact: true });
      expect(await button.getAttribute('aria-expanded')).toBe('false');
      const review = page.getByRole('link', { name: 'Review', exact: true });
      expect(await review.isVisible()).toBe(false);
      await button.press('Enter');
      await expect.poll(() => button.getAttribute('aria-expanded')).toBe('true');
      await review.focus();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      const focused = 'document.activeElement.className';
      await expect.poll(() => page.evaluate(focused)).toBe('menu-button');
      await button.press('Enter');
      await review.press('Enter');
      await page.getByRole('heading', { name: 'Review' }).waitFor();
      await expect.poll(() => button.getAttribute('aria-expanded')).toBe('false');
    }
    await expectClean(watched, served.company.url);
  });

  test('CSL-57, CSL-C97 a navigation that is opened at once after a link stays open', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(FOLLOW_AND_OPEN);
    await page.getByRole('heading', { name: 'My account', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Review', exact: true }).waitFor();
    await expectClean(watched, served.company.url);
  });

  test('CSL-57, CSL-C97 a navigation stays open while the screen behind it loads', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.setViewportSize({ width: 390, height: 844 });
    let answer = (): void => undefined;
    const opened = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/\/proposals/u, async (route) => {
      await opened;
      await route.continue();
    });
    await page.goto(`${served.company.url}/console/review`);
    const button = page.getByRole('button', { name: 'Menu', exact: true });
    await button.press('Enter');
    await page.getByRole('link', { name: 'My account', exact: true }).waitFor();
    answer();
    // The address names the first proposal, once there is one.
    await page.waitForURL(/[?&]id=/u);
    await page.getByRole('button', { name: 'Accept' }).first().waitFor({ state: 'attached' });
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await expectClean(watched, served.company.url);
  });
});
