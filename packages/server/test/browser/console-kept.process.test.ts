/** The console in Chromium: what was typed, and what is shown once, is not lost in silence. */
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { describe, expect, test } from 'vitest';
import { expectClean, expectFit } from './console-checks.js';
import { companyInChromium, DESK, signedIn } from './console-kit.js';

/** Whether the browser asks before the page is closed. */
const ASKS_AT_THE_END = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))";

/** Leaves the dialog, and follows a link before the page is painted. */
const LEAVE_AND_FOLLOW = `(async () => {
  document.querySelector('dialog button.main').click();
  while (document.querySelector('dialog') !== null) await Promise.resolve();
  document.querySelector('#menu a').click();
})()`;

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('dialogs in Chromium', () => {
  const served = companyInChromium();

  test('CSL-C94 what was typed is asked for before Escape, Back, Cancel and the end of the page', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.getByRole('link', { name: 'support / desk' }).first().click();
    await page.getByRole('button', { name: 'New record' }).press('Enter');
    const form = page.getByRole('dialog', { name: 'New record' });
    const text = form.getByLabel('Text', { exact: true });
    await text.waitFor();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'New record' }).press('Enter');
    await text.focus();
    await page.keyboard.type('Bicycles are washed on Mondays.');
    const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' });
    await page.keyboard.press('Escape');
    await question.waitFor();
    await expectFit(page);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await text.inputValue()).toBe('Bicycles are washed on Mondays.');

    await page.goBack();
    await question.waitFor();
    await page.waitForURL(({ search }) => search.includes(DESK));
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    expect(await text.inputValue()).toBe('Bicycles are washed on Mondays.');

    expect(await page.evaluate(ASKS_AT_THE_END)).toBe(true);
    await form.getByRole('button', { name: 'Cancel' }).press('Enter');
    await question.getByRole('button', { name: 'Keep editing' }).press('Enter');
    await page.goBack();
    await question.getByRole('button', { name: 'Discard' }).press('Enter');
    await page.getByRole('heading', { name: 'Memory', level: 1 }).waitFor();
    await page.waitForURL(({ search }) => !search.includes(DESK));
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expectClean(watched, served.company.url);
  });

  test('CSL-C96 a secret that is shown once closes only by the button that says it is kept', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.getByRole('link', { name: 'My account' }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Create an API key' }).press('Enter');
    await page.getByRole('dialog').getByLabel('Name').fill('build');
    await page.getByRole('dialog').getByLabel('Name').press('Enter');
    const shown = page.getByRole('dialog', { name: 'Save this secret now' });
    await shown.waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await shown.isVisible()).toBe(true);
    await page.goBack();
    const question = page.getByRole('alertdialog', { name: 'Have you saved the secret?' });
    await question.getByRole('button', { name: 'Back to the secret' }).press('Enter');
    expect(await shown.isVisible()).toBe(true);
    await shown.getByRole('button', { name: 'I have kept it' }).press('Enter');
    await shown.waitFor({ state: 'detached' });
    await expectClean(watched, served.company.url);
  });

  test('CSL-C96 a dialog that was left holds no link, not even for a frame', async () => {
    await using watched = await signedIn(served);
    const { page } = watched;
    await page.getByRole('link', { name: 'My account' }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Create an API key' }).press('Enter');
    await page.getByRole('dialog').getByLabel('Name').fill('deploy');
    await page.getByRole('dialog').getByLabel('Name').press('Enter');
    await page.getByRole('dialog', { name: 'Save this secret now' }).waitFor();
    await page.evaluate(LEAVE_AND_FOLLOW);
    await page.getByRole('heading', { name: 'Memory', level: 1 }).waitFor();
    await expectClean(watched, served.company.url);
  });
});
