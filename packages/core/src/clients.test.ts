/** The entry for clients has everything of the main entry that a program with a client needs. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The names that an entry exports from files under a folder. */
function namesFrom(entry: string, folder: string): string[] {
  const text = readFileSync(new URL(entry, import.meta.url), 'utf8');
  const statement = /export (?:type )?\{(?<names>[^}]*)\} from '\.\/(?<path>[^']+)';/gu;
  return Array.from(text.matchAll(statement)).flatMap(({ groups }) =>
    (groups?.['path'] ?? '').startsWith(folder)
      ? (groups?.['names'] ?? '').split(',').map((name) => name.replace('type ', '').trim())
      : [],
  );
}

test('the main entry has everything of the entry for clients', () => {
  const text = readFileSync(new URL('index.ts', import.meta.url), 'utf8');
  expect(text).toContain("export * from './api.js';");
});

test.each([
  'client/',
  'contract/errors/',
  'domains/learning/',
  'domains/memory/documents/schema',
  'domains/tenancy/',
])('the main entry adds no names of %s of its own', (folder) => {
  expect(namesFrom('api.ts', folder).length).toBeGreaterThan(0);
  expect(namesFrom('index.ts', folder)).toEqual([]);
});
