/** Stored values are shown under the names that a schema states, and nothing else of them. */
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { closed } from './document.js';
import { camelCase, shownAs, snakeCase, storedAs } from './member-names.js';

const Shown = closed({
  id: v.string(),
  created_at_millis: v.number(),
  is_private: v.boolean(),
  note: v.optional(v.string()),
});

test('a member is shown as it is stored, or as it is stated', () => {
  const stored = { id: 'a', createdAtMillis: 1, isPrivate: false };
  expect(shownAs(Shown, stored, {})).toEqual({ id: 'a', created_at_millis: 1, is_private: false });
  expect(shownAs(Shown, stored, { is_private: true, note: 'x' })).toEqual({
    id: 'a',
    created_at_millis: 1,
    is_private: true,
    note: 'x',
  });
});

test('what the schema does not name stays out', () => {
  const stored = { id: 'a', createdAtMillis: 1, isPrivate: false, key: 'secret', private_key: 'x' };
  expect(Object.keys(shownAs(Shown, stored, {}))).toEqual([
    'id',
    'created_at_millis',
    'is_private',
  ]);
});

test('what is stored under a name of the schema with another type has to be stated', () => {
  const stored = { id: 'a', createdAtMillis: 1, isPrivate: false, note: ['stored', 'otherwise'] };
  // @ts-expect-error The note of the document is not the stored one.
  shownAs(Shown, stored, {});
  expect(shownAs(Shown, stored, { note: undefined })).not.toHaveProperty('note');
});

test('what is not stored has to be stated', () => {
  // @ts-expect-error Nothing says when it was made.
  expect(v.is(Shown, shownAs(Shown, { id: 'a', isPrivate: true }, {}))).toBe(false);
});

test('members of a document have their names in stored values', () => {
  const stored = storedAs({ id: 'a', created_at_millis: 1 });
  expect(stored satisfies { id: string; createdAtMillis: number }).toEqual({
    id: 'a',
    createdAtMillis: 1,
  });
});

test('a name goes there and back', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/u);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
      const name = words.join('_');
      expect(snakeCase(camelCase(name))).toBe(name);
    }),
  );
});
