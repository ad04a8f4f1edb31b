/** Lines arrive whole, with infinity instead of numbers that a double can't hold. */
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ExactLines } from './exact-lines.js';

const lines = [
  '{"id":1,"v":[1234567890123456789,"1234567890123456789"]}',
  'no JSON: "',
  '{"ü😀":9007199254740993}',
  '[1.5,9007199254740992,1e400]',
];

test.each([1, 2, 3, 7, 1000])('lines in parts of %i bytes', async (size) => {
  const bytes = Buffer.from(lines.join('\n'));
  const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  const passed = await text(Readable.from(parts).pipe(new ExactLines()));
  expect(passed.split('\n')).toEqual([
    '{"id":1,"v":[1e999,"1234567890123456789"]}',
    'no JSON: "',
    '{"ü😀":1e999}',
    '[1.5,9007199254740992,1e999]',
  ]);
});

test('a line that is too long for the protocol is not held', () => {
  const stream = new ExactLines();
  const part = Buffer.alloc(1 << 20, 'x');
  let written = 0;
  while (stream.read() === null) {
    stream.write(part);
    written += part.length;
    expect(written).toBeLessThan(64 << 20);
  }
});
