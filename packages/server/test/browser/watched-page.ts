/** A page in Chromium that notes what it asks for and what goes wrong. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from '@agentkeep/testkit/find-chromium';

/** Far beyond what a page takes, so that a busy machine fails nothing. */
const TIMEOUT_MS = 240_000;

/** Names are not looked up, so that a request elsewhere fails at once. */
const ONLY_LOOPBACK = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

/** Runs before the scripts of a page. */
const NOTE_VIOLATIONS = `
  globalThis.violations = [];
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    violations.push(violatedDirective + ' ' + blockedURI);
  });
`;

/** A page, and what is known of it. */
export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** URLs of all requests, without data URLs. */
  readonly requested: readonly string[];
  /** Messages of its console, and errors that no script caught. */
  readonly said: readonly string[];
  /** Returns what its policy refused: the directive and the URL. */
  violations(): Promise<readonly string[]>;
}

/** Starts the browser that `findChromium()` finds. */
export function startBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed.');
  return chromium.launch({ executablePath, args: [ONLY_LOOPBACK] });
}

/** Opens an empty page without anything stored. */
export async function watchedPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const requested: string[] = [];
  const said: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) requested.push(request.url());
  });
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(String(error)));
  await page.addInitScript(NOTE_VIOLATIONS);
  return {
    page,
    requested,
    said,
    violations: () => page.evaluate<readonly string[]>('violations'),
    [Symbol.asyncDispose]: () => context.close(),
  };
}
