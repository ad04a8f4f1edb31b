/** The place of a fault in a JSON text, beside the parser of Node.js. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { syntaxFault } from './syntax-fault.js';

const cases: [text: string, line: number, column: number][] = [
  ['', 1, 1],
  ['{\n  "port": 1,\n}', 3, 1],
  ['{\n  port: 1\n}', 2, 3],
  ['{"a" 1}', 1, 6],
  ['{"a": 1', 1, 8],
  ['[1, 2}', 1, 6],
  ['1 2', 1, 3],
  ["{'a': 1}", 1, 2],
  ['{"a": 01}', 1, 8],
  ['{"a": tru}', 1, 7],
];

test.each(cases)('%j is broken at line %i, column %i', (text, line, column) => {
  expect(syntaxFault(text)).toEqual({ line, column });
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('a text has a fault exactly when it is no JSON', () => {
  const letter = fc.constantFrom(...Array.from('{}[]:,"\\ 01-.eE tfn\n'));
  const letters = fc.oneof(letter, fc.constantFrom('true', 'null', '"a"', '-1.5e3', '"\\u00e9"'));
  const broken = fc.array(letters, { maxLength: 12 }).map((parts) => parts.join(''));
  const whole = fc.json();
  const cut = fc.tuple(whole, fc.nat(40)).map(([text, at]) => text.slice(0, at));
  fc.assert(
    fc.property(fc.oneof(broken, whole, cut), (text) => {
      expect(syntaxFault(text) === undefined).toBe(isJson(text));
    }),
    { numRuns: 2_000 },
  );
});
