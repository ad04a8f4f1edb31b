/** Names that somebody else chose show everything that they are made of. */
import { expect, test } from 'vitest';
import { partsOf, seenText } from './name.js';

test('what is not seen in a name is shown as an escape, and all else stays', () => {
  const shown = ['a\u200bb', '\u202eedualC', 'x\u2069', 'a\u0000', '\u{e0041}', 'José محمد 🦊 a b'];
  expect(shown.map(seenText)).toEqual([
    ...[
      'a\\u{200b}b',
      '\\u{202e}edualC',
      'x\\u{2069}',
      'a\\u{0}',
      '\\u{e0041}',
      'José محمد 🦊 a b',
    ],
  ]);
});

test('a long name is cut in the middle, between characters that people see', () => {
  expect(partsOf('support / desk')).toBeUndefined();
  const family = '👩‍👩‍👧';
  const parts = partsOf(`desk / ${family.repeat(30)}`);
  expect(parts).toEqual([`desk / ${family.repeat(18)}`, family.repeat(12)]);
});
