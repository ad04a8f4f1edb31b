/**
 * Every test that `security.md` names is there.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, 'security.md'), 'utf8');
const packages = join(import.meta.dirname, '..', 'packages');

/** Files and the beginnings or parts of titles, as `file › title`. */
const named = Array.from(page.matchAll(/`([\w/.-]+) › ([^`]+)`/g), ([, file = '', title = '']) => {
  return { file, title };
});

/** A title as a source holds it, in quotes of either kind. */
const inSource = (title: string): string[] => [title, title.replaceAll("'", String.raw`\'`)];

test('the page names tests', () => {
  expect(named.length).toBeGreaterThan(60);
});

test.each(named)('$file has a test: $title', ({ file, title }) => {
  const path = join(packages, `${file}.test.ts`);
  expect(existsSync(path)).toBe(true);
  const text = readFileSync(path, 'utf8');
  expect(inSource(title).some((each) => text.includes(each))).toBe(true);
});

test('every file of attacks is named', () => {
  const files = readdirSync(join(packages, 'server', 'test', 'attacks'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `server/test/attacks/${name.replace('.test.ts', '')}`);
  const known = new Set(named.map(({ file }) => file));
  expect(files.filter((file) => !known.has(file))).toEqual([]);
});

/** The rows and paragraphs that claim something. */
const [claims = ''] = page.split('## Requirements that are not met');
const rows = claims.split('\n').filter((line) => /^\| \d/.test(line));
const paragraphs = claims.split(/^(?=\*\*API)/m).filter((text) => text.startsWith('**API'));

test.each([...rows, ...paragraphs].map((claim) => claim.split('|').join(' ').trim()))(
  'a claim names a test: %.60s',
  (claim) => {
    // Nothing is to be shown of what is absent.
    if (claim.startsWith('**API10')) return;
    expect(claim).toMatch(/`[\w/.-]+ › [^`]+`/);
  },
);

const proofsNamed = Array.from(page.matchAll(/the proof `([^`]+)`/g), ([, name = '']) => name);

test.each(proofsNamed)('there is a proof: %s', (name) => {
  const sources = readdirSync(join(packages, 'proof', 'src'), {
    recursive: true,
    encoding: 'utf8',
  });
  const texts = sources
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(packages, 'proof', 'src', file), 'utf8'));
  expect(texts.some((text) => text.includes(`  name: '${name}',\n  claim:`))).toBe(true);
});
