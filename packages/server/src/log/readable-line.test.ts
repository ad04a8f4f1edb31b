/** Log lines for people say what the JSON lines say, in a form that a terminal shows safely. */
import { expect, test } from 'vitest';
import { readableLine } from './readable-line.js';

const head = { timeMs: 1_000, level: 'info', message: 'listening' };

test('OPR-108 has the time, the level, the message, and the fields as name=value', () => {
  const fields = { url: 'http://127.0.0.1:7474', status: 200, note: 'two words', places: ['a'] };
  expect(readableLine(head, fields)).toMatch(
    /^\d\d:\d\d:\d\d info {2}listening {2}url=http:\S+ {2}status=200 {2}note="two words" {2}places=\["a"\]\n$/,
  );
  expect(readableLine({ ...head, level: 'error' })).toMatch(/^\S+ error listening\n$/);
});

test('OPR-108 shows neither secrets nor what a terminal obeys', () => {
  const secret = `ak1_${'0'.repeat(32)}_${'a'.repeat(43)}`;
  const hostile = `\u001b[2J\u0007\n\u202e${secret}`;
  const line = readableLine({ ...head, message: hostile }, { [hostile]: hostile });
  expect(line).toMatch(/^[\x20-\x7e]+\n$/);
  expect(line).not.toContain('aaaaaaaa');
});
