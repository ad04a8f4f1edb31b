/** A record by its stored texts is shown as one that is decoded and printed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordLayout, showRecord, type WrittenRecord } from './record-layout.js';
import { recordTextLayout } from './record-text.js';

const ID = '0190c2f0-0000-7000-8000-000000000000';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\\"],'),
);
const json = fc.jsonValue() as fc.Arbitrary<never>;
const object = fc.dictionary(text, json, { noNullPrototype: true }) as fc.Arbitrary<never>;
const number = fc.maxSafeInteger();

const payload = fc.record({
  episode_type: fc.oneof(fc.constant('Decision' as const), fc.record({ Custom: text })),
  content: fc.record({
    primary: text,
    secondary: fc.option(text),
    context: fc.option(text),
    data: fc.oneof(fc.constant(null), object),
    embedding: fc.option(fc.array(fc.float({ noNaN: true })), { freq: 5 }),
  }),
  event_time_millis: number,
  valid_until_millis: fc.option(number),
  tags: fc.array(text),
  metadata: object,
});

const record: fc.Arbitrary<WrittenRecord> = fc.record({
  revision: fc.integer({ min: 1, max: 300 }),
  createdAtMillis: number,
  modifiedAtMillis: number,
  keptUntilMillis: fc.option(number),
  author: fc.record({ credential_id: fc.uuid(), subject_id: text }),
  payload: fc.option(payload, { freq: 9 }),
  name: fc.option(text),
  idempotencyKey: fc.option(fc.oneof(fc.uuid(), fc.string({ minLength: 1, maxLength: 64 }))),
});

/** Returns the content of a stored record. */
function contentOf(stored: WrittenRecord) {
  const bytes = recordLayout.encode(stored, 1, 4);
  return { bytes, start: 1, end: bytes.length - 4 };
}

test('both ways show the same', () => {
  fc.assert(
    fc.property(record, (stored) => {
      const content = contentOf(stored);
      const decoded = recordLayout.decode(content);
      const printed = recordTextLayout.decode(content);
      expect(printed.validUntilMillis).toBe(decoded.payload?.valid_until_millis);
      if (decoded.payload === null) return;
      expect(printed.print(ID)).toBe(JSON.stringify(showRecord(ID, decoded)));
    }),
  );
});
