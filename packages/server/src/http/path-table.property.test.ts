/** The table of paths finds what the router of Hono finds. */
import fc from 'fast-check';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { PathTable } from './path-table.js';
import { pathTargets } from './path-targets.js';

const all = pathTargets();
const table = new PathTable(all);
const oracle = new Hono({ getPath: ({ url }) => url.slice('http://localhost'.length) });
const fixedFirst = all.toSorted(
  (one, other) =>
    Number(one.parameterIndex !== undefined) - Number(other.parameterIndex !== undefined),
);
for (const { path } of fixedFirst) {
  oracle.get(path.replace('{', ':').replace('}', ''), (context) => context.text(path));
}

const words = [...new Set(all.flatMap(({ path }) => path.split('/')))].filter(
  (word) => !word.startsWith('{'),
);
const segment = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  fc.stringMatching(/^[\w.~:@-]{0,8}$/),
);
const changed = fc
  .tuple(fc.constantFrom(...all.map(({ path }) => path)), fc.nat(6), segment)
  .map(([path, at, word]) => {
    const segments = path.replace(/\{\w+\}/, 'me').split('/');
    return segments.with(at % segments.length, word).join('/');
  });
const any = fc.array(segment, { maxLength: 7 }).map((segments) => `/${segments.join('/')}`);
const path = fc.oneof(changed, any).filter((text) => text.startsWith('/'));

test('each path has the targets that the router finds', async () => {
  await fc.assert(
    fc.asyncProperty(path, async (path) => {
      const incoming = { url: `http://localhost${path}`, method: 'GET', headers: new Headers() };
      const response = await oracle.fetch(incoming as unknown as Request);
      const expected = response.status === 404 ? undefined : await response.text();
      expect(table.find(path)?.path).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});

test.each(all.map(({ path }) => [path]))('finds %s', (path) => {
  expect(table.find(path.replace(/\{\w+\}/, 'any'))?.path).toBe(path);
});
