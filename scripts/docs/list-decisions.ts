/** The list of decision records in docs/adr/README.md, and the bound of their words. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../tidy-files.ts';

const folder = join(root, 'docs/adr');
const index = join(folder, 'README.md');
const block = /(?<=<!-- decisions:begin -->\n\n).*?(?=\n\n<!-- decisions:end -->)/su;

/** Most words of a record, outside its headings and tables. */
const WORDS_MAX = 150;

/** Returns one problem for each long record, and one where the list is stale. */
export async function decisionProblems(): Promise<string[]> {
  const isFresh = block.exec(readFileSync(index, 'utf8'))?.[0] === (await decisionsTable());
  return [
    ...(isFresh ? [] : ['The list in docs/adr/README.md is stale; run `npm run docs:reference`']),
    ...records().flatMap((name) => {
      const words = wordsOf(readFileSync(join(folder, name), 'utf8'));
      return words > WORDS_MAX ? [`docs/adr/${name} has ${words} words, above ${WORDS_MAX}`] : [];
    }),
  ];
}

/** Writes the list. */
export async function writeDecisions(): Promise<void> {
  const table = await decisionsTable();
  writeFileSync(index, readFileSync(index, 'utf8').replace(block, table));
}

/** Returns the names of the records, in their order. */
const records = (): string[] => readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/u.test(name));

/** Returns a row for each record: its number and its title. */
async function decisionsTable(): Promise<string> {
  const rows = records().map((name) => {
    const heading = /^# (?<number>\d{4}): (?<title>.+)$/mu.exec(
      readFileSync(join(folder, name), 'utf8'),
    );
    if (heading?.groups === undefined) throw new Error(`docs/adr/${name} has no title.`);
    return `| [${heading.groups['number']}](${name}) | ${heading.groups['title']} |`;
  });
  const text = ['| Number | Decision |', '| --- | --- |', ...rows].join('\n');
  const options = await resolveConfig(index);
  return (await format(text, { ...options, parser: 'markdown' })).trimEnd();
}

/** Counts the words of a record; the addresses of links are none. */
function wordsOf(text: string): number {
  const prose = text
    .split('\n')
    .filter((line) => !/^[#|]/u.test(line))
    .join('\n')
    .replaceAll(/\]\([^)]*\)/gu, ']');
  return prose.match(/[\p{L}\p{N}][\p{L}\p{N}'’./-]*/gu)?.length ?? 0;
}
