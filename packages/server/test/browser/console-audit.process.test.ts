/** The console in Chromium: what happened, and who touched a record (docs/contract/console.md). */
import { COMPANY } from '@agentkeep/example-company/fill-company';
import { scopes } from '@agentkeep/example-company/memories';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { describe, expect, test } from 'vitest';
import { expectClean } from './console-checks.js';
import { accessibilityProblems, companyInChromium, DESK, signedIn } from './console-kit.js';

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('what happened in Chromium', () => {
  const served = companyInChromium();

  test('CSL-31, CSL-C40 shows new events as they come, each once', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.goto(`${served.company.url}/console/audit?event=login_failed`);
    await page.getByText('No matching events').waitFor();
    for (const username of ['nobody', 'none']) {
      const wrong = { tenantId: COMPANY, username, password: 'Wrong-Horse-7' };
      await expect(served.company.keep.logIn(wrong)).rejects.toThrow();
      await page.getByRole('cell', { name: username, exact: true }).waitFor();
    }
    await page.getByText('2 new events.').waitFor();
    await expect
      .poll(() => page.getByRole('cell', { name: 'nobody', exact: true }).count())
      .toBe(1);
    expect(await accessibilityProblems(page)).toEqual([]);
    await expectClean(watched, served.company.url);
  });

  test('CSL-44 refuses an address whose time is none by the name of the field', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.goto(`${served.company.url}/console/audit?since=2035-02-31T00:00`);
    await page.getByRole('alert').getByText('“From” must be a valid date').waitFor();
    expect(await page.getByText('Times are in your time zone').count()).toBe(2);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto(`${served.company.url}/console/scope?${DESK}&since=Chapter+5`);
    await page.getByText('“Event from” must be a valid date').waitFor();
    await expectClean(watched, served.company.url);
  });

  test('CSL-32, CSL-C41 says who touched a record, and leads to the events', async () => {
    const memory = served.company.agents.support.memory.in(scopes.desk);
    const { record_id: id } = await memory.remember('The bell is loose.');
    const later = served.company.agents.analyst.memory.in(scopes.desk);
    const content = { episode_type: 'Observation', content: { primary: 'The bell is fixed.' } };
    await later.update({ recordId: id, expectedRevision: 1 }, content as never);
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.goto(`${served.company.url}/console/record?${DESK}&id=${id}`);
    const touches = page.getByRole('region', { name: 'Activity on this record' });
    await touches.getByText('made revision 2').waitFor();
    await expect.poll(() => touches.getByRole('listitem').count()).toBe(2);
    expect(await touches.getByRole('listitem').last().textContent()).toMatch(/^\S+ created it/);
    expect(await accessibilityProblems(page)).toEqual([]);
    await touches.getByRole('link').last().click();
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    await page.locator('summary').first().click();
    await page.getByText(id).first().waitFor();
    await expectClean(watched, served.company.url);
  });

  test('CSL-32, CSL-C41 a record leads to its own events and no others', async () => {
    const memory = served.company.agents.support.memory.in(scopes.desk);
    const { record_id: id } = await memory.remember('The lamp is dim.');
    await memory.remember('The lamp is bright.');
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.goto(`${served.company.url}/console/record?${DESK}&id=${id}`);
    await page.getByRole('link', { name: 'Audit log of this record' }).click();
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(await page.getByLabel('Resource').inputValue()).toBe(`record:${id}`);
    await page.getByRole('cell', { name: `record:${id}` }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel('Resource').fill('record:none');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No matching events').waitFor();
    await expectClean(watched, served.company.url);
  });
});
