/** Checks that decision records are short, and that the index lists each under its title. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tidy-files.ts';

const folder = 'docs/adr';

/** Most words of a record, outside its headings and tables. */
const WORDS_MAX = 250;

/** Returns one problem for each record that is missing from the index, and for each long one. */
export function decisionProblems(): string[] {
  const index = readFileSync(join(root, folder, 'README.md'), 'utf8');
  return readdirSync(join(root, folder))
    .filter((name) => /^\d{4}-.*\.md$/u.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(root, folder, name), 'utf8');
      const { number = '', title = '' } =
        /^# (?<number>\d{4}): (?<title>.+)$/mu.exec(text)?.groups ?? {};
      const isListed = index.includes(`[${number}](${name})`) && index.includes(`| ${title} `);
      const words = wordsOf(text);
      return [
        ...(isListed ? [] : [`${folder}/README.md does not list ${name} as "${title}"`]),
        ...(words > WORDS_MAX ? [`${folder}/${name} has ${words} words, above ${WORDS_MAX}`] : []),
      ];
    });
}

/** Counts the words of a record; the addresses of links are none. */
function wordsOf(text: string): number {
  const prose = text
    .split('\n')
    .filter((line) => !/^(?:#|\||Status)/u.test(line))
    .join('\n')
    .replaceAll(/\]\([^)]*\)/gu, ']');
  return prose.match(/[\p{L}\p{N}][\p{L}\p{N}'’./-]*/gu)?.length ?? 0;
}
