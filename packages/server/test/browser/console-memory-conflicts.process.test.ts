/** Records that change behind a dialog of the console, in Chromium. */
import { scopes } from '@agentkeep/example-company/memories';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { describe, expect, test } from 'vitest';
import { expectAccessible, expectClean } from './console-checks.js';
import { companyInChromium, DESK, signedIn } from './console-kit.js';

describe.skipIf(findChromium() === undefined)('conflicts in Chromium', () => {
  const served = companyInChromium();

  test('CSL-C78 shows a conflict of an edit for what it is, and lets the person decide', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    const { memory, recordId } = await remembered('Ask for the frame number.');
    await page.goto(`${served.company.url}/console/record?${DESK}&id=${recordId}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const text = page.getByLabel('Text', { exact: true });
    await text.waitFor();
    const content = { primary: 'Ask for the frame number and the year.' };
    await memory.update({ recordId, expectedRevision: 1 }, { content });
    // The page behind the form has followed, and the form has not.
    await page.getByText('Revision 2').first().waitFor();
    await text.fill('Ask for the colour.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This record changed while you edited it').waitFor();
    expect(await page.locator('dialog ins').first().textContent()).toBe(' and the year');
    await page.getByRole('button', { name: 'Overwrite with my version' }).click();
    await page.getByRole('heading', { name: 'Revision 3' }).waitFor();
    expect((await memory.read(recordId)).payload.content.primary).toBe('Ask for the colour.');
    await memory.delete({ recordId, expectedRevision: 3 });
    await page.getByText('Record not found').waitFor();
  });

  test('CSL-C78 a form keeps its text when its record is deleted behind it', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    const { memory, recordId } = await remembered('Pumps are behind the till.');
    await page.goto(`${served.company.url}/console/record?${DESK}&id=${recordId}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const text = page.getByLabel('Text', { exact: true });
    await text.fill('Pumps are beside the till.');
    await memory.delete({ recordId, expectedRevision: 1 });
    await page.getByText('Record not found').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/ · record_not_found$/).waitFor();
    expect(await text.inputValue()).toBe('Pumps are beside the till.');
  });

  test('CSL-C78 deletes what the person saw, and asks again about what it became', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    const { memory, recordId } = await remembered('The lift is out of order.');
    await page.goto(`${served.company.url}/console/record?${DESK}&id=${recordId}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Delete this record?' }).waitFor();
    // The time of the event stays; it would differ if the minute ended since the record began.
    const { payload } = await memory.read(recordId);
    const content = { primary: 'The lift is out of order until May.' };
    await memory.update({ recordId, expectedRevision: 1 }, { ...payload, content });
    // The page behind the dialog has followed, and the dialog has not.
    await page.getByText('Revision 2').first().waitFor();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByText('This record changed before you deleted it').waitFor();
    expect(await dialog.locator('ins').allTextContents()).toEqual([' until May']);
    expect((await memory.read(recordId)).revision).toBe(2);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Delete the current version' }).click();
    await page.getByRole('heading', { name: 'support / desk' }).waitFor();
    await expect(memory.read(recordId)).rejects.toMatchObject({ wireCode: 'record_not_found' });
  });

  test('CSL-C78 redacts the revision that the person saw while newer ones come', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    const { memory, recordId } = await remembered('The code of the gate is 4711.');
    const target = { recordId, expectedRevision: 1 };
    await memory.update(target, { content: { primary: 'The code of the gate is at the till.' } });
    await page.goto(`${served.company.url}/console/record?${DESK}&id=${recordId}`);
    await page.getByRole('button', { name: 'Redact' }).click();
    const content = { primary: 'The gate has no code.' };
    await memory.update({ recordId, expectedRevision: 2 }, { content });
    await page.getByText('Revision 3').first().waitFor();
    const dialog = page.getByRole('dialog', { name: /content of revision 1\?/ });
    await dialog.getByRole('button', { name: 'Redact' }).click();
    await page.getByText('was permanently removed').waitFor();
    const { items } = await memory.historyPage(recordId, { limit: 3 });
    expect(items.map(({ redacted }) => redacted !== null)).toEqual([false, false, true]);
    await expectClean(watched, served.company.url);
  });

  async function remembered(text: string) {
    const memory = served.company.agents.support.memory.in(scopes.desk);
    const { record_id: recordId } = await memory.remember(text);
    return { memory, recordId };
  }
});
