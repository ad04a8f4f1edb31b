/** Creates a decision record from the template, with the next free number. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'docs/adr');
const title = process.argv.slice(2).join(' ').trim();

if (title === '') {
  console.error('Give the decision as a title: npm run adr -- "Keys are tuples"');
  process.exit(1);
}

const numbers = readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0);
const number = String(Math.max(0, ...numbers) + 1).padStart(4, '0');
const slug = title
  .toLowerCase()
  .replaceAll(/[^a-z0-9]+/g, '-')
  .replaceAll(/^-|-$/g, '');
const file = join(folder, `${number}-${slug}.md`);
const template = readFileSync(join(folder, 'template.md'), 'utf8');

writeFileSync(file, template.replace('NNNN', number).replace('Title', title), { flag: 'wx' });
console.log(relative(root, file));
