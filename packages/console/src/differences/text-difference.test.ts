/** Differences of texts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textDifference } from './text-difference.js';

test('shows the words that were added and removed', () => {
  expect(textDifference('Ann likes green tea.', 'Ann likes black tea, too.')).toEqual([
    { kind: 'same', text: 'Ann likes ' },
    { kind: 'removed', text: 'green' },
    { kind: 'added', text: 'black' },
    { kind: 'same', text: ' tea' },
    { kind: 'added', text: ', too' },
    { kind: 'same', text: '.' },
  ]);
});

test('both texts can be read from the parts, and parts of one kind are one', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '.', 'é', '<'), maxLength: 60 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = textDifference(before, after);
      const without = (kind: string) =>
        parts.flatMap((part) => (part.kind === kind ? [] : [part.text])).join('');
      expect(without('added')).toBe(before);
      expect(without('removed')).toBe(after);
      parts.forEach((part, at) => expect(part.kind).not.toBe(parts[at + 1]?.kind));
    }),
  );
});

test('texts that are too long for it are shown as replaced', () => {
  const [before, after] = ['a '.repeat(3_000), 'b '.repeat(3_000)];
  const kinds = textDifference(before, after).map(({ kind }) => kind);
  expect(kinds).toEqual(['removed', 'added', 'same']);
});
