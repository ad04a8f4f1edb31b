/**
 * Pictures of every screen of the console, in light and dark, for a desk and a phone. With
 * AGENTKEEP_PICTURES=write they replace those of the guide.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { ManualClock } from '@agentkeep/core/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  accessibilityProblems,
  type ServedCompany,
  servedCompany,
  signedIn,
} from './console-kit.js';
import { startBrowser } from './watched-page.js';

const FOLDER = fileURLToPath(new URL('../../../../docs/pictures/console/', import.meta.url));
const isWriting = process.env['AGENTKEEP_PICTURES'] === 'write';

const START_MS = Date.UTC(2026, 3, 1, 8);
const PASS_MS = 7 * 3_600_000 + 11 * 60_000;

const DESK = 'project=support&agent=desk&visibility=shared';

/** The screens: their addresses, and what has to be there. */
const screens: Readonly<Record<string, readonly [address: string, text: string]>> = {
  scopes: ['', 'purchasing / stock'],
  memory: [`/scope?${DESK}`, 'Chidi Okafor needs a child seat'],
  recall: [`/scope?${DESK}&q=Why+do+the+gears+slip%3F`, '2 records found'],
  review: ['/review', 'Eleven customers of March'],
  audit: ['/audit', 'System'],
};

const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;
const schemes = ['light', 'dark'] as const;

const looks = Object.entries(sizes).flatMap(([size, viewport]) =>
  schemes.map((colorScheme) => ({ look: `${size}-${colorScheme}`, viewport, colorScheme })),
);

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('the screens of the console', () => {
  const clock = new ManualClock(START_MS);
  let company: ServedCompany;
  let browser: Browser;

  beforeAll(async () => {
    const pass = () => {
      clock.advance(PASS_MS);
    };
    [company, browser] = await Promise.all([servedCompany({ clock }, pass), startBrowser()]);
  });

  afterAll(async () => {
    await browser.close();
    await company[Symbol.asyncDispose]();
  });

  test.each(looks)('$look: each fits and is accessible', async ({ look, ...options }) => {
    await using watched = await signedIn(browser, company, 'mara', {
      ...options,
      timezoneId: 'UTC',
    });
    const { page } = watched;
    await page.clock.setFixedTime(clock.now());
    for (const [name, [address, text]] of Object.entries(screens)) {
      await page.goto(`${company.url}/console${address}`);
      await page.getByText(text).first().waitFor();
      await picture(page, `${name}-${look}`);
    }
    await page.goto(`${company.url}/console/scope?${DESK}`);
    await page.getByText('Tighten it at the first service').click();
    await page.getByRole('heading', { name: 'Revision 3' }).waitFor();
    await picture(page, `record-${look}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').waitFor();
    await picture(page, `edit-${look}`);
    await page.goto(`${company.url}/console/branches`);
    await page.getByRole('link', { name: 'summer tours' }).click();
    await page.getByText('Offer the lake tour').waitFor();
    await picture(page, `branch-${look}`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Tenant').waitFor();
    await picture(page, `sign-in-${look}`);
    expect(watched.said).toEqual([]);
    expect(await watched.violations()).toEqual([]);
  });
});

async function picture(page: Page, name: string): Promise<void> {
  const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(wide, name).toBe(0);
  expect(await accessibilityProblems(page), name).toEqual([]);
  const bytes = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  if (!isWriting) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}${name}.png`, bytes);
}
