/** What a newcomer reads first: one example everywhere, and install lines that can be followed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const docs = dirname(fileURLToPath(import.meta.url));
const packages = join(docs, '../packages');

const guides = readdirSync(join(docs, 'guides')).filter((name) => name.endsWith('.md'));

const readmes = readdirSync(packages)
  .map((name) => join(packages, name, 'README.md'))
  .filter((path) => existsSync(path));

const pages = [
  join(docs, '../README.md'),
  ...readmes,
  ...guides.map((name) => join(docs, 'guides', name)),
];

/** Returns the scopes that the code of a page states, such as `demo/assistant`. */
function scopesOf(page: string): string[] {
  const stated =
    /project_id(?:["']?: ["']|=)([\w.-]+)["']?[,&]\s*["']?agent_id(?:["']?: ["']|=)([\w.-]+)/gu;
  const flags = /--project-id ([\w.-]+) --agent-id ([\w.-]+)|--scope ([\w.-]+)\/([\w.-]+)/gu;
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(stated), ...text.matchAll(flags)].map((found) =>
    found.slice(1).filter(Boolean).join('/'),
  );
}

test('README, guides and pages of packages store into one scope', () => {
  const found = pages.flatMap((page) => scopesOf(page).map((scope) => `${page} ${scope}`));
  expect(found.length).toBeGreaterThan(25);
  expect(found.filter((each) => !each.endsWith(' demo/assistant'))).toEqual([]);
});

test.each(['mcp.md', 'postgres.md', 'python.md', 'adapters.md'])(
  'the guide %s says that nothing is published before it installs anything',
  (name) => {
    const text = readFileSync(join(docs, 'guides', name), 'utf8').replaceAll(/\s+/gu, ' ');
    const said = text.search(/(?:Nothing is|package is not|packages are not) published yet/u);
    const install = text.search(/npm (?:run pack|install)|npx -y|pip install/u);
    expect(said).toBeGreaterThan(0);
    expect(install).toBeGreaterThan(said);
  },
);

test('the map of the documentation has the guide to encryption, and every other', () => {
  const map = readFileSync(join(docs, 'README.md'), 'utf8');
  expect(guides).toContain('encryption.md');
  expect(guides.filter((name) => !map.includes(`(guides/${name})`))).toEqual([]);
});
