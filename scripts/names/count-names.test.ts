/** What counts as a public name. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countNames } from './count-names.ts';

test('a declaration counts once, whatever exports it, and a file without exports has none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'names-'));
  const files = {
    'inner.ts': 'export const one = 1; export interface Two { a: 1 } export type Hidden = 3;',
    'first.ts': "export { one, type Two } from './inner.ts'; export const own = 2;",
    'second.ts': "export * from './first.ts'; export { one as again } from './inner.ts';",
    'program.ts': "import './inner.ts';",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const names = ['first', 'second', 'program'];
  const counted = countNames(names.map((name) => ({ name, source: join(folder, `${name}.ts`) })));
  expect(Object.fromEntries(counted.byEntry)).toEqual({
    first: expect.arrayContaining(['one', 'Two', 'own']) as string[],
    second: expect.arrayContaining(['one', 'Two', 'own', 'again']) as string[],
    program: [],
  });
  expect(counted.total).toBe(3);
  await rm(folder, { recursive: true });
});
