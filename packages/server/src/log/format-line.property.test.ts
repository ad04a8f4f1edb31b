/** Lines with flat fields are the same as if they were serialized whole. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyLine, flatLine, formatLine } from './format-line.js';

const BODY = 'A'.repeat(43);
const secrets = [
  `ak1_${'0'.repeat(32)}_${BODY}`,
  `AK_LIVE_${'a'.repeat(38)}`,
  'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  'postgres://user:hunter2@host/db?password=hunter2',
  'postgres://user:x@hunter2@host/db?ssl=on&sslpassword=hunter2',
];
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', 'GET', '/api/v1/memory/records', '\ud800', '\u202e\n"\\', 'x'.repeat(9_000)),
  fc
    .tuple(fc.string(), fc.constantFrom(...secrets), fc.string())
    .map(([before, secret, after]) => `${before}${secret}${after}`),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(-0, null, undefined, 1n, [], {}),
  fc.jsonValue(),
);
const name = fc.oneof(
  fc.constantFrom('path', 'status', 'request_id', 'time', 'level', 'message', '1', '__proto__'),
  text,
);
const fields = fc.dictionary(name, value, { maxKeys: 8, noNullPrototype: true });
const head = fc.record({
  timeMs: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  level: fc.constantFrom('error', 'info'),
  message: text,
});

test('every line is the line that is serialized whole', () => {
  fc.assert(
    fc.property(head, fields, (head, fields) => {
      expect(formatLine(head, fields)).toBe(anyLine(head, fields));
    }),
  );
});

test('the time is the time of a date', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 4_000_000_000_000 }), (timeMs) => {
      const line = JSON.parse(formatLine({ timeMs, level: 'info', message: '' })) as object;
      expect(line).toMatchObject({ time: new Date(timeMs).toISOString() });
    }),
  );
});

test('lines of requests are flat', () => {
  const path = '/api/v1/memory/records/0190c2f0-0000-7000-8000-000000000000';
  const asked = { request_id: '1', method: 'GET', path, status: 200, duration_ms: 0.125 };
  expect(flatLine({ timeMs: 1_000, level: 'info', message: 'request' }, asked)).toBe(
    '{"time":"1970-01-01T00:00:01.000Z","level":"info","message":"request",' +
      `"request_id":"1","method":"GET","path":"${path}","status":200,"duration_ms":0.125}\n`,
  );
});

test.each(secrets)('a flat line has no secret: %s', (secret) => {
  const line = flatLine({ timeMs: 0, level: 'info', message: secret }, { path: `/${secret}` });
  expect(line).toContain('[redacted]');
  for (const part of [BODY, 'a'.repeat(38), 'c2lnbmF0dXJl', 'hunter2']) {
    expect(line).not.toContain(part);
  }
});
