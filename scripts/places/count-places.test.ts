/** Which files count as places of a name. */
import { expect, test } from 'vitest';
import { countPlaces, type NamedFile, TABLE_MIN } from './count-places.ts';

const CONTRACT = 'docs/contract';

const names = {
  operations: new Set(['makeThing']),
  members: new Set(['thing_size']),
  families: new Set(['storedThings']),
  store: 'packages/disk',
};

const file = (path: string, text = 'makeThing thing_size'): NamedFile => ({ path, text });

test('the contract is one place, and so are the tests', () => {
  const files = [
    file(`${CONTRACT}/things.md`),
    file(`${CONTRACT}/others.md`),
    file('packages/core/src/make-thing.test.ts'),
    file('packages/contract-cases/test/things/make.ts'),
    file('packages/core/src/make-thing.ts'),
  ];
  expect(countPlaces(files, names)).toEqual({
    operation: 3,
    member: 3,
    family: 0,
    store: 0,
    tables: 0,
  });
});

test('pages outside of the contract, examples and benchmarks are none', () => {
  const files = ['README.md', 'docs/security.md', 'examples/a/main.ts', 'bench/things.ts'];
  const counts = countPlaces(
    files.map((path) => file(path)),
    names,
  );
  expect(counts).toEqual({ operation: 0, member: 0, family: 0, store: 0, tables: 0 });
});

test('a family is stated by its owner and by the tests', () => {
  const files = ['packages/a/src/thing-store.ts', 'packages/a/test/b.ts'];
  const counts = countPlaces(
    files.map((path) => file(path, 'storedThings')),
    names,
  );
  expect(counts.family).toBe(2);
});

test('a name counts as a whole word', () => {
  const { operation } = countPlaces([file('packages/a/src/b.ts', 'makeThings remakeThing')], names);
  expect(operation).toBe(0);
});

test('a test that lists operations is a place of its own, and a table', () => {
  const many = Array.from({ length: TABLE_MIN + 1 }, (_, index) => `operation${String(index)}`);
  const files = [file('packages/a/test/one.test.ts', many.join(' ')), file('packages/a/test/b.ts')];
  const operations = new Set([...many, 'makeThing']);
  expect(countPlaces(files, { ...names, operations })).toMatchObject({ operation: 1, tables: 1 });
  const both = files.map(({ path }) => file(path, `${many.join(' ')} makeThing`));
  expect(countPlaces(both, { ...names, operations: new Set(many) }).operation).toBe(2);
});

test('a store is named by its folder or its package, outside of its own', () => {
  const files = [
    file('packages/disk/src/index.ts', '@agentkeep/disk'),
    file('packages/server/src/open.ts', "import '@agentkeep/disk'"),
    file('knip.json', '"packages/disk"'),
  ];
  expect(countPlaces(files, names).store).toBe(2);
});
