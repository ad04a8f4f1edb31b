/** The console in Chromium: filters and orders of memory (docs/contract/console.md). */
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { ManualClock } from '@agentkeep/core/testing';
import { scopes } from '@agentkeep/example-company/memories';
import { describe, expect, test } from 'vitest';
import {
  accessibilityProblems,
  companyInChromium,
  DESK,
  servedCompany,
  signedIn,
} from './console-kit.js';

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('the filters of memory in Chromium', () => {
  const served = companyInChromium();

  test('filters by several members, orders by words, and removes a filter', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.goto(`${served.company.url}/console/scope?${DESK}`);
    await page.getByText('8 records', { exact: true }).waitFor();
    await page.getByText('Filters', { exact: true }).click();
    await page.getByText('Times', { exact: true }).click();
    await page.getByText('Metadata and data', { exact: true }).click();
    await page.getByText('Embeddings', { exact: true }).click();
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await page.getByLabel('Member').fill('size');
    await page.getByLabel('Condition', { exact: true }).selectOption('missing');
    await page.getByLabel('Words', { exact: true }).fill('gears slip');
    await page.getByLabel('Match').selectOption('any');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('2 records', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('where')).toBe('[["metadata","size","missing"]]');
    await page.getByLabel('Order').selectOption('most_words');
    await page.getByText('2 words', { exact: true }).first().waitFor();
    const removal = /^Remove the filter (Words|Match)/;
    await page.getByRole('button', { name: removal }).first().click();
    await page.getByRole('button', { name: removal }).first().click();
    await page.getByText('8 records', { exact: true }).waitFor();
    expect(watched.said).toEqual([]);
    expect(await watched.violations()).toEqual([]);
  });

  test('shows memory as it was at the exact time of the field, in the zone of the person', async () => {
    const clock = new ManualClock(Date.UTC(2026, 3, 1, 8));
    await using timed = await servedCompany({ clock }, () => {
      clock.advance(7 * 3_600_000);
    });
    const desk = timed.agents.support.memory.in(scopes.desk);
    const { records } = await desk.queryPage({});
    const fourthMs = records[3]?.created_at_millis ?? 0;
    const options = { timezoneId: 'Europe/Stockholm' };
    await using watched = await signedIn({ ...served, company: timed }, 'mara', options);
    const { page } = watched;
    await page.clock.setFixedTime(clock.now());
    await page.goto(`${timed.url}/console/scope?${DESK}`);
    await page.getByText('8 records', { exact: true }).waitFor();
    const field = page.getByLabel('Exact time');
    for (const [millis, count] of [
      [fourthMs - 1_000, 3],
      [fourthMs + 1_000, 4],
    ] as const) {
      const inStockholm = new Date(millis + 2 * 3_600_000).toISOString().slice(0, 19);
      await field.fill(inStockholm);
      await page.getByText(`${count} records`, { exact: true }).waitFor();
      expect(new URL(page.url()).searchParams.get('at')).toBe(String(millis));
      expect(await field.inputValue()).toBe(inStockholm);
    }
    await page.getByText('Memory as of').waitFor();
    await page.getByText('oldest record:').waitFor();
    const slider = page.getByRole('slider', { name: 'As of' });
    expect(Number(await slider.inputValue())).toBeGreaterThan(0);
    expect(Number(await slider.inputValue())).toBeLessThan(720);
    expect(await page.getByRole('checkbox', { name: /^Select/ }).count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await field.fill('');
    await page.getByText('8 records', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.has('at')).toBe(false);
    expect(watched.said).toEqual([]);
  });

  test('CSL-C123 an earlier moment says what is no longer stored, and where it begins', async () => {
    const clock = new ManualClock(Date.UTC(2026, 3, 1, 8));
    await using timed = await servedCompany({ clock }, () => {
      clock.advance(7 * 3_600_000);
    });
    const desk = timed.agents.support.memory.in(scopes.desk);
    const { records } = await desk.queryPage({});
    const [, second, , fourth] = records;
    if (second === undefined || fourth === undefined) throw new Error('There are four records.');
    const { record_id: recordId, revision: expectedRevision } = second;
    await desk.delete({ recordId, expectedRevision });
    clock.advance(3_600_000);
    await using watched = await signedIn({ ...served, company: timed });
    const { page } = watched;
    await page.clock.setFixedTime(clock.now());
    const address = `${timed.url}/console/scope?${DESK}&at=${fourth.created_at_millis + 1_000}`;
    await page.goto(address);
    await page.getByText('One record of that time is no longer stored').waitFor();
    await page.getByText('3 records', { exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByText('oldest record:').waitFor();
    await page.getByRole('slider', { name: 'As of' }).fill('0');
    await page.getByText('1 record', { exact: true }).waitFor();
    const oldest = Number(new URL(page.url()).searchParams.get('at'));
    expect(oldest).toBe(Math.min(...records.map((record) => record.created_at_millis)));
    await timed.setup.retention.set({ expectedRevision: 0 }, { expired_days: 1 });
    await page.goto(address);
    await page.getByText('The history of this scope is complete from').waitFor();
    await page.getByRole('button', { name: 'Show that time' }).click();
    await page.getByText(/^\d records$/).waitFor();
    const shown = Number(new URL(page.url()).searchParams.get('at'));
    expect(shown).toBeGreaterThanOrEqual(clock.now() - 86_400_000);
    expect(shown).toBeLessThan(clock.now());
    expect(watched.said.every((each) => each.includes('410'))).toBe(true);
  });
});
