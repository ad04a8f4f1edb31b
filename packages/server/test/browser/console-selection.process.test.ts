/** The console in Chromium: records that are selected and changed at once. */
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { eventually } from '@agentkeep/testkit/eventually';
import type { Agent, Capability } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { COMPANY } from '@agentkeep/example-company/fill-company';
import { scopes } from '@agentkeep/example-company/memories';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  accessibilityProblems,
  companyInChromium,
  type ServedCompany,
  signedIn,
  signInBySecret,
} from './console-kit.js';
import { type WatchedPage, watchedPage } from './watched-page.js';

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('records selected in Chromium', () => {
  const served = companyInChromium();

  /** Opens a scope that one test has for itself, as a person who may change it. */
  async function opened(mission: string, texts: readonly string[]) {
    const { memory, address } = await filled(served.company, mission, texts);
    const watched = await signedIn(served);
    const { page } = watched;
    await page.goto(`${served.company.url}/console/scope?${address}`);
    await page.getByText(counted(texts.length)).first().waitFor();
    const close = () => watched[Symbol.asyncDispose]();
    return { memory, address, watched, page, [Symbol.asyncDispose]: close };
  }

  test('CSL-C16 deletes what boxes, Space and Shift selected, in one batch', async () => {
    const texts = ['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.'];
    await using trial = await opened('deletes', texts);
    const { memory, watched, page } = trial;
    await box(page, 'Two.').click();
    await box(page, 'Four.').click({ modifiers: ['Shift'] });
    await page.getByText('3 records selected').waitFor();
    await page.getByRole('link', { name: /^One\./ }).focus();
    await page.keyboard.press('Space');
    await page.getByText('4 records selected').waitFor();
    await box(page, 'One.').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Shift+Space');
    await page.getByText('1 record selected').waitFor();
    expect(await checked(page)).toEqual(['Select Four.']);
    await box(page, 'Five.').click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Add tags…');
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByText('Either all are deleted or none.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 records were deleted.').waitFor();
    await page.getByText(counted(4)).waitFor();
    expect(await textsIn(memory)).toEqual(['One.', 'Two.', 'Three.', 'Six.']);
    await expectClean(watched, 1);
  });

  test('CSL-C16 adds and removes tags, also under a filter that they leave', async () => {
    await using trial = await opened('tags', ['Red.', 'Green.', 'Blue.']);
    const { memory, address, watched, page } = trial;
    await page.getByRole('button', { name: 'Select all shown (3)' }).click();
    await page.getByRole('button', { name: 'Add tags…' }).click();
    await page.getByLabel('Tags, separated by commas').fill('colour, paint');
    await page.getByText('3 of 3 records will change').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('The tags were added to 3 records.').waitFor();
    await page.locator('.record-row .tag', { hasText: 'paint' }).nth(2).waitFor();
    await page.goto(`${served.company.url}/console/scope?${address}&tags=paint`);
    await page.getByText(counted(3)).waitFor();
    await box(page, 'Red.').click();
    await box(page, 'Blue.').click();
    await page.getByRole('button', { name: 'Remove a tag…' }).click();
    await page.getByLabel('Tag', { exact: true }).selectOption('paint');
    await page.getByText('2 of 2 records will change').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove the tag' }).click();
    await page.getByText('The tag was removed from 2 records.').waitFor();
    await page.getByText(counted(1)).waitFor();
    const tags = (await memory.queryPage({})).records.map(({ payload }) => payload.tags);
    expect(tags).toEqual([['colour'], ['colour', 'paint'], ['colour']]);
    await expectClean(watched, 2);
  });

  test('CSL-C17 says which record refused a batch, and that nothing was done', async () => {
    await using trial = await opened('conflicts', ['Kept.', 'Edited.', 'Gone.']);
    const { memory, watched, page } = trial;
    await page.getByRole('button', { name: 'Select all shown (3)' }).click();
    const { records } = await memory.queryPage({});
    const [, edited, gone] = records.map(({ record_id: recordId }) => recordId);
    // The time of the event stays, which would differ too if the minute ends between both writes.
    const { payload } = await memory.read(edited ?? '');
    const content = { primary: 'Edited by another.' };
    const edit = { ...payload, content };
    await memory.update({ recordId: edited ?? '', expectedRevision: 1 }, edit);
    await memory.delete({ recordId: gone ?? '', expectedRevision: 1 });
    await page.getByText(counted(2)).waitFor();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('Nothing was changed because of this record').waitFor();
    await dialog.getByText('It was deleted, or has expired').waitFor();
    expect(await textsIn(memory)).toEqual(['Kept.', 'Edited by another.']);
    await dialog.getByRole('button', { name: 'Remove from the selection' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('keeper of conflicts changed it').waitFor();
    expect(await dialog.locator('ins').textContent()).toBe(' by another');
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('link', { name: 'Open the record' }).click();
    await page.getByRole('heading', { name: 'Revision 2' }).waitFor();
    await page.goBack();
    await page.getByText('2 records selected').waitFor();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Select the current version' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 records were deleted.').waitFor();
    expect(await textsIn(memory)).toEqual([]);
    await page.getByText('No records').waitFor();
    await expectClean(watched, 4);
  });

  test('CSL-C16 redacts the earlier revisions of what is selected', async () => {
    await using trial = await opened('redactions', ['Password 1.', 'Other.']);
    const { memory, watched, page } = trial;
    const { records } = await memory.queryPage({});
    const recordId = records[0]?.record_id ?? '';
    for (const [expectedRevision, primary] of [
      [1, 'Password 2.'],
      [2, 'No password.'],
    ] as const) {
      await memory.update({ recordId, expectedRevision }, { content: { primary } });
    }
    await page.getByRole('link', { name: /^No password/ }).waitFor();
    await page.getByRole('button', { name: 'Select all shown (2)' }).click();
    await page.getByRole('button', { name: 'Redact earlier revisions…' }).click();
    await page.getByText('2 revisions of 1 record will be redacted.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Redact' }).click();
    await page.getByText('The earlier revisions of 1 record were redacted.').waitFor();
    const { items } = await memory.historyPage(recordId);
    expect(items.map(({ payload }) => payload?.content.primary)).toEqual([
      'No password.',
      undefined,
      undefined,
    ]);
    await expectClean(watched, 1);
  });

  test('CSL-C18 holds a selection at 256 records, also when their rows are gone', async () => {
    const texts = Array.from({ length: 300 }, (_, at) => `Line ${at}.`);
    await using trial = await opened('many', texts.slice(0, 100));
    const { memory, watched, page } = trial;
    await store(memory, texts.slice(100));
    await page.getByRole('link', { name: /^Line 299/ }).waitFor();
    const list = page.locator('.long-list');
    const scrolled = (key: 'Home' | 'End', text: string) =>
      eventually(async () => {
        await list.press(key);
        expect(await box(page, text).count()).toBe(1);
      });
    await scrolled('End', 'Line 0.');
    await page.getByText(counted(300)).waitFor();
    await box(page, 'Line 0.').click();
    await scrolled('Home', 'Line 299.');
    await box(page, 'Line 299.').click({ modifiers: ['Shift'] });
    await page.getByText('256 records selected').waitFor();
    await expect.poll(() => box(page, 'Line 299.').isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await page.getByRole('button', { name: 'Select the first 256 shown' }).click();
    await page.getByText('256 records selected').waitFor();
    await page.getByText('the most that you can change at once').waitFor();
    await scrolled('End', 'Line 0.');
    await expect.poll(() => list.locator('li').count()).toBeLessThan(60);
    await expect.poll(() => box(page, 'Line 0.').isDisabled()).toBe(true);
    await scrolled('Home', 'Line 299.');
    await expect.poll(() => box(page, 'Line 299.').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('256 records were deleted.').waitFor();
    await page.getByText(counted(44)).waitFor();
    expect(await textsIn(memory)).toEqual(texts.slice(0, 44));
    await expectClean(watched, 1);
  });

  test('CSL-C19 offers only what the caller may do', async () => {
    const { address } = await filled(served.company, 'rights', ['Old.', 'New.']);
    await using watched = await watchedPage(served.browser);
    const { page } = watched;
    const open = async (rights: readonly Capability[]): Promise<void> => {
      const { secret } = await served.company.setup.credentials.issue({
        subject_id: 'visitor',
        capabilities: [...rights],
        grants: [{ ...scopes.desk, mission_id: 'rights' }],
      });
      await page.goto(`${served.company.url}/console/scope?${address}`);
      await signInBySecret(page, secret);
      await page.getByText(counted(2)).waitFor();
    };
    await open(['memory_read']);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Select/ }).count()).toBe(0);
    await open(['memory_read', 'memory_propose']);
    await page.getByRole('button', { name: 'Select all shown (2)' }).click();
    expect(await page.getByRole('button', { name: /^Redact/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Your change is waiting for review.').waitFor();
    await page.getByText(counted(2)).waitFor();
    await expectClean(watched, 1);
  });
});

function counted(count: number): RegExp {
  return new RegExp(`^${count.toLocaleString('en')} (of [\\d,]+ )?records?( loaded)?$`);
}

function box(page: Page, text: string) {
  return page.getByRole('checkbox', { name: `Select ${text}` });
}

async function checked(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('.select-box :checked')]
    .map((each) => each.getAttribute('aria-label'))`);
}

async function expectClean(watched: WatchedPage, batches: number): Promise<void> {
  const { said, requested } = watched;
  // The browser says of each refused request that it was refused.
  expect(said.filter((each) => !each.startsWith('error: Failed to load resource'))).toEqual([]);
  expect(await watched.violations()).toEqual([]);
  expect(requested.filter((url) => url.endsWith('/memory/batches'))).toHaveLength(batches);
}

type ScopedMemory = ReturnType<Agent['memory']['in']>;

async function store(memory: ScopedMemory, texts: readonly string[]): Promise<void> {
  const made = memory.createMany(texts.map((primary) => ({ content: { primary } })));
  while ((await made.next()).done !== true);
}

/** Returns the texts of all records, the oldest first. */
async function textsIn(memory: ScopedMemory): Promise<string[]> {
  const texts: string[] = [];
  for await (const { payload } of memory.query({})) texts.push(payload.content.primary);
  return texts;
}

/** Stores texts in a scope of a mission, the first one first. */
async function filled(
  { keep }: ServedCompany,
  mission: string,
  texts: readonly string[],
  rights: readonly Capability[] = ['memory_read', 'memory_write'],
) {
  const scope = { ...scopes.desk, mission_id: mission };
  const agent = await agentFor(keep, {
    ...{ tenantId: COMPANY, subjectId: `keeper of ${mission}`, scopes: [scope] },
    capabilities: [...rights],
  });
  const memory = agent.memory.in(scope);
  await store(memory, texts);
  const address = `project=support&agent=desk&mission=${mission}&visibility=shared`;
  return { memory, address };
}
