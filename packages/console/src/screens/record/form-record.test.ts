/** What a record has from the fields of its form (docs/contract/console.md#csl-44). */
import { describe, expect, test } from 'vitest';
import { recordOfForm } from './form-record.js';

const fields = { event: '“Event time”', until: '“Valid until”' } as const;

describe('CSL-44 the times of a form', () => {
  test('are in the zone of the browser, and none where a field is empty', () => {
    const event_time_millis = new Date(2035, 1, 28, 9, 30).getTime();
    expect(recordOfForm({ event: '2035-02-28T09:30' }, undefined)).toMatchObject({
      input: { event_time_millis, valid_until_millis: null },
    });
    expect(recordOfForm({}, undefined)).not.toHaveProperty('input.event_time_millis');
  });

  test('that are no times are refused by the name of their field', () => {
    for (const [name, label] of Object.entries(fields)) {
      for (const text of ['Chapter 5', '2035-02-31T00:00', '12035-01-01T00:00']) {
        const problem = expect.stringContaining(label) as string;
        expect(recordOfForm({ [name]: text }, undefined), text).toEqual({ problem });
      }
    }
  });
});

test('a number that would change is left to the call, which refuses it by name', () => {
  const metadata = '{"chat":1234567890123456789,"text":"1234567890123456789","n":1.5}';
  expect(recordOfForm({ metadata }, undefined)).toMatchObject({
    input: { metadata: { chat: Infinity, text: '1234567890123456789', n: 1.5 } },
  });
});
