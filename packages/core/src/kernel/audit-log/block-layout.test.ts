/** Long blocks are deflated; every block is read as it was written. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { auditBlocks } from './audit-store.js';
import type { NewBlock } from './block-layout.js';

const FIRST_ID = '01934f2a-7c1b-7000-8000-000000000001';

function blockOf(fields: readonly (readonly unknown[])[]): NewBlock {
  const events = fields.map((each, at) => ({ link: `link-${at}`, text: JSON.stringify(each) }));
  return { recordedAtMillis: 5, previous: 'previous', quota: 'writes', ordinal: 3, events };
}

const eventAt = (at: number): unknown[] => [
  randomUUID(),
  'access_granted',
  at,
  'Größe',
  'require_permission:memory_write',
  { principal: 'credential', request_id: randomUUID() },
];

test.each([1, 2, 9, 64])('a block of %i events is read as it was written', (count) => {
  const fields = Array.from({ length: count }, (_, at) => eventAt(at));
  const { key, value } = auditBlocks.seal(blockOf(fields), 'acme', 4, FIRST_ID);
  expect(auditBlocks.open(key, value)).toEqual({
    recordedAtMillis: 5,
    previous: 'previous',
    quota: 'writes',
    ordinal: 3,
    events: fields.map((each, at) => [`link-${at}`, each]),
  });
});

test('a full block takes less than half of its text', () => {
  const fields = Array.from({ length: 64 }, (_, at) => eventAt(at));
  const { value } = auditBlocks.seal(blockOf(fields), 'acme', 4, FIRST_ID);
  expect(value.length).toBeLessThan(JSON.stringify(fields).length / 2);
});

test('text that is too long for a value is not deflated to one that fits', () => {
  const { value } = auditBlocks.seal(blockOf([['x'.repeat(5_000_000)]]), 'acme', 4, FIRST_ID);
  expect(value.length).toBeGreaterThan(5_000_000);
});
