/** The header `traceparent` is taken only in the form of W3C Trace Context. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTraceParent } from './traceparent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test('a well-formed header names trace, span and flags', () => {
  expect(readTraceParent(`00-${TRACE}-${SPAN}-01`)).toEqual({
    traceId: TRACE,
    spanId: SPAN,
    flags: 1,
  });
  expect(readTraceParent(`00-${TRACE}-${SPAN}-00`)?.flags).toBe(0);
});

test('a later version may say more behind its flags', () => {
  expect(readTraceParent(`cc-${TRACE}-${SPAN}-01`)?.traceId).toBe(TRACE);
  expect(readTraceParent(`cc-${TRACE}-${SPAN}-01-what-comes`)?.spanId).toBe(SPAN);
});

test.each([
  null,
  '',
  TRACE,
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `00-${TRACE}-${SPAN}-01 `,
  ` 00-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `ff-${TRACE}-${SPAN}-01`,
  `cc-${TRACE}-${SPAN}-01.more`,
  `00-${TRACE}-${SPAN}-0g`,
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
])('%j is no such header', (header) => {
  expect(readTraceParent(header)).toBeUndefined();
});

test('what is read is always bounded and plain', () => {
  const near = fc.stringMatching(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-.{0,9})?$/);
  fc.assert(
    fc.property(fc.oneof(near, fc.string({ maxLength: 80 })), (header) => {
      const read = readTraceParent(header);
      if (read === undefined) return;
      expect(read.traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(read.spanId).toMatch(/^[0-9a-f]{16}$/);
      expect(read.flags).toBeLessThan(256);
    }),
  );
});
