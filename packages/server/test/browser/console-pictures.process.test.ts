/**
 * Pictures of every screen of the console, in light and dark, for a desk and two phones. With
 * AGENTKEEP_PICTURES=write all go to `.cache/pictures/`, and those of the guide are renewed.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { agentFor, bootstrapMaster, bootstrapTenant } from '@agentkeep/core/operator';
import { ManualClock } from '@agentkeep/core/testing';
import { COMPANY } from '@agentkeep/example-company/fill-company';
import { fillLearning } from '@agentkeep/example-company/fill-learning';
import { scopes } from '@agentkeep/example-company/memories';
import { peoplePorts } from '@agentkeep/testkit/test-sign-in';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from './console-checks.js';
import {
  accessibilityProblems,
  DESK,
  type ServedCompany,
  servedCompany,
  signedIn,
  signInBySecret,
} from './console-kit.js';
import { loggedIn, signInByIssuer } from './console-sessions-kit.js';
import { startBrowser } from './watched-page.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const ALL = join(root, '.cache/pictures');
const SHOWN = join(root, 'docs/pictures/console');
const isWriting = process.env['AGENTKEEP_PICTURES'] === 'write';

const START_MS = Date.UTC(2026, 3, 1, 8);
const PASS_MS = 7 * 3_600_000 + 11 * 60_000;

const QUOTA = { maxEntries: 5_000, maxBytes: 2_000_000 };

/** The screens: their addresses, and what has to be there. */
const screens: Readonly<Record<string, readonly [address: string, text: string]>> = {
  audit: ['/audit', 'Details'],
  scopes: ['', 'purchasing / stock'],
  memory: [`/scope?${DESK}`, 'Chidi Okafor needs a child seat'],
  recall: [`/scope?${DESK}&q=Why+do+the+gears+slip%3F`, '2 records found'],
  accounts: ['/access', 'ines'],
  review: ['/review', 'Eleven customers of March'],
};

const sizes = {
  desk: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
  small: { width: 320, height: 640 },
} as const;
const schemes = ['light', 'dark'] as const;

const allLooks = Object.entries(sizes).flatMap(([size, viewport]) =>
  schemes.map((colorScheme) => ({ look: `${size}-${colorScheme}`, viewport, colorScheme })),
);

