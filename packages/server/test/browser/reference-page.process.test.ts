/** The reference page of a real server in a real browser (docs/contract/platform.md#plt-36). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { bootstrapTenant, ServerProcess } from '@agentkeep/testkit/server-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../src/openapi/openapi-document.js';
import { startBrowser, type WatchedPage, watchedPage } from './watched-page.js';

/** What stores of the browser hold. */
const STORED = '[localStorage.length, sessionStorage.length, document.cookie]';

/** Goes on by half a window, and tells whether the page ended before. */
const SCROLL = `(() => {
  const before = scrollY;
  scrollBy(0, innerHeight / 2);
  return scrollY === before;
})()`;

/** Tries what a script could do that got into the page. */
const MISUSE = `(async () => {
  const script = document.createElement('script');
  script.textContent = 'globalThis.ran = true';
  const style = document.createElement('style');
  style.textContent = 'body { display: none }';
  document.head.append(script, style);
  await fetch('http://127.0.0.1:9/').catch(() => undefined);
  await new Promise((resolve) => {
    const image = new Image();
    image.onerror = resolve;
    image.src = 'http://127.0.0.1:9/image.png';
  });
  return typeof ran;
})()`;

/**
 * Returns the texts of all elements that a selector finds from the top of the page to its end. The
 * page draws only what is near the window, so it is scrolled.
 */
async function scrolledTexts(page: Page, selector: string): Promise<string[]> {
  const texts = new Set<string>();
  await page.evaluate('scrollTo(0, 0)');
  for (let isAtEnd = false; !isAtEnd;) {
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    for (const text of await page.locator(selector).allTextContents()) texts.add(text);
    isAtEnd = await page.evaluate(SCROLL);
  }
  return [...texts];
}

// The setup of the project fails in CI, and says elsewhere that nothing ran. The page takes seconds
// to load where the processor is busy, so it is loaded once.
describe.skipIf(findChromium() === undefined)('the reference page in Chromium', () => {
  let dataDir: string;
  let secret: string;
  let server: ServerProcess;
  let url: string;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'agentkeep-page-'));
    const starting = startBrowser();
    secret = bootstrapTenant(dataDir, 'acme');
    server = new ServerProcess(dataDir);
    [url, browser] = await Promise.all([server.listens(), starting]);
    watched = await watchedPage(browser);
    ({ page } = watched);
    await page.goto(`${url}/docs#/Memory/executeMemoryCommand`);
    await page.locator('.opblock.is-open').waitFor();
  });

  afterAll(async () => {
    await browser.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('PLT-C20 a link opens an operation with its document, example and errors', async () => {
    const operation = page.locator('.opblock.is-open');
    await operation.locator('.response[data-code="500"]').waitFor();
    const example = operation.locator('.body-param__example');
    expect(await example.textContent()).toContain('"idempotency_key"');
    const errors = await operation.locator('.responses-table').textContent();
    for (const code of ['idempotency_conflict', 'record_not_found', 'rate_limit_exceeded']) {
      expect(errors).toContain(code);
    }
    await operation.locator('.tablinks[data-name="model"]').first().click();
    await operation.getByText('compared exactly').first().waitFor();
  });

  test('PLT-C20 shows every group and operation', async () => {
    expect(await page.title()).toBe('Agentkeep API reference');
    expect(await page.locator('.info .title').textContent()).toContain('Agentkeep');
    const contract = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
    const groups = await scrolledTexts(page, '.opblock-tag > a');
    expect(groups).toEqual(contract.tags.map(({ name }) => name));
    const shown = await scrolledTexts(page, '.opblock-summary-operation-id');
    const operations = Object.values(contract.paths).flatMap((path) => Object.values(path));
    expect(operations.length).toBeGreaterThan(100);
    expect(shown.toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
    expect(watched.requested).toContain(`${url}/openapi.json`);
  });

  test('fits narrow windows, and takes the colours of the system', async () => {
    expect(await page.locator('html.dark-mode').count()).toBe(0);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html.dark-mode').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('PLT-C20 calls this server with a secret, and stores nothing', async () => {
    await page.locator('.auth-wrapper > .authorize').click();
    const dialog = page.locator('.auth-container').first();
    await dialog.locator('input').fill(secret);
    await dialog.locator('.authorize').click();
    await dialog.locator('.btn-done').click();
    await page.locator('#operations-Identity-whoAmI .opblock-summary-control').click();
    const operation = page.locator('#operations-Identity-whoAmI');
    await operation.locator('.try-out__btn').click();
    await operation.locator('.execute').click();
    const answer = operation.locator('.live-responses-table .response').first();
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').textContent()).toContain('200');
    expect(await answer.textContent()).toContain('"tenant_id": "acme"');
    expect(watched.requested).toContain(`${url}/api/v1/identity`);
    expect(await page.evaluate(STORED)).toEqual([0, 0, '']);
  });

  test('PLT-C21 asks nobody else and breaks its policy nowhere, which refuses what others add', async () => {
    expect(watched.requested.filter((each) => !each.startsWith(`${url}/`))).toEqual([]);
    expect(watched.said).toEqual([]);
    expect(await watched.violations()).toEqual([]);
    expect(await page.evaluate(MISUSE)).toBe('undefined');
    expect((await watched.violations()).toSorted()).toEqual([
      'connect-src http://127.0.0.1:9/',
      'img-src http://127.0.0.1:9/image.png',
      'script-src-elem inline',
      'style-src-elem inline',
    ]);
  });
});
