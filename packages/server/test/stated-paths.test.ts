/** What documents state of paths holds for every path: surfaces, proofs, and rate limits. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OperationName, operations } from '@agentkeep/core';
import { defaultRateLimitPolicies, type EndpointType, RateLimiter } from '@agentkeep/core/operator';
import { routes } from '@agentkeep/client/routes';
import { describe, expect, test } from 'vitest';
import { pathTargets } from '../src/http/path-targets.js';

const read = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../../../docs', path), 'utf8');

/** The cells of the rows of a page whose first cells match. */
const rowsOf = (page: string, first: RegExp): string[][] =>
  page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, cell = '']) => first.test(cell));

const pathsIn = (cell: string): string[] =>
  Array.from(cell.matchAll(/`(\/[^`]*)`/g), ([, path = '']) => path);

const covers = (prefix: string, path: string): boolean =>
  path === prefix || path.startsWith(`${prefix}/`);

const served = pathTargets({ hasMetrics: true, hasMcp: true, hasDoor: true, hasConsole: true });

describe('CON-1 surfaces', () => {
  const conventions = read('contract/conventions.md');
  const surfaces = ['platform', 'account'].map((surface) => {
    const [row = []] = rowsOf(conventions, new RegExp(`^${surface}$`));
    return { surface, prefixes: pathsIn(row[2] ?? '') };
  });
  const all = surfaces.flatMap(({ surface, prefixes }) =>
    prefixes.map((prefix) => ({ surface, prefix })),
  );
  const isOfApi = ({ byMethod }: (typeof served)[number]): boolean =>
    [...byMethod.values()].some(
      (each) => 'operation' in each || 'text' in each || 'consoleDoor' in each,
    );

  test.each(served.filter(isOfApi).map(({ path, surface }) => [path, surface]))(
    '%s is of the surface %s',
    (path, surface) => {
      const [longest] = all
        .filter(({ prefix }) => covers(prefix, path))
        .sort((one, other) => other.prefix.length - one.prefix.length);
      expect(longest?.surface).toBe(surface);
    },
  );

  test('every path of the table is served', () => {
    const unused = all.filter(({ prefix }) => !served.some(({ path }) => covers(prefix, path)));
    expect(unused).toEqual([]);
  });
});

test('CON-23 the operations without a proof are those of the clause', () => {
  const [, clause = ''] = read('contract/conventions.md').split('**CON-23**');
  const stated = Array.from(
    (clause.split('\n\n')[0] ?? '').matchAll(/`((?:GET|POST) [^`]+)`/g),
    ([, each]) => each,
  );
  const open = (Object.keys(operations) as OperationName[])
    .filter((name) => operations[name].kind === 'public')
    .map((name) => `${routes[name].method} ${routes[name].path}`);
  expect(stated.toSorted()).toEqual([...open, 'GET /openapi.json'].sort());
});

/** The rows of a table of types: the type in this column, then paths, then the limit. */
function typesIn(page: string, column: number) {
  return rowsOf(page, /^/).flatMap((cells) => {
    const [, type] = /^`"(\w+)"`$/.exec(cells[column] ?? '') ?? [];
    const paths = cells[column + 1] ?? '';
    return type === undefined ? [] : [{ type, paths, limit: cells[column + 2] ?? '' }];
  });
}

describe('RTL-10, RTL-11, RTL-12, RTL-13 the clauses', () => {
  const limiter = new RateLimiter(defaultRateLimitPolicies);
  const rows = typesIn(read('contract/rate-limits.md'), 2);

  /** The type that the table states for a path. */
  const typeOf = (path: string): string =>
    rows.find(({ paths }) =>
      pathsIn(paths).some((each) =>
        paths.endsWith('and below') ? covers(each, path) : each === path,
      ),
    )?.type ?? 'GeneralApi';

  test('they state the type of every path that is served, and of those below', () => {
    for (const { path } of served) {
      for (const each of [path, `${path}/below`]) {
        const counted: EndpointType = limiter.endpointTypeOf(each);
        expect([each, typeOf(each)]).toEqual([each, counted]);
      }
    }
  });

  test('every path that they state is served', () => {
    const paths = rows.flatMap((row) => pathsIn(row.paths));
    expect(paths).toHaveLength(17);
    expect(paths.filter((path) => !served.some((each) => each.path === path))).toEqual([]);
  });
});

test.each([
  ['the clauses', 'contract/rate-limits.md', 2],
  ['the guide', 'guides/rate-limits.md', 1],
])('%s state the limits of the policies', (_, page, column) => {
  const rows = typesIn(read(page), column);
  for (const { endpointType, maxRequests, windowSecs } of defaultRateLimitPolicies) {
    const stated = rows.find(({ type }) => type === endpointType)?.limit;
    expect(stated).toBe(`${maxRequests.toLocaleString('en')} in ${windowSecs} s`);
  }
});
