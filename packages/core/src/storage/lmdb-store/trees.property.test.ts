/** The trees of a data file are one ordered map. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createEnvironment, type Environment, openEnvironment } from './environment.js';
import { onlySubspaceIn, subspaceIn } from './trees.js';
import { keyText } from '../store/bytes.js';

const parents: string[] = [];

afterAll(async () => {
  for (const parent of parents) await rm(parent, { recursive: true, force: true });
});

const key = fc
  .array(fc.constantFrom(0, 0, 5, 6, 7, 8, 9, 255), { minLength: 1, maxLength: 4 })
  .map((bytes) => Uint8Array.from(bytes));
const bound = fc.oneof(key, fc.constant(new Uint8Array()));

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'agentkeep-trees-'));
  parents.push(directory);
  return directory;
}

async function claimed(directory: string): Promise<Environment> {
  const found = await openEnvironment({ directory, mapSizeBytes: 2 ** 24, isSynced: false });
  const environment = found.claim();
  if (environment === undefined) throw new Error('The environment is in use.');
  return environment;
}

test('keys between two bounds of one subspace are in that subspace', () => {
  const end = fc.array(fc.constantFrom(0, 5, 6, 7, 255), { maxLength: 2 });
  const near = fc
    .tuple(fc.constantFrom([], [5], [6, 5]), fc.constantFrom(5, 6, 7), end)
    .map(([tenant, number, rest]) => Uint8Array.from([...tenant, 0, number, ...rest]));
  let inOne = 0;
  fc.assert(
    fc.property(fc.oneof(near, bound), fc.oneof(near, bound), fc.array(near), (from, to, keys) => {
      const only = onlySubspaceIn(from, to);
      if (only === undefined) return;
      for (const each of keys) {
        if (Buffer.compare(each, from) < 0 || Buffer.compare(each, to) >= 0) continue;
        inOne += 1;
        expect(subspaceIn(each)).toBe(only);
      }
    }),
    { numRuns: 10_000 },
  );
  expect(inOne).toBeGreaterThan(20);
});

test('a key as text names the same subspace', () => {
  fc.assert(fc.property(key, (each) => subspaceIn(keyText(each)) === subspaceIn(each)));
});

test('ranges over several trees are in the order of keys', async () => {
  const directory = await newDirectory();
  await createEnvironment({ directory, mapSizeBytes: 2 ** 24, isSynced: false }, 'id');
  const environment = await claimed(directory);
  const range = fc.record({
    from: bound,
    to: bound,
    reverse: fc.boolean(),
    limit: fc.option(fc.nat(6), { nil: undefined }),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(key, { selector: keyText, maxLength: 30 }),
      range,
      (keys, wanted) => {
        environment.write((target) => {
          for (const each of keys) target.put(keyText(each), each);
        });
        const { from, to, reverse, limit } = wanted;
        const inside = keys
          .filter((each) => Buffer.compare(each, from) >= 0 && Buffer.compare(each, to) < 0)
          .map(keyText)
          .sort();
        if (reverse) inside.reverse();
        const bounds = { from, to, reverse, ...(limit === undefined ? {} : { limit }) };
        const read = Array.from(environment.range(bounds), ({ key: at, value }) => {
          expect(keyText(value)).toBe(keyText(at));
          return keyText(at);
        });
        expect(read).toEqual(inside.slice(0, limit));
        expect(Array.from(environment.after(undefined, 99), (each) => keyText(each.key))).toEqual(
          keys.map(keyText).sort(),
        );
        expect(environment.stats().entries).toBe(keys.length);
        environment.write((target) => {
          for (const each of keys) target.remove(keyText(each));
        });
        expect(environment.stats().entries).toBe(0);
      },
    ),
    { numRuns: 200 },
  );
  await environment.close();
});
