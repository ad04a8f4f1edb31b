/** What a newcomer reads first: one example everywhere, and install lines that can be followed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { clientCommands } from '../packages/server/src/cli/client/client-commands.js';
import { serviceCommands } from '../packages/server/src/cli/service-commands.js';

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

const commands = [...serviceCommands, ...clientCommands()];

/** The profiles that `agentkeep dev` makes. */
const madeByDev = ['dev', 'dev-admin', 'dev-master', 'dev-account'];

/** Returns the scopes that a text states, such as `demo/assistant`. */
function scopesOf(text: string): string[] {
  const stated =
    /project_id(?:["']?: ["']|=)([\w.-]+)["']?[,&]\s*["']?agent_id(?:["']?: ["']|=)([\w.-]+)/gu;
  const flags = /--project-id ([\w.-]+) --agent-id ([\w.-]+)|--scope ([\w.-]+)\/([\w.-]+)/gu;
  return [...text.matchAll(stated), ...text.matchAll(flags)].map((found) =>
    found.slice(1).filter(Boolean).join('/'),
  );
}

/** Returns the profiles that the code of a page chooses, but not those that the page makes. */
function chosenProfiles(text: string): string[] {
  const namesOf = (pattern: RegExp): string[] =>
    [...text.matchAll(pattern)].map(([, name = '']) => name);
  const made = namesOf(/profiles set ([\w-]+)/gu);
  return namesOf(/--profile ([\w-]+)/gu).filter((name) => !made.includes(name));
}

test('README, guides and pages of packages store into one scope', () => {
  const found = pages.flatMap((page) =>
    scopesOf(readFileSync(page, 'utf8')).map((scope) => `${page} ${scope}`),
  );
  expect(found.length).toBeGreaterThan(25);
  expect(found.filter((each) => !each.endsWith(' demo/assistant'))).toEqual([]);
});

test('the examples of commands use the scope of the guides', () => {
  const found = commands.flatMap(({ examples }) =>
    scopesOf(examples.join('\n')).map((scope) => `${examples.join(' ')} ${scope}`),
  );
  expect(found.length).toBeGreaterThan(12);
  expect(found.filter((each) => !each.endsWith(' demo/assistant'))).toEqual([]);
});

test('README and guides choose profiles that `agentkeep dev` or the page makes', () => {
  const found = pages.flatMap((page) =>
    chosenProfiles(readFileSync(page, 'utf8')).map((name) => `${page} ${name}`),
  );
  expect(found.length).toBeGreaterThan(3);
  expect(found.filter((each) => !madeByDev.includes(each.split(' ')[1] ?? ''))).toEqual([]);
});

test('the examples of commands call the administrator and the master as `agentkeep dev` does', () => {
  const chosen = commands.flatMap(({ examples }) => chosenProfiles(examples.join('\n')));
  expect(chosen).toContain('dev-admin');
  expect(chosen).toContain('dev-master');
  expect(chosen.filter((name) => ['admin', 'master'].includes(name))).toEqual([]);
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
