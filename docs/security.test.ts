/**
 * Every test that `security.md` and `security-web.md` name is there.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');
const page = read('security.md');
const webPage = read('security-web.md');
const packages = join(import.meta.dirname, '..', 'packages');

/** Files and the beginnings or parts of titles, as `file › title`. */
const named = Array.from(
  `${page}\n${webPage}`.matchAll(/`([\w/.-]+) › ([^`]+)`/g),
  ([, file = '', title = '']) => {
    return { file, title };
  },
);

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

const bullets = webPage
  .split(/^(?=- \*\*|## Not )/m)
  .slice(1)
  .map((text) => ({ text, numbers: numbersIn(text) }));

/** Returns the requirements that a bullet is about; `3.4.4 to 3.4.6` is three of them. */
function numbersIn(bullet: string): string[] {
  const titles = Array.from(bullet.matchAll(/\*\*(\d[\d., to]*\d)/g), ([, title = '']) => title);
  return titles
    .flatMap((title) => title.split(', '))
    .flatMap((part) => {
      const [first = '', last = first] = part.split(' to ');
      const [from = 0, to = 0] = [first, last].map((each) => Number(each.split('.')[2]));
      const chapter = first.split('.').slice(0, 2).join('.');
      return Array.from({ length: to - from + 1 }, (_, at) => `${chapter}.${from + at}`);
    });
}

/** How many requirements the sections of chapters 3, 7 and 10 of ASVS 5.0.0 have. */
const requirements = {
  ...{ '3.1': 1, '3.2': 3, '3.3': 5, '3.4': 8, '3.5': 8, '3.6': 1, '3.7': 5 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 3, '7.6': 2 },
  ...{ '10.1': 2, '10.2': 3, '10.3': 5, '10.4': 16, '10.5': 5, '10.6': 2, '10.7': 3 },
};

test('each requirement of pages, sessions, OAuth and OpenID Connect is there once', () => {
  const all = Object.entries(requirements).flatMap(([part, count]) =>
    Array.from({ length: count }, (_, at) => `${part}.${at + 1}`),
  );
  expect(all).toHaveLength(86);
  expect(bullets.flatMap(({ numbers }) => numbers).sort()).toEqual(all.sort());
});

const unmet = bullets.findIndex(({ text }) => text.startsWith('## Not met'));

test.each(bullets.slice(0, unmet).map(({ text }) => text))('it names a test: %.40s', (text) => {
  expect(text).toMatch(/`[\w/.-]+ › [^`]+`/);
});

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
