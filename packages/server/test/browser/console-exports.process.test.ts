/** The console in Chromium: exports to files, and imports of them. */
import { readFileSync } from 'node:fs';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import type { Agent, Capability } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { scopes } from '@agentkeep/example-company/memories';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  accessibilityProblems,
  companyInChromium,
  signedIn,
  signInBySecret,
} from './console-kit.js';
import { type WatchedPage, watchedPage } from './watched-page.js';

/** As in browsers that let no page write to files. */
const NO_PICKER = 'delete globalThis.showSaveFilePicker;';

/** Answers the picker, which no test can, with a file that the browser keeps for the page. */
const PICKER = `globalThis.showSaveFilePicker = async ({ suggestedName }) => {
  const folder = await navigator.storage.getDirectory();
  globalThis.chosen = suggestedName;
  return folder.getFileHandle(suggestedName, { create: true });
};`;

const CHOSEN = `(async () => {
  const folder = await navigator.storage.getDirectory();
  const file = await (await folder.getFileHandle(chosen)).getFile();
  return file.text();
})()`;

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('exports and imports in Chromium', () => {
  const served = companyInChromium();

  /** Opens the console with the secret of a credential that administers others. */
  async function opened(script: string, secret?: string): Promise<WatchedPage> {
    const watched = await watchedPage(served.browser);
    await watched.page.addInitScript(script);
    await watched.page.goto(`${served.company.url}/console`);
    await signInBySecret(watched.page, secret ?? (await issued(['credential_admin'])));
    await watched.page.getByRole('heading', { name: 'Memory' }).waitFor();
    return watched;
  }

  async function issued(rights: readonly Capability[]): Promise<string> {
    const { secret } = await served.company.setup.credentials.issue({
      ...{ subject_id: 'office', capabilities: ['memory_read', ...rights] },
      grants: [{ ...scopes.desk, mission_id: null }],
    });
    return secret;
  }

  test('CSL-C20 exports the tenant, and saves the file when it is complete', async () => {
    await using watched = await opened(NO_PICKER);
    const { page } = watched;
    await page.getByRole('button', { name: 'Export…' }).click();
    await page.getByText('For more than 500 MB').waitFor();
    await page.getByLabel('Include earlier revisions and deleted records').click();
    expect(await accessibilityProblems(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save to a file' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toMatch(/^agentkeep-lindgren-bikes-[\d-]{10}\.jsonl$/);
    await page.getByText('.jsonl is complete').waitFor();
    const text = readFileSync(await saved.path(), 'utf8');
    expect(linesOf(text)).toEqual(linesOf(await exported(served.company.setup)));
    await expectClean(watched);
  });

  test('CSL-C20 exports the scopes of a subject and one scope, as the file is written', async () => {
    await using watched = await opened(PICKER);
    const { page } = watched;
    await page.getByRole('button', { name: 'Export…' }).click();
    expect(await page.getByText('For more than 500 MB').count()).toBe(0);
    await page.getByLabel('What').selectOption('subject');
    await page.getByLabel('Subject').fill('analyst');
    await page.getByRole('button', { name: 'Save to a file' }).click();
    await page.getByText('.jsonl is complete').waitFor();
    const ofSubject = await page.evaluate<string>(CHOSEN);
    expect(JSON.parse(linesOf(ofSubject, 0)[0] ?? '')).toMatchObject({
      of: { type: 'subject', subject_id: 'analyst' },
      with_history: false,
    });
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'support / desk' }).click();
    await page.getByRole('button', { name: 'Export…' }).click();
    await page.getByText('All of support / desk').waitFor();
    await page.getByRole('button', { name: 'Save to a file' }).click();
    await page.getByText('.jsonl is complete').waitFor();
    const ofScope = await page.evaluate<string>(CHOSEN);
    expect(ofScope.match(/^\{"line":"record"/gm)).toHaveLength(8);
    await expectClean(watched);
  });

  test('CSL-C21 stops an export, and leaves nothing of it', async () => {
    await using watched = await opened(PICKER);
    const { page } = watched;
    await page.route('**/api/v1/exports', () => undefined);
    await page.getByRole('button', { name: 'Export…' }).click();
    await page.getByRole('button', { name: 'Save to a file' }).click();
    await page.getByRole('progressbar', { name: 'Exporting' }).waitFor();
    await page.getByText('0 byte so far').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Export stopped. Nothing was saved.').waitFor();
    expect(await page.evaluate(CHOSEN)).toBe('');
    await page.unroute('**/api/v1/exports');
    await page.getByRole('button', { name: 'Save to a file' }).click();
    await page.getByText('.jsonl is complete').waitFor();
  });

  test('CSL-C22 tries an import, then stores it; a second one changes nothing', async () => {
    const { keep } = served.company;
    const { secret } = await bootstrapTenant(keep, { tenantId: 'heirs', subjectId: 'office' });
    const heirs = await keep.authenticate(secret);
    const grants = [{ ...scopes.desk, mission_id: null }];
    const capabilities: Capability[] = ['credential_admin', 'memory_read', 'memory_write'];
    const clerk = await heirs.credentials.issue({ subject_id: 'clerk', capabilities, grants });
    const desk = (await keep.authenticate(clerk.secret)).memory.in(scopes.desk);
    await desk.put('policy/returns', { content: { primary: 'No returns.' } });
    await using watched = await opened(NO_PICKER, clerk.secret);
    const { page } = watched;
    const text = await exported(served.company.setup);
    const lines = linesOf(text).length;
    await page.getByRole('button', { name: 'Import…' }).click();
    await choose(page, text);
    await page.getByRole('button', { name: 'Preview the import' }).click();
    await page.getByText('1 line is refused.').waitFor();
    await page.getByText('another record or branch has this name').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect((await desk.queryPage({})).records).toHaveLength(1);
    await page.getByRole('button', { name: /^Import \d+ lines$/ }).click();
    await page.getByText(/^\d+ lines were stored\./).waitFor();
    expect((await desk.queryPage({})).records).toHaveLength(8);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'support / desk' }).waitFor();
    await page.getByRole('button', { name: 'Import…' }).click();
    await choose(page, text);
    await page.getByRole('button', { name: 'Preview the import' }).click();
    await page.getByText('0 lines would be stored.').waitFor();
    const again = await page.getByText('are already stored').textContent();
    expect(lines).toBeGreaterThan(20);
    expect(again).toMatch(/0 lines would be stored\. \d+ lines are already stored/);
    expect(await page.getByRole('button', { name: /^Import \d/ }).count()).toBe(0);
    await expectClean(watched);
  });

  test('CSL-C23 says what is wrong with a file, and stores nothing of another kind', async () => {
    await using watched = await opened(NO_PICKER);
    const { page } = watched;
    const text = await exported(served.company.setup);
    await page.getByRole('button', { name: 'Import…' }).click();
    const attempt = async (file: string | Buffer): Promise<void> => {
      await choose(page, file);
      await page.getByRole('button', { name: 'Preview the import' }).click();
    };
    await attempt('{"name":"<b>memories</b>"}');
    await page.getByText('This file is not an Agentkeep export').waitFor();
    await attempt(text.slice(0, text.lastIndexOf('{"line":"manifest"')));
    await page.getByText('The export is cut').waitFor();
    await attempt(text.replace('Returns within 30 days', 'Returns within 90 days'));
    await page.getByText('The export is damaged').waitFor();
    await attempt(Buffer.concat([Buffer.from(text), Buffer.from([0xff])]));
    await page.getByText('is not UTF-8 text').waitFor();
    await attempt(text);
    await page.getByText('0 lines would be stored.').waitFor();
    await expectClean(watched);
  });

  test('CSL-C24 offers exports and imports to those who may', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.getByRole('link', { name: 'support / desk' }).waitFor();
    expect(await page.getByRole('button', { name: /^(Export|Import)/ }).count()).toBe(0);
    const desk = 'project=support&agent=desk';
    await page.goto(`${served.company.url}/console/scope?${desk}&visibility=shared`);
    await page.getByText('8 records', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Export…' }).count()).toBe(0);
    await page.goto(`${served.company.url}/console/scope?${desk}&visibility=private`);
    await page.getByRole('button', { name: 'Export…' }).waitFor();
  });
});

async function exported({ exports }: Agent): Promise<string> {
  let file = '';
  for await (const text of exports.texts({ type: 'tenant' }, { withHistory: true })) file += text;
  return file;
}

/** Returns the lines, without the first one, which names the time. */
function linesOf(text: string, from = 1): readonly string[] {
  return text.trimEnd().split('\n').slice(from);
}

async function choose(page: Page, content: string | Buffer): Promise<void> {
  const file = { name: 'memory.jsonl', mimeType: 'text/plain', buffer: Buffer.from(content) };
  await page.getByLabel('File').setInputFiles(file);
}

async function expectClean(watched: WatchedPage): Promise<void> {
  expect(watched.said).toEqual([]);
  expect(await watched.violations()).toEqual([]);
}
