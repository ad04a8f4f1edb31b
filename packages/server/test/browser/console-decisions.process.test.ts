/** The console in Chromium: decisions that can be undone, and proposals that were decided. */
import { agentFor } from '@agentkeep/core/operator';
import { COMPANY } from '@agentkeep/example-company/fill-company';
import { scopes } from '@agentkeep/example-company/memories';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { describe, expect, test } from 'vitest';
import { expectClean, expectFit } from './console-checks.js';
import { accessibilityProblems, announced, companyInChromium, signedIn } from './console-kit.js';

const UNDO_MS = 10_000;

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('decisions in Chromium', () => {
  const served = companyInChromium();

  const proposed = async (primary: string): Promise<{ id: string; recordId: string }> => {
    const command = { type: 'create' as const, record: { content: { primary } } };
    const options = { purpose: `To say: ${primary}` };
    const { agents } = served.company;
    const made = await agents.writer.proposals.propose(scopes.texts, command, options);
    return { id: made.proposal?.id ?? '', recordId: made.record_id };
  };
  const stateOf = async (id: string): Promise<string | undefined> => {
    const { items } = await served.company.agents.writer.proposals.listPage({ id });
    return items[0]?.state;
  };
  const opened = async (id: string) => {
    const watched = await signedIn(served, 'jonas');
    await watched.page.clock.install();
    await watched.page.goto(`${served.company.url}/console/review?id=${id}`);
    await watched.page.locator('.choices button[aria-current]').waitFor();
    await watched.page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
    return watched;
  };

  test('CSL-C90 keys decide only in the list, and not at all once they are turned off', async () => {
    const { id } = await proposed('Name the frame.');
    await using watched = await opened(id);
    const { page } = watched;
    await page.getByRole('link', { name: 'Branches' }).focus();
    await page.keyboard.press('a');
    await page.locator('.choices button[aria-current]').focus();
    const setting = page.getByLabel('Keyboard shortcuts in the list');
    await setting.uncheck();
    await page.locator('.choices button[aria-current]').focus();
    await page.keyboard.press('a');
    await page.keyboard.press('r');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
    expect(await setting.isChecked()).toBe(false);
    await page.locator('.choices button[aria-current]').focus();
    await page.keyboard.press('a');
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(await stateOf(id)).toBe('proposed');
    await setting.check();
    await page.locator('.choices button[aria-current]').focus();
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    // The list has the focus again once the next proposal is painted.
    await page.locator('.choices button:focus').waitFor();
    await page.keyboard.press('u');
    await announced(page, 'Undone: ');
    await expectClean(watched, served.company.url);
  });

  test('CSL-C91 a decision is announced, undone by keyboard, and sent after ten seconds', async () => {
    const { id } = await proposed('Name the saddle.');
    await using watched = await opened(id);
    const { page } = watched;
    await page.getByRole('button', { name: 'Accept', exact: true }).focus();
    await page.keyboard.press('Enter');
    await announced(page, 'Accepting: To say: Name the saddle.');
    await expect.poll(() => page.evaluate('document.activeElement !== document.body')).toBe(true);
    expect(await stateOf(id)).toBe('proposed');
    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await announced(page, 'Undone: To say: Name the saddle.');
    await page.clock.fastForward(UNDO_MS);
    expect(await stateOf(id)).toBe('proposed');

    await page.goto(`${served.company.url}/console/review?id=${id}`);
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByRole('link', { name: 'Branches' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.clock.fastForward(UNDO_MS);
    await announced(page, 'Accepted: To say: Name the saddle.');
    expect(await stateOf(id)).toBe('merged');
    await expectClean(watched, served.company.url);
  });

  test('CSL-C92 a link to a decided proposal shows who, when and what was merged', async () => {
    const { id, recordId } = await proposed('Name the bell.');
    const { id: other } = await proposed('Name the pump.');
    const lector = await agentFor(served.company.keep, {
      ...{ tenantId: COMPANY, subjectId: 'lector', scopes: [scopes.texts] },
      capabilities: ['memory_read', 'memory_write', 'memory_review'],
    });
    const { digest } = await lector.branches.diffPage(id);
    await lector.branches.merge(id, { digest });
    const texts = lector.memory.in(scopes.texts);
    await texts.update(
      { recordId, expectedRevision: 1 },
      { content: { primary: 'Name the bell and the pump.' } },
    );
    await using watched = await signedIn(served, 'jonas');
    const { page } = watched;
    await page.goto(`${served.company.url}/console/review?id=${id}`);
    await page.getByText('accepted by lector on').waitFor();
    await expect.poll(() => page.locator('ins').allTextContents()).toContain('Name the bell.');
    expect(await page.getByRole('button', { name: 'Accept', exact: true }).count()).toBe(0);
    await page.locator('.choices button').first().focus();
    await page.keyboard.press('a');
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(await stateOf(other)).toBe('proposed');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Revision 1' }).click();
    await page.getByText('Memory as of').waitFor();
    await page.goBack();
    await page.getByText('accepted by lector on').waitFor();
    await page.getByRole('link', { name: 'Record', exact: true }).click();
    await page.getByText('Name the bell and the pump.').first().waitFor();

    await page.goto(`${served.company.url}/console/review?id=${recordId}`);
    await page.getByRole('heading', { name: 'Proposal not found' }).waitFor();
    expect(await page.getByRole('button', { name: 'Accept', exact: true }).count()).toBe(0);
    await expectClean(watched, served.company.url);
  });

  test('CSL-C93 the reason of a second rejection is shown, beside the one that stays', async () => {
    const { id } = await proposed('Name the rim.');
    const editor = await agentFor(served.company.keep, {
      ...{ tenantId: COMPANY, subjectId: 'editor', scopes: [scopes.texts] },
      capabilities: ['memory_read', 'memory_review'],
    });
    await using watched = await opened(id);
    const { page } = watched;
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByLabel('Reason').fill('Rims are in the picture.');
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('button', { name: 'Send now' }).waitFor();
    await editor.proposals.reject(id, 'We sell no rims.');
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByText('editor has already rejected the proposal').waitFor();
    await page.getByText('We sell no rims.').first().waitFor();
    await page.getByText('Rims are in the picture.').waitFor();
    await expectFit(page);
    await page.getByRole('link', { name: 'Open the proposal' }).click();
    await page.getByText('rejected by editor on').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await expectClean(watched, served.company.url);
  });
});
