/** Checks that the map of the documentation lists every guide and every page about a job. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tidy-files.ts';

const folders = ['guides', 'jobs'];

/** Returns one problem for each page missing from the map. */
export function unlistedGuides(): string[] {
  const map = readFileSync(join(root, 'docs/README.md'), 'utf8');
  return folders
    .flatMap((folder) => readdirSync(join(root, 'docs', folder)).map((name) => `${folder}/${name}`))
    .filter((path) => path.endsWith('.md') && !map.includes(`(${path})`))
    .map((path) => `docs/README.md does not list ${path}`);
}
