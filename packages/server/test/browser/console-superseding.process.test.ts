/** Facts that end in the console, in Chromium (docs/contract/console.md). */
import { scopes } from '@agentkeep/example-company/memories';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectBestPractice, expectClean, expectFit } from './console-checks.js';
import { announced, companyInChromium, DESK, signedIn } from './console-kit.js';

const OLD = 'The workshop of Oslo opens at nine.';
const NEW = 'The workshop of Oslo opens at ten.';

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('facts that end in Chromium', () => {
  const served = companyInChromium();
  const memory = () => served.company.agents.support.memory.in(scopes.desk);

  /** Returns what ended a record, which a read no longer finds. */
  async function successorOf(id: string): Promise<string | undefined> {
    return (await memory().historyPage(id)).items[0]?.payload?.superseded_by;
  }

  async function opened(page: Page, id: string): Promise<void> {
    await page.goto(`${served.company.url}/console/record?${DESK}&id=${id}`);
    await page.getByRole('heading', { name: 'Possible conflicts' }).waitFor();
  }

  test('CSL-81, CSL-C129 a record leads to what it replaced and to what replaced it', async () => {
    const old = await memory().remember(OLD);
    const { record_id: id, revision } = old;
    const made = await memory().remember(NEW, { supersedes: [{ record_id: id, revision }] });
    await using watched = await signedIn(served);
    const { page } = watched;
    await opened(page, id);
    const by = page.getByRole('region', { name: 'Replaced by' });
    await by.getByText('since').waitFor();
    await expectFit(page);
    await by.getByRole('link', { name: NEW }).press('Enter');
    const replaced = page.getByRole('region', { name: 'Replaces' });
    await replaced.getByText('valid until').waitFor();
    await expectBestPractice(page);
    expect(watched.requested.filter((each) => each.endsWith('/memory/query'))).toEqual([]);
    await page.getByRole('button', { name: 'Edit' }).press('Enter');
    await page.getByLabel('Text', { exact: true }).fill(`${NEW} It closes at six.`);
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('heading', { name: 'Revision 2' }).waitFor();
    expect((await memory().read(made.record_id)).payload.supersedes).toEqual([
      { record_id: id, revision },
    ]);
    await replaced.getByRole('link', { name: OLD }).press('Enter');
    await by.waitFor();
    // The browser says that a read no longer finds the record that ended; its history has it.
    expect(watched.said.filter((each) => !each.includes('404'))).toEqual([]);
    expect(await watched.violations()).toEqual([]);
  });

  test('CSL-95, CSL-C133 a record found through one that it replaced says so', async () => {
    const asked = 'When does the tandem course for beginners start';
    const text = 'The tandem course for beginners starts on Monday.';
    const { record_id: id, revision } = await memory().remember(text);
    const now = 'Since the spring it is on Friday.';
    await memory().remember(now, { supersedes: [{ record_id: id, revision }] });
    await memory().remember('Beginners rent helmets at the counter.');
    await using watched = await signedIn(served);
    const { page } = watched;
    const scope = `${served.company.url}/console/scope?${DESK}`;
    await page.goto(`${scope}&q=${encodeURIComponent(asked)}`);
    const found = page.getByRole('listitem').filter({ hasText: now });
    await found.getByText('The replaced record matches and is no longer valid.').waitFor();
    await expectBestPractice(page);
    // The record beside it matches by itself, and says nothing of the kind.
    const beside = page.getByRole('listitem').filter({ hasText: 'rent helmets' });
    await beside.waitFor();
    expect(await beside.getByText('Found through').count()).toBe(0);
    await found.getByRole('link', { name: 'Found through a replaced record' }).press('Enter');
    await page
      .getByRole('region', { name: 'Replaced by' })
      .getByRole('link', { name: now })
      .waitFor();
    // The list in the order of a question gives the place, too; other orders show matches alone.
    const listed = `${scope}&words=tandem%20beginners&order=`;
    await page.goto(`${listed}best_words`);
    await expectFit(page);
    await page.getByRole('link', { name: 'Found through a replaced record' }).press('Enter');
    await page.getByRole('region', { name: 'Replaced by' }).waitFor();
    await page.goto(`${listed}most_words`);
    await page.getByText('No records', { exact: true }).waitFor();
    await page.goto(`${listed}best_words&expired=included`);
    await page.getByRole('link', { name: text }).waitFor();
    expect(await page.getByText('Found through').count()).toBe(0);
    expect(await watched.violations()).toEqual([]);
  });

  test('CSL-95 it says so in German, too', async () => {
    const text = 'The cargo bikes of Bergen are green.';
    const { record_id: id, revision } = await memory().remember(text);
    await memory().remember('They were painted red.', {
      supersedes: [{ record_id: id, revision }],
    });
    await using watched = await signedIn(served, 'mara', { locale: 'de' });
    const { page } = watched;
    await page.goto(`${served.company.url}/console/scope?${DESK}&q=cargo%20bikes%20of%20Bergen`);
    await page.getByText('Der ersetzte Eintrag passt zur Suche, gilt aber nicht mehr.').waitFor();
    await page.getByRole('link', { name: 'Über einen ersetzten Eintrag gefunden' }).press('Enter');
    await page.getByRole('heading', { name: 'Ersetzt durch' }).waitFor();
  });

  test('CSL-82, CSL-C130 a person judges possible conflicts by keyboard, once they ask', async () => {
    const first = await memory().remember('Bicycle couriers leave from gate seven.');
    const second = await memory().remember('Bicycle couriers leave from gate nine.');
    await using watched = await signedIn(served);
    const { page } = watched;
    await opened(page, second.record_id);
    const searches = () => watched.requested.filter((each) => each.endsWith('/memory/search'));
    const before = searches().length;
    await page.getByRole('button', { name: 'Look for conflicts' }).press('Enter');
    await page.getByRole('link', { name: 'Bicycle couriers leave from gate seven.' }).waitFor();
    await announced(page, '1 possible conflict');
    expect(searches().length).toBeGreaterThan(before);
    await expectFit(page);
    await expectBestPractice(page);
    await page.getByRole('button', { name: /^Keep this record, end/ }).press('Enter');
    await announced(page, 'no longer holds.');
    await page.getByText('No possible conflicts found.').waitFor();
    await page.getByRole('region', { name: 'Replaces' }).getByText('valid until').waitFor();
    expect(await successorOf(first.record_id)).toBe(second.record_id);
    await expectClean(watched, served.company.url);
  });

  test('CSL-82, CSL-C130 the other record can be kept, and a change of meanwhile is refused', async () => {
    const first = await memory().remember('Spare saddles hang in aisle four.');
    const second = await memory().remember('Spare saddles hang in aisle five.');
    await using watched = await signedIn(served, 'mara', { locale: 'de' });
    const { page } = watched;
    await page.goto(`${served.company.url}/console/record?${DESK}&id=${second.record_id}`);
    await page.getByRole('button', { name: 'Widersprüche suchen' }).press('Enter');
    const other = page.getByRole('button', { name: /^Anderen behalten: „.*aisle four/ });
    await other.waitFor();
    const target = { recordId: first.record_id, expectedRevision: first.revision };
    await memory().update(target, {
      content: { primary: 'Spare saddles hang in aisle four now.' },
    });
    await other.press('Enter');
    await page.getByRole('alert').getByText('revision_conflict').waitFor();
    expect(await successorOf(second.record_id)).toBeUndefined();
    await page.reload();
    await page.getByRole('button', { name: 'Widersprüche suchen' }).press('Enter');
    await page.getByRole('button', { name: /^Anderen behalten: „.*four now/ }).press('Enter');
    await announced(page, 'gilt nicht mehr.');
    expect(await successorOf(second.record_id)).toBe(first.record_id);
    await page.getByRole('heading', { name: 'Ersetzt durch' }).waitFor();
  });
});
