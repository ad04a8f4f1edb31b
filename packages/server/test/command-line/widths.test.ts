/** What commands print fits the usual terminal. */
import { expect, test } from 'vitest';
import { servedKeep } from './served-keep.js';

const TEXT = 'The customer prefers short answers, and no more than three of them at a time.';

const lists = [
  ['memory list', ['memory', 'list']],
  ['memory search', ['memory', 'search', 'short answers']],
  ['memory history', ['memory', 'history', 'style-of-answers']],
  ['recall', ['recall', 'How does the customer like short answers?']],
  ['credentials list', ['credentials', 'list', '--profile', 'admin']],
  ['people list', ['people', 'list', '--profile', 'root']],
  ['audit query', ['audit', 'query', '--profile', 'admin']],
  ['audit query of the installation', ['audit', 'query', '--profile', 'root']],
  ['tenants list', ['tenants', 'list', '--profile', 'master']],
  ['rate-limits list', ['rate-limits', 'list', '--profile', 'root']],
  ['profiles list', ['profiles', 'list']],
  ['config', ['config']],
] as const;

test('CMD-24 every table fits 80 columns, and a wider terminal shows more', async () => {
  await using served = await servedKeep();
  const { run, environment } = served;
  const tags = ['--tag', 'preference', '--tag', 'from-the-last-call'];
  await run(['remember', TEXT, '--name', 'style-of-answers', ...tags]);
  const on = (columns: number) => ({ environment, terminal: { columns, hasColors: false } });
  for (const [name, words] of lists) {
    const narrow = await run(words, on(80));
    const longest = Math.max(...narrow.split('\n').map((line) => line.length));
    expect(longest, name).toBeLessThanOrEqual(80);
    expect(narrow, name).not.toBe('None.\n');
    const wide = await run(words, on(160));
    expect(Math.max(...wide.split('\n').map((line) => line.length)), name).toBeLessThanOrEqual(160);
    expect(wide.length, name).toBeGreaterThanOrEqual(narrow.replace(/^Not shown.*\n/m, '').length);
  }
  const [, row = ''] = (await run(['memory', 'list'], on(80))).split('\n');
  expect(row).toMatch(/^[\da-f-]{36} .* The customer /);
  expect(await run(['memory', 'list'])).toContain(TEXT);
  // Whether a credential is revoked is not what has no room.
  const credentials = await run(['credentials', 'list', '--profile', 'admin'], on(80));
  expect(credentials).toMatch(/^ID +SUBJECT_ID +REVOKED_AT +CAPABILITIES$/m);
});
