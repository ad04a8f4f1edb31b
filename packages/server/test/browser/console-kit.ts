/** The console of the made-up company in Chromium, over a real server. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type Company,
  COMPANY,
  fillCompany,
  PASSWORD,
} from '@agentkeep/example-company/fill-company';
import { inMemoryStore, type Keep, type KeepOptions, openKeep } from '@agentkeep/core';
import { quickPasswords } from '@agentkeep/core/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { ConsoleLinks } from '../../src/console/console-links.js';
import { createServer } from '../../src/http/create-server.js';
import { startServer } from '../../src/lifecycle/start-server.js';
import { openMetrics } from '../../src/metrics/open-metrics.js';
import { startBrowser, type WatchedPage, watchedPage } from './watched-page.js';

/** The query of the scope of the desk, which has most records. */
export const DESK = 'project=support&agent=desk&visibility=shared';

/** A keep, served with the console. */
export interface ServedKeep extends AsyncDisposable {
  readonly keep: Keep;
  readonly url: string;
  /** Returns an address that signs in a person of the company once. */
  link(username: string): string;
}

/** The company, served. */
export interface ServedCompany extends ServedKeep, Company {}

/** How the company is served. */
interface Serving {
  /** Where it is stored; by default in memory. */
  readonly dataDir?: string;
  /** The secret of metrics, which are off without it. */
  readonly metricsToken?: string;
  /** A free port for a server with a front door. Default: any port, and no front door. */
  readonly frontDoorPort?: number;
}

/** Serves the company on a socket. */
export async function servedCompany(
  ports: Partial<Omit<KeepOptions, 'dataDir' | 'store'>> = {},
  passTime?: () => void,
  { dataDir, ...serving }: Serving = {},
): Promise<ServedCompany> {
  const place = dataDir === undefined ? { store: inMemoryStore() } : { dataDir };
  const keep = await openKeep({ ...place, passwords: quickPasswords, ...ports });
  const company = await fillCompany(keep, passTime);
  return { ...company, ...(await servedKeep(keep, serving)) };
}

/** Serves a keep on a socket, and closes it with the server. */
export async function servedKeep(
  keep: Keep,
  { metricsToken, frontDoorPort: port = 0 }: Omit<Serving, 'dataDir'> = {},
): Promise<ServedKeep> {
  const links = new ConsoleLinks();
  const metrics =
    metricsToken === undefined ? {} : { metricsToken, metrics: await openMetrics(keep) };
  const door = port === 0 ? {} : { frontDoor: { publicUrl: `http://127.0.0.1:${port}` } };
  const app = createServer(keep, { console: { links }, ...door, ...metrics });
  const server = await startServer(app, { host: '127.0.0.1', port });
  return {
    keep,
    url: server.url,
    link: (username) =>
      `${server.url}/console#link=${links.issue({ tenantId: COMPANY, username })}`,
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await keep.close();
    },
  };
}

/** The company, and a browser to look at it. */
export interface InChromium {
  readonly company: ServedCompany;
  readonly browser: Browser;
}

/** Serves the company to the tests of a `describe`, and starts the browser that they look with. */
export function companyInChromium(serve: () => Promise<ServedCompany> = servedCompany): InChromium {
  const begun: { company?: ServedCompany; browser?: Browser } = {};
  beforeAll(async () => {
    [begun.company, begun.browser] = await Promise.all([serve(), startBrowser()]);
  });
  afterAll(async () => {
    await begun.browser?.close();
    await begun.company?.[Symbol.asyncDispose]();
  });
  return {
    get company() {
      return begunOnly(begun.company);
    },
    get browser() {
      return begunOnly(begun.browser);
    },
  };
}

function begunOnly<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The tests have not begun.');
  return value;
}

/** Opens the console, signed in by a link. */
export async function signedIn(
  { browser, company }: InChromium,
  username = 'mara',
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const watched = await watchedPage(browser, {
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  await watched.page.goto(company.link(username));
  // On a phone the navigation is there, behind its button.
  await watched.page.locator('#menu').waitFor({ state: 'attached' });
  await watched.page.getByRole('heading', { level: 1 }).waitFor();
  return watched;
}

/** Signs in with the password of a person of the company. */
export async function signInByPassword(page: Page, username: string): Promise<void> {
  await page.getByLabel('Tenant').fill(COMPANY);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in with the secret of a credential. */
export async function signInBySecret(page: Page, secret: string): Promise<void> {
  // Another secret stays in the tab until a sign-out, which a phone has in its menu.
  if (await page.evaluate<boolean>('sessionStorage.length > 0')) {
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
  }
  await page.getByRole('button', { name: 'Secret' }).click();
  await page.getByLabel('Secret of a credential').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe looks for: what is serious, all of it, or what depends on colours. */
export type AccessibilityRules = 'serious' | 'all' | 'colours';

const SERIOUS = ['serious', 'critical'];
const COLOUR_RULES = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** What axe finds: the rule and where. */
export async function accessibilityProblems(
  page: Page,
  rules: AccessibilityRules = 'serious',
): Promise<readonly string[]> {
  const weights = rules === 'all' ? [...SERIOUS, 'minor', 'moderate'] : SERIOUS;
  // The policy of the page refuses other scripts, so it runs from the outside; it stays in a page.
  if ((await page.evaluate<string>('typeof axe')) === 'undefined') await page.evaluate(axe);
  return page.evaluate<string[]>(`
    axe.run(${JSON.stringify(rules === 'colours' ? COLOUR_RULES : {})}).then(({ violations }) =>
      violations
        .filter(({ impact }) => ${JSON.stringify(weights)}.includes(impact))
        .map(({ id, nodes }) => id + ' ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`);
}

/** Waits until a live region says something. */
export async function announced(page: Page, text: string): Promise<void> {
  await page.getByRole('status').filter({ hasText: text }).first().waitFor({ state: 'attached' });
}
