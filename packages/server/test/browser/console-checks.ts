/** What a page of the console has to be wherever a test has led it. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityProblems } from './console-kit.js';
import type { WatchedPage } from './watched-page.js';

/** Expects that nothing was asked for elsewhere, nothing was refused, and nothing was said. */
export async function expectClean(watched: WatchedPage, url: string): Promise<void> {
  expect(watched.requested.filter((each) => !each.startsWith(`${url}/`))).toEqual([]);
  expect(watched.said).toEqual([]);
  expect(await watched.violations()).toEqual([]);
}

/** Expects that axe finds nothing in light and in dark, which differ in colours alone. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const [colorScheme, rules] of [
    ['dark', 'colours'],
    ['light', 'serious'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityProblems(page, rules), colorScheme).toEqual([]);
  }
}

/** Expects that axe finds nothing of any weight, best practice included. */
export async function expectBestPractice(page: Page): Promise<void> {
  expect(await accessibilityProblems(page, 'all')).toEqual([]);
}

/** Expects that the page is {@link expectAccessible accessible}, and that it fits a phone. */
export async function expectFit(page: Page): Promise<void> {
  const before = page.viewportSize();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  if (before !== null) await page.setViewportSize(before);
}
