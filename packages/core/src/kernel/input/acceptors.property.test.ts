/**
 * For random documents, valid and spoilt, the compiled acceptor of each input of each operation
 * accepts what valibot accepts, and gives what valibot gives.
 */
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { acceptorOf, REFUSED } from '../../contract/schema/acceptor.js';
import { operations } from '../../operations.js';
import type { InputSchemas } from './input-rules.js';

const DOCUMENTS = Number(process.env['AGENTKEEP_HISTORIES'] ?? 40);

/** Values of leaves, of which each schema takes some. */
const leaves: readonly unknown[] = [
  ...['a', 'Long enough-1', 'user_1', 'ä', 'ann@example.com', 'Read', 'a b', '', ' ', 'a\u0000'],
  ...['x'.repeat(64), 'y'.repeat(257), 'f'.repeat(64), '0'.repeat(64), '127.0.0.1', '\ud800'],
  ...['01934f2a-7c1b-7000-8000-000000000001', '01934F2A-7C1B-7000-8000-00000000000A'],
  'https://a.example/',
  ...['2030-01-01T00:00:00Z', '2030-01-01T00:00:00.000Z', '1.0.0', 'sha256:' + 'a'.repeat(64)],
  'A'.repeat(43),
  ...[
    0,
    -0,
    1,
    -1,
    2,
    3,
    10,
    0.01,
    0.5,
    -0.5,
    30,
    100,
    1e9,
    1_700_000_000_000,
    2 ** 53,
    NaN,
    1e300,
  ],
  ...[true, false, null, undefined, {}, { a: 'b' }, { a: 1 }, [], ['a'], [1, 2], [null]],
];

interface Node {
  readonly type: string;
  readonly pipe?: readonly Node[];
  readonly wrapped?: Node;
  readonly item?: Node;
  readonly entries?: Readonly<Record<string, Node>>;
  readonly options?: readonly Node[];
}

/** Mostly values that a schema accepts. */
function valuesOf(node: Node): fc.Arbitrary<unknown> {
  const likely = likelyOf(node);
  return fc.oneof({ weight: 150, arbitrary: likely }, fc.constantFrom(...leaves));
}

function likelyOf(node: Node): fc.Arbitrary<unknown> {
  const { wrapped, item, entries, options = [] } = node;
  if (wrapped !== undefined) return fc.oneof(valuesOf(wrapped), goodLeaf(node));
  if (item !== undefined) return fc.array(valuesOf(item), { maxLength: 3 });
  if (entries !== undefined) return objectOf(entries);
  if (node.type === 'union' || node.type === 'variant') {
    return fc.oneof(...options.map((option) => valuesOf(option)));
  }
  return goodLeaf(node);
}

function goodLeaf(node: Node): fc.Arbitrary<unknown> {
  const { literal, options = [] } = node as { literal?: unknown; options?: readonly unknown[] };
  const all = [...leaves, literal, ...options];
  const good = all.filter((leaf) => v.is(node as unknown as v.GenericSchema, leaf));
  return fc.constantFrom(...(good.length === 0 ? leaves : good));
}

function objectOf(entries: Readonly<Record<string, Node>>): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(
    Object.entries(entries).map(([name, member]) => [name, valuesOf(member)]),
  );
  const whole = fc.record(members);
  const optional = ['optional', 'exact_optional', 'nullish'];
  const required = Object.keys(entries).filter(
    (name) => !optional.includes(entries[name]?.type ?? ''),
  );
  const stray = fc.constantFrom('more', 'constructor', 'toString', '__proto__');
  return fc.oneof(
    { weight: 20, arbitrary: whole },
    { weight: 10, arbitrary: fc.record(members, { requiredKeys: required }) },
    fc.record(members, { requiredKeys: [] }),
    fc.tuple(whole, stray).map(([object, name]) => {
      const value = { value: 1, enumerable: true, configurable: true, writable: true };
      return Object.defineProperty({ ...object }, name, value);
    }),
  );
}

const parts = Object.values(operations).flatMap(({ name, input }) => {
  const { id, parameters, document }: InputSchemas = input;
  const stated = Object.entries({ id, parameters, document });
  return stated.flatMap(([part, schema]) =>
    schema === undefined ? [] : [[`${name} ${part}`, schema] as const],
  );
});

test.each(parts)('%s', (_name, schema) => {
  const accept = acceptorOf(schema);
  let accepted = 0;
  fc.assert(
    fc.property(valuesOf(schema as unknown as Node), (value) => {
      const before = orderOf(value);
      const output = accept(value);
      const { success, output: expected } = v.safeParse(schema, value);
      expect(output !== REFUSED).toBe(success);
      if (success) {
        accepted += 1;
        expect(output).toStrictEqual(expected);
        expect(orderOf(output)).toBe(orderOf(expected));
      }
      expect(orderOf(value)).toBe(before);
    }),
    { numRuns: DOCUMENTS },
  );
  expect(accepted).toBeGreaterThan(0);
});

/** The members in their order, which equality doesn't see. */
function orderOf(value: unknown): string | undefined {
  return JSON.stringify(value);
}
