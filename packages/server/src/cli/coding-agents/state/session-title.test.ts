/** Titles of sessions: first words, then files of the folder. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { titleOf, titleOfSession } from './session-title.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentkeep-title-'));
  mkdirSync(join(folder, 'src'));
  for (const name of ['src/cart.ts', 'README.md', 'src/tax.ts', 'src/vat.ts', 'src/sum.ts']) {
    writeFileSync(join(folder, name), '');
  }
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('CMD-57 a title ends at a word, and names the files that the words do not', () => {
  const long = 'The cart counts each reduced price twice since the last release. ';
  expect(titleOf('Why?', folder)).toBe('Why?');
  expect(titleOf('  Mend\n src/cart.ts ', folder)).toBe('Mend src/cart.ts');
  expect(titleOf(`${long} Look at @src/cart.ts, and README.md.`, folder)).toBe(
    'The cart counts each reduced price twice since the last… · cart.ts · README.md',
  );
  const many = 'src/cart.ts src/cart.ts README.md src/tax.ts src/vat.ts';
  expect(
    titleOf(long + many, folder)
      .split(' · ')
      .slice(1),
  ).toEqual([...['cart.ts', 'README.md', 'tax.ts']]);
  // Neither what only looks like a file, nor one that is elsewhere.
  expect(titleOf(`${long} See example.com, e.g. src/none.ts and /etc/hosts.`, folder)).toBe(
    'The cart counts each reduced price twice since the last…',
  );
});

test('CMD-57 the first prompt of a session is its title, and an answer is none', () => {
  const at = { folder };
  const title = (prompt: string, session = 's1') =>
    titleOfSession(folder, session, { ...at, prompt });
  expect(title('')).toBeUndefined();
  expect(title('Mend the cart.')).toBe('Mend the cart.');
  expect(title('And the tax?')).toBe('Mend the cart.');
  expect(title('')).toBe('Mend the cart.');
  expect(title('And the tax?', 's2')).toBe('And the tax?');
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
