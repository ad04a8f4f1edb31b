/** The texts of the elements of an array are what JSON makes of each element. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonElements } from './json-elements.js';

const hard = fc.constantFrom('"', '\\', '\\"', '],[', '{"a":1}', ',', '\ud800', '\u2028', 'ß\n');

test('each element is its own JSON', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.jsonValue(), hard, fc.array(hard))), (array) => {
      const expected = array.map((element) => JSON.stringify(element));
      expect(jsonElements(JSON.stringify(array))).toEqual(expected);
    }),
  );
});
