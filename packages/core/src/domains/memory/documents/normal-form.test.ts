/** Fingerprints of commands never change, because stored receipts contain them. */
import { expect, test } from 'vitest';
import type { MemoryChange, RecordPayload } from './schema.js';
import {
  type ChangeForms,
  changeForms,
  fingerprintOf,
  type Members,
  payloadMembers,
} from './normal-form.js';

const ID = '01934f2a-7c1b-7000-8000-000000000001';

const full: RecordPayload = {
  episode_type: { Custom: 'note' },
  content: {
    primary: 'Größe "1"',
    secondary: 'second',
    context: 'ctx',
    data: { b: [1, null], a: true },
    embedding: [0.5, 0.1],
  },
  event_time_millis: -5,
  valid_until_millis: 9_000_000_000_000,
  tags: ['x', 'y'],
  metadata: { z: 1, k: 'v' },
};

const empty: RecordPayload = {
  episode_type: 'Decision',
  content: { primary: '', secondary: null, context: null, data: null, embedding: null },
  event_time_millis: 0,
  valid_until_millis: null,
  tags: [],
  metadata: {},
};

test.each<[MemoryChange, string]>([
  [{ type: 'create', record: full }, 'PHOHTOjqeVr7YWFACMo0zqHu6W5doB8-MLsOWm8rfz4'],
  [{ type: 'create', record: empty }, 'ifIZByx6xLKCJVFbcJhQJXWrKAiG_QS3C2LH1VUdatc'],
  [
    { type: 'update', record_id: ID, expected_revision: 3, record: full },
    'zIBsxJQYhNmRGAteQYh2SoJAgfPmFRzxGcenzHKa6_A',
  ],
  [
    { type: 'update', record_id: ID, expected_revision: 3, record: empty },
    '3rLsN2_3sWMXQ86RfQOy9C0dzLs5et82pmtpLs3EWPE',
  ],
  [
    { type: 'delete', record_id: ID, expected_revision: 3 },
    '4L1NJ09xPnBCPyjjtDIZXUp0afBtQlCAZAKYPGHWeDY',
  ],
])('the fingerprint of change %# is that of stored receipts', (change, fingerprint) => {
  expect(fingerprintOf(change)).toBe(fingerprint);
});

test('a member or kind of change that no table names does not compile', () => {
  type GrownPayload = RecordPayload & { readonly priority: number };
  type GrownContent = RecordPayload & { readonly content: { readonly summary: string } };
  type GrownChange = Extract<MemoryChange, { type: 'delete' }> & { readonly reason: string };
  type Moved = MemoryChange | { readonly type: 'move'; readonly record_id: string };
  // @ts-expect-error The payload table has no priority.
  const payload: Members<GrownPayload> = { ...payloadMembers };
  // @ts-expect-error The content table has no summary.
  const content: Members<GrownContent> = { ...payloadMembers };
  // @ts-expect-error The table of deletions has no reason.
  const change: ChangeForms<GrownChange> = { delete: { ...changeForms.delete } };
  // @ts-expect-error There is no table of moves.
  const moved: ChangeForms<Moved> = { ...changeForms };
  expect([payload, content, change, moved]).toHaveLength(4);
});
