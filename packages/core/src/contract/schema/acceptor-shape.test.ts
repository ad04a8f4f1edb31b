/**
 * The insides of valibot that acceptors read. When a test fails after an update of valibot, compare
 * `acceptor.ts` with the new insides before you change the expectation.
 */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

const text = v.string();
const isLong = (value: string): boolean => value.length > 3;
const double = (value: number): number => 2 * value;
const isText = (value: unknown): boolean => typeof value === 'string';
const one = v.strictObject({ kind: v.literal('one') });
const two = v.strictObject({ kind: v.literal('two') });
const pattern = /^a/;

describe('valibot states its schemas in the members that acceptors read', () => {
  test.each<[object, object]>([
    [v.unknown(), { type: 'unknown' }],
    [text, { type: 'string' }],
    [v.boolean(), { type: 'boolean' }],
    [v.number(), { type: 'number' }],
    [v.literal(1), { type: 'literal', literal: 1 }],
    [v.picklist(['a', 'b']), { type: 'picklist', options: ['a', 'b'] }],
    [v.custom(isText), { type: 'custom', check: isText }],
    [v.nullable(text, 'a'), { type: 'nullable', wrapped: text, default: 'a' }],
    [v.optional(text, 'a'), { type: 'optional', wrapped: text, default: 'a' }],
    [v.nullish(text, 'a'), { type: 'nullish', wrapped: text, default: 'a' }],
    [v.exactOptional(text), { type: 'exact_optional', wrapped: text }],
    [v.array(text), { type: 'array', item: text }],
    [v.union([text, one]), { type: 'union', options: [text, one] }],
    [v.variant('kind', [one, two]), { type: 'variant', key: 'kind', options: [one, two] }],
    [v.strictObject({ a: text }), { type: 'strict_object', entries: { a: text } }],
    [v.fallback(text, 'a'), { type: 'string', fallback: 'a' }],
  ])('schema %#', (schema, members) => {
    expect(schema).toMatchObject({ kind: 'schema', ...members });
  });
});

describe('valibot states its actions in the members that acceptors read', () => {
  test.each<[object, object]>([
    [v.check(isLong), { kind: 'validation', type: 'check', requirement: isLong }],
    [v.regex(pattern), { kind: 'validation', type: 'regex', requirement: pattern }],
    [v.minLength(2), { kind: 'validation', type: 'min_length', requirement: 2 }],
    [v.maxLength(2), { kind: 'validation', type: 'max_length', requirement: 2 }],
    [v.safeInteger(), { kind: 'validation', type: 'safe_integer' }],
    [v.transform(double), { kind: 'transformation', type: 'transform', operation: double }],
    [v.description('A text.'), { kind: 'metadata', type: 'description' }],
  ])('action %#', (action, members) => {
    expect(action).toMatchObject(members);
  });

  test('a pipe keeps its schema and its items in order', () => {
    const action = v.minLength<string, 2>(2);
    expect(v.pipe(text, action)).toMatchObject({ type: 'string', pipe: [text, action] });
  });
});
