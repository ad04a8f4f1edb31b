/** Stored records and revisions are read as they were written, with the key of their command. */
import { expect, test } from 'vitest';
import { contentOf, copiedContent, openValue, sealValue } from '../../../storage/store/value.js';
import { readCommandKey, recordLayout, type WrittenRecord } from './record-layout.js';
import { redacted, revisionLayout } from '../revision/revision-layout.js';

const key = Buffer.from('key');
const ID = '01934f2a-7c1b-7000-8000-000000000001';

const record: WrittenRecord = {
  revision: 2,
  createdAtMillis: 1,
  modifiedAtMillis: 2,
  author: { credential_id: ID, subject_id: 'größe' },
  payload: {
    episode_type: 'Error',
    content: { primary: 'p', secondary: null, context: null, data: null, embedding: [0.5] },
    event_time_millis: -1,
    valid_until_millis: null,
    tags: ['a'],
    metadata: { b: 1 },
  },
  name: 'n',
  keptUntilMillis: null,
  idempotencyKey: ID,
};

const keys = [ID, ID.toUpperCase(), 'k', 'é'.repeat(128), `${ID}0`, null];
const records = [
  ...keys.map((idempotencyKey) => ({ ...record, idempotencyKey })),
  ...[1, 254, 255, 256, 2 ** 53 - 1].map((revision) => ({ ...record, revision })),
  { ...record, modifiedAtMillis: record.createdAtMillis },
  { ...record, payload: null, name: null, keptUntilMillis: 9 },
  { ...record, payload: null, name: null, modifiedAtMillis: 1, keptUntilMillis: 0 },
];

test.each(records.map((each, index) => [index, each] as const))('record %i', (_, written) => {
  const sealed = sealValue(recordLayout, key, written);
  const { idempotencyKey, ...read } = written;
  expect(openValue(recordLayout, key, sealed)).toStrictEqual(read);
  expect(readCommandKey(contentOf(sealed))).toBe(idempotencyKey);
});

test('a truncated record is refused', () => {
  const sealed = sealValue(recordLayout, key, record);
  const content = contentOf(sealed);
  for (const end of [1, 20, 40]) {
    expect(() => recordLayout.decode({ ...content, end })).toThrow();
  }
});

const revisions = [
  { supersededAtMillis: 5, redaction: null },
  { supersededAtMillis: 6, redaction: { atMillis: 7, author: record.author } },
];

test.each(revisions)('a revision is read as it was written', (members) => {
  const stored = copiedContent(sealValue(recordLayout, key, record));
  const sealed = sealValue(revisionLayout, key, { ...members, record: stored });
  const { idempotencyKey, ...read } = record;
  const revision = openValue(revisionLayout, key, sealed);
  expect(revision).toStrictEqual({ ...members, record: read, idempotencyKey });
});

test.each([ID, null])('a redacted revision keeps everything but its payload', (idempotencyKey) => {
  const read = openValue(recordLayout, key, sealValue(recordLayout, key, record));
  const revision = { supersededAtMillis: 5, redaction: null, record: read, idempotencyKey };
  const redaction = { atMillis: 7, author: { credential_id: ID, subject_id: 's' } };
  const sealed = sealValue(revisionLayout, key, redacted(revision, redaction));
  expect(openValue(revisionLayout, key, sealed)).toStrictEqual({
    ...revision,
    redaction,
    record: { ...read, payload: null },
  });
});
