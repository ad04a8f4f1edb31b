/**
 * Checks that every record of a decision stands in the index, under its title.
 *
 * @module
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tidy-files.ts';

const folder = 'docs/adr';

/** The records that the index does not list. */
export function unlistedDecisions(): string[] {
  const index = readFileSync(join(root, folder, 'README.md'), 'utf8');
  return readdirSync(join(root, folder))
    .filter((name) => /^\d{4}-.*\.md$/u.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(root, folder, name), 'utf8');
      const { number = '', title = '' } =
        /^# (?<number>\d{4}): (?<title>.+)$/mu.exec(text)?.groups ?? {};
      const isListed = index.includes(`[${number}](${name})`) && index.includes(`| ${title} `);
      return isListed ? [] : [`${folder}/README.md does not list ${name} as "${title}"`];
    });
}
