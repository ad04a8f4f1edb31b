/** What is counted in a folder of sources, and which counts are refused. */
import { expect, test } from 'vitest';
import { countRooms, isSource } from './count-rooms.ts';
import { findExcess } from './find-excess.ts';

const house = [
  { path: 'packages/a/src/index.ts', text: "export * from './low/one.js';" },
  {
    path: 'packages/a/src/high/top.ts',
    text: `import type { One } from '../low/one.js';
      import { two } from '../low/two.js';
      import { beside } from './beside.js';
      import { join } from 'node:path';
      import { other } from '../../../b/src/other.js';`,
  },
  { path: 'packages/a/src/high/beside.ts', text: 'export const beside = 1;' },
  { path: 'packages/a/src/low/one.ts', text: "export { two } from './two.js';" },
  { path: 'packages/a/src/low/two.ts', text: "const late = import('./one.js');" },
];

test('rooms are the files and folders directly in a folder, arrows join two of them', () => {
  expect(Object.fromEntries(countRooms(house))).toEqual({
    'packages/a/src': { files: 1, rooms: 3, arrows: 2 },
    'packages/a/src/high': { files: 2, rooms: 2, arrows: 1 },
    'packages/a/src/low': { files: 2, rooms: 2, arrows: 2 },
  });
});

test('tests, and files outside of packages, are no sources', () => {
  const paths = ['packages/a/src/b/c.ts', 'packages/a/src/c.test.ts', 'packages/a/test/d.ts'];
  expect([...paths, 'scripts/e.ts'].filter(isSource)).toEqual(['packages/a/src/b/c.ts']);
});

test('a count above its ceiling is refused, and so is a ceiling that nothing needs', () => {
  const every = { files: 1, rooms: 3, arrows: 2 };
  const excess = (above: Record<string, typeof every>) =>
    findExcess(countRooms(house), { every, above });
  const own = { files: 2, rooms: 2, arrows: 2 };
  expect(excess({ 'packages/a/src/high': own, 'packages/a/src/low': own })).toEqual([]);
  expect(excess({ 'packages/a/src/high': own })).toEqual([
    'packages/a/src/low has 2 files, more than 1.',
  ]);
  expect(
    excess({ 'packages/a/src': own, 'packages/a/src/high': own, 'packages/a/src/low': own }),
  ).toEqual([
    'packages/a/src has 3 rooms, more than 2.',
    'packages/a/src needs no ceiling of its own any more.',
  ]);
});