/** Where none is written, each screen is checked in both schemes of one look for each size. */
const looks = isWriting ? allLooks : allLooks.filter(({ colorScheme }) => colorScheme === 'light');

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('the screens of the console', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser.close();
  });

  test.each(looks)('$look: each fits and is accessible', async ({ look, ...options }) => {
    const clock = new ManualClock(START_MS);
    await using company = await servedCompany({ clock }, () => {
      clock.advance(PASS_MS);
    });
    await trySomething(company);
    await using watched = await signedIn({ browser, company }, 'mara', {
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
    await page.getByRole('checkbox', { name: /^Select Chidi/ }).click();
    const lastBox = page.getByRole('checkbox', { name: /^Select Customers in/ });
    await lastBox.click({ modifiers: ['Shift'] });
    await page.getByText('4 records selected').waitFor();
    await picture(page, `selection-${look}`);
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
    await page.goto(`${company.url}/console/audit`);
    await page.getByRole('button', { name: 'Verify the chain' }).click();
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('The log is intact').waitFor();
    await picture(page, `chain-${look}`);
    await page.getByRole('button', { name: 'Close' }).click();
    await openMenu(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Tenant').waitFor();
    await picture(page, `sign-in-${look}`);
    await page.goto(`${company.url}/console/access`);
    await signInBySecret(page, await officeSecret(company));
    await picturePeople(page, look);
    await pictureFiles(page, look, company);
    await pictureDeliveries(page, look);
    await pictureInstallation(page, look, company);
    expect(watched.said).toEqual([]);
    expect(await watched.violations()).toEqual([]);
  });

  test.each(looks)('$look: what was learned fits and is accessible', async (each) => {
    const { look, ...options } = each;
    const clock = new ManualClock(START_MS);
    const passTime = (): void => {
      clock.advance(PASS_MS);
    };
    await using company = await servedCompany({ clock }, passTime);
    await fillLearning(company.keep, passTime);
    const { secret } = await company.setup.credentials.issue({
      subject_id: 'coach',
      capabilities: ['memory_read', 'experience_read', 'tool_read', 'policy_admin'],
      grants: [{ ...scopes.desk, mission_id: null }],
    });
    await using watched = await signedIn({ browser, company }, 'mara', {
      ...options,
      timezoneId: 'UTC',
    });
    const { page } = watched;
    await page.clock.setFixedTime(clock.now());
    await openMenu(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signInBySecret(page, secret);
    await page.getByRole('heading', { name: 'Memory' }).waitFor();
    await pictureLearning(page, look);
    expect(watched.said).toEqual([]);
  });

  test.each(looks)('$look: sessions fit and are accessible', async ({ look, ...options }) => {
    const clock = new ManualClock(START_MS);
    const ports = { clock, entropy: steadyEntropy(), sessions: { idleSeconds: 86_400 } };
    await using company = await servedCompany({ ...ports, ...peoplePorts });
    const jonas = await loggedIn(company, 'jonas');
    await jonas.agent.keys.create('weekly report', { expiresInDays: 90 });
    clock.advance(PASS_MS);
    await signInByIssuer(company, jonas.tokens.user_id);
    clock.advance(PASS_MS);
    await using watched = await signedIn({ browser, company }, 'mara', {
      ...options,
      timezoneId: 'UTC',
    });
    const { page } = watched;
    await page.clock.setFixedTime(clock.now());
    await page.goto(`${company.url}/console/access`);
    await page.getByRole('link', { name: 'jonas' }).click();
    await page.getByText('weekly report').waitFor();
    await picture(page, `account-${look}`);
    await page.goto(`${company.url}/console/account?show=sessions`);
    await page.getByText('this one').waitFor();
    await picture(page, `sessions-${look}`);
    expect(watched.said).toEqual([]);
  });
});

/** Opens the navigation where it is behind a button: on a phone. */
async function openMenu(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Menu', exact: true });
  if (await button.isVisible()) await button.click();
}

async function followMenu(page: Page, name: string): Promise<void> {
  await openMenu(page);
  await page.getByRole('link', { name, exact: true }).click();
}

/** Pictures what the help desk learned: attempts, tools, one procedure, and its basis. */
async function pictureLearning(page: Page, look: string): Promise<void> {
  const follow = (name: string): Promise<void> =>
    page.getByRole('link', { name, exact: true }).click();
  await followMenu(page, 'Learning');
  await follow('support / desk');
  await follow('Attempts');
  await page.getByText('answer-3').waitFor();
  await picture(page, `attempts-${look}`);
  await follow('Tools');
  await page.getByText('check-frame-number').first().waitFor();
  await picture(page, `tools-${look}`);
  await follow('frame-number');
  await page.getByText('the worker reported success').waitFor();
  await picture(page, `development-${look}`);
  await follow('All developments');
  await follow('Procedures');
  await follow('ask-first');
  await page.getByText('it chooses this procedure').waitFor();
  await picture(page, `procedure-${look}`);
  await page.getByRole('heading', { name: 'Evaluations' }).scrollIntoViewIfNeeded();
  await page.locator('figure.chart').last().scrollIntoViewIfNeeded();
  await picture(page, `evaluations-${look}`);
  await follow('answers');
  await page.getByText('A procedure in use is suspended').waitFor();
  await picture(page, `policy-${look}`);
  await followMenu(page, 'Learning');
  await follow('Contexts');
  await follow('desk-mail');
  await follow('support / desk');
  await page.getByText('it chooses ask-first').waitFor();
  await picture(page, `context-${look}`);
}

/** Returns a source of bytes that are the same in each picture. */
function steadyEntropy() {
  let count = 0;
  return {
    bytes: (outputLength: number): Uint8Array => {
      count += 1;
      return createHash('shake256', { outputLength }).update(String(count)).digest();
    },
  };
}

/** Fills the audit log: a sign-in with a wrong password, and a write without the right to it. */
async function trySomething({ keep, agents }: ServedCompany): Promise<void> {
  const wrong = { username: 'ines', password: 'wrong', tenantId: COMPANY };
  await keep.logIn(wrong).catch(() => undefined);
  const memory = agents.returns.memory.in(scopes.stock);
  await memory.remember('Two tyres came back.').catch(() => undefined);
}

/** Returns the secret of a credential that administers others. */
async function officeSecret({ setup }: ServedCompany): Promise<string> {
  const { secret } = await setup.credentials.issue({
    subject_id: 'office',
    capabilities: ['credential_admin', 'memory_read'],
    grants: [],
  });
  return secret;
}

/** The key of an example in RFC 8037. */
const PUBLIC_KEY = JSON.stringify({
  ...{ kty: 'OKP', crv: 'Ed25519' },
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
});

/** A secret is forgotten with the page, so these screens are reached by their links. */
async function picturePeople(page: Page, look: string): Promise<void> {
  await page.getByRole('link', { name: 'returns', exact: true }).waitFor();
  await picture(page, `credentials-${look}`);
  await page.getByRole('button', { name: 'Issue a credential' }).click();
  await page.getByRole('dialog').waitFor();
  await picture(page, `issue-${look}`);
  await page.getByLabel('Subject').fill('courier');
  await page.getByLabel('Proof').selectOption('A public key');
  await page.getByLabel('Public key').fill(PUBLIC_KEY);
  await page.getByLabel('Public key').scrollIntoViewIfNeeded();
  await picture(page, `issue-key-${look}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('link', { name: 'returns', exact: true }).click();
  await page.getByRole('cell', { name: 'support / desk' }).first().waitFor();
  await picture(page, `credential-${look}`);
  await page.getByRole('link', { name: 'Who else can reach support / desk' }).click();
  await page.getByRole('link', { name: 'returns', exact: true }).waitFor();
  await picture(page, `reach-${look}`);
}

/** An export to choose, and a file of another tenant that was tried. */
async function pictureFiles(page: Page, look: string, { keep }: ServedCompany): Promise<void> {
  const { secret } = await bootstrapTenant(keep, { tenantId: 'heirs', subjectId: 'office' });
  const heirs = await agentFor(keep, { tenantId: 'heirs', subject: 'desk' });
  for (const text of ['The shop opens at ten.', 'Bring the receipt.']) {
    await heirs.memory.remember(text);
  }
  let file = '';
  const { exports } = await keep.authenticate(secret);
  for await (const text of exports.texts({ type: 'tenant' })) file += text;
  await followMenu(page, 'Memory');
  await page.getByRole('button', { name: 'Export…' }).click();
  await picture(page, `export-${look}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Import…' }).click();
  const buffer = Buffer.from(file);
  await page.getByLabel('File').setInputFiles({ name: 'heirs.jsonl', mimeType: '', buffer });
  await page.getByRole('button', { name: 'Preview the import' }).click();
  await page.getByText('2 lines would be stored').waitFor();
  await picture(page, `import-${look}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
}

/** What an administrator of the tenant sees of webhooks and erasures. */
async function pictureDeliveries(page: Page, look: string): Promise<void> {
  await followMenu(page, 'Webhooks');
  await page.getByRole('link', { name: 'web shop' }).click();
  await page.getByText('No dead letters.').waitFor();
  await picture(page, `webhook-${look}`);
  await followMenu(page, 'Erasures');
  await page.getByRole('cell', { name: 'finished' }).waitFor();
  await page.getByRole('cell', { name: 'A subject' }).waitFor();
  await page.locator('td a').click();
  await page.getByRole('heading', { name: 'Certificate' }).waitFor();
  await picture(page, `erasure-${look}`);
}

/** Measurements of a picture are made up, so that each picture is the same. */
const STEADY_TIMES = `
  let at = 0;
  performance.now = () => (at += 2 + ((at * 7) % 5) / 2);
`;
const MEASURE_MS = 5_000;

/** What the master sees: the charts of a minute, and the quota of a tenant. */
async function pictureInstallation(
  page: Page,
  look: string,
  { keep, agents, url }: ServedCompany,
): Promise<void> {
  let nowMs = await page.evaluate<number>('Date.now()');
  const { secret } = await bootstrapMaster(keep, 'root');
  await page.goto(`${url}/console/system`);
  await page.evaluate(STEADY_TIMES);
  await signInBySecret(page, secret);
  await page.getByRole('heading', { name: 'Stored entries' }).waitFor();
  const stock = agents.purchasing.memory.in(scopes.stock);
  for (const writes of [2, 6, 9, 4, 7, 12, 8, 3, 5, 10, 6, 4]) {
    for (let count = 0; count < writes; count += 1) await stock.remember('A chain was sold.');
    nowMs += MEASURE_MS;
    await page.clock.setFixedTime(nowMs);
    const measured = page.waitForResponse(/\/admin\/stats$/);
    await page.clock.runFor(MEASURE_MS);
    await measured;
  }
  await picture(page, `machine-${look}`);
  const master = await keep.administer(secret);
  await master.tenants.setQuota(COMPANY, QUOTA);
  await followMenu(page, 'Tenants');
  await page.getByRole('link', { name: COMPANY }).click();
  await page.getByRole('progressbar', { name: 'Entries' }).waitFor();
  await picture(page, `tenant-${look}`);
  const limit = { name: 'Sign-ins of a shop', endpointType: 'Login' } as const;
  await master.rateLimits.create({ ...limit, maxRequests: 20, windowSecs: 60 });
  await followMenu(page, 'Access');
  await page.getByRole('link', { name: 'Rate limits' }).click();
  await page.getByRole('cell', { name: limit.name, exact: true }).waitFor();
  await picture(page, `limits-${look}`);
}

async function picture(page: Page, name: string): Promise<void> {
  const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(wide, name).toBe(0);
  if (!isWriting) {
    await expectAccessible(page);
    return;
  }
  expect(await accessibilityProblems(page), name).toEqual([]);
  const bytes = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const file = `${name}.webp`;
  mkdirSync(ALL, { recursive: true });
  writeFileSync(join(ALL, file), await compressed(page, bytes));
  if (existsSync(join(SHOWN, file))) copyFileSync(join(ALL, file), join(SHOWN, file));
}

/** Returns a picture as WebP, which takes a third of the bytes. */
async function compressed(page: Page, png: Buffer): Promise<Buffer> {
  const empty = await page.context().newPage();
  const text = await empty.evaluate<string>(`(async () => {
    const answer = await fetch('data:image/png;base64,${png.toString('base64')}');
    const bitmap = await createImageBitmap(await answer.blob());
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    return canvas.toDataURL('image/webp', 0.9);
  })()`);
  await empty.close();
  return Buffer.from(text.slice(text.indexOf(',') + 1), 'base64');
}
