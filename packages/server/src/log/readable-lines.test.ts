/** Lines of the log for people. */
import { expect, test } from 'vitest';
import { formatLine } from './format-line.js';
import { readableLines } from './readable-lines.js';

const head = { timeMs: Date.UTC(2026, 0, 1, 12, 0, 1), level: 'info', message: 'request' };

test('shows time, level, message and fields', () => {
  const lines = formatLine(head, { path: '/docs', status: 200 }) + formatLine(head, { a: [1] });
  expect(readableLines(lines)).toBe(
    '12:00:01 info request path=/docs status=200\n12:00:01 info request a=[1]\n',
  );
});

test('escapes what hides or reorders text', () => {
  const text = readableLines(formatLine(head, { agent: 'a b"\u202e\u001b[2J' }));
  expect(text).toMatch(/^[\x20-\x7e]+\n$/);
});
