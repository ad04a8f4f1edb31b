/** Checks that the index lists every decision record under its title. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tidy-files.ts';

const folder = 'docs/adr';

/** Returns one problem for each record missing from the index. */
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
