/** Repeats become one event with a count, in bounded memory that callers share fairly. */
import { describe, expect, test } from 'vitest';
import { auditDraft } from '../../../test/audit-draft.js';
import type { AuditDraft } from '../audit/audit.js';
import { Repeats } from './repeats.js';

const MINUTE_MS = 60_000;

let made = 0;

/** Returns a refusal by an address. */
function refusal(members: Partial<AuditDraft> = {}): AuditDraft {
  made += 1;
  return auditDraft({
    id: `id-${String(made)}`,
    atMillis: made,
    type: 'token_refresh_failed',
    tenantId: null,
    ipAddress: '192.0.2.1',
    result: 'unauthorized',
    metadata: { endpoint: '/x', request_id: `r-${String(made)}` },
    ...members,
  });
}

/** Returns who an event is of, and how often it happened. */
function shown({ userId, ipAddress, metadata }: AuditDraft): unknown[] {
  return [userId ?? ipAddress, metadata['count'] ?? 1];
}

describe('repeats', () => {
  test('AUD-77 are one event with their count, and the first is an event at once', () => {
    const repeats = new Repeats();
    const drafts = Array.from({ length: 5 }, () => refusal());
    const recorded = drafts.map((draft) => repeats.note(draft, 0));
    expect(recorded).toEqual([[drafts[0]], [], [], [], []]);
    const last = drafts.at(-1);
    expect(repeats.settle()).toEqual([
      {
        ...drafts[0],
        id: last?.id,
        atMillis: last?.atMillis,
        metadata: { endpoint: '/x', count: 4 },
      },
    ]);
    expect(repeats.settle()).toEqual([]);
    repeats.note(refusal(), 0);
    expect(repeats.settle().map(shown)).toEqual([['192.0.2.1', 1]]);
  });

  test('end with their minute, however the clock moves', () => {
    const repeats = new Repeats();
    const notedAt = (nowMs: number) => repeats.note(refusal(), nowMs).map(shown);
    expect([0, 1, MINUTE_MS - 1].map(notedAt)).toEqual([[['192.0.2.1', 1]], [], []]);
    expect(notedAt(MINUTE_MS)).toEqual([
      ['192.0.2.1', 2],
      ['192.0.2.1', 1],
    ]);
    expect(notedAt(MINUTE_MS - 1)).toEqual([['192.0.2.1', 1]]);
  });

  test('AUD-78 are of one client, kind, key, session, refused name, error and reason', () => {
    const repeats = new Repeats();
    const distinct: Partial<AuditDraft>[] = [
      {},
      { ipAddress: '192.0.2.2' },
      { ipAddress: '2001:db8:0:1::1' },
      { ipAddress: '2001:db8:0:2::1' },
      { tenantId: 'acme' },
      { type: 'permission_denied' },
      { action: 'other' },
      { userId: 'ann' },
      { userId: 'ann', metadata: { key_id: '1' } },
      { userId: 'ann', metadata: { session_id: '1' } },
      { userId: 'ann', metadata: { attempted_username: '1' } },
      { metadata: { error: '1' } },
      { metadata: { reason: '1' } },
      { metadata: { reason: '2' } },
    ];
    for (const members of distinct) {
      expect(repeats.note(refusal(members), 0)).toHaveLength(1);
      expect(repeats.note(refusal({ ...members, resource: '/other' }), 0)).toEqual([]);
    }
    // A network chooses the rest of its addresses, and a caller the address it calls from.
    expect(repeats.note(refusal({ ipAddress: '2001:db8:0:1:2:3:4:5' }), 0)).toEqual([]);
    expect(repeats.note(refusal({ userId: 'ann', ipAddress: '192.0.2.9' }), 0)).toEqual([]);
    expect(repeats.settle()).toHaveLength(distinct.length);
  });

  test('hold no text of unbounded length', () => {
    const repeats = new Repeats();
    const long = refusal({ resource: 'r'.repeat(9_999), userAgent: 'u'.repeat(9_999) });
    repeats.note(long, 0);
    repeats.note(refusal(), 0);
    expect(JSON.stringify(repeats.settle()).length).toBeLessThan(2_500);
  });
});

describe('memory', () => {
  const many = (count: number, members: (index: number) => Partial<AuditDraft>) =>
    Array.from({ length: count }, (_, index) => refusal(members(index)));

  test('AUD-79 of addresses is bounded; those beyond share one count, and nobody loses a place', () => {
    const repeats = new Repeats({ clientsMax: 100, addressesMax: 3 });
    repeats.note(refusal({ ipAddress: '192.0.2.1' }), 0);
    const rotating = many(50, (index) => ({ ipAddress: `198.51.100.${String(index)}` }));
    const events = rotating.flatMap((draft) => repeats.note(draft, 0));
    // Two have places. Of the others, the first is an event, and the rest one count.
    expect(events).toHaveLength(3);
    expect(repeats.size).toBe(3);
    expect(repeats.note(refusal({ ipAddress: '192.0.2.1' }), 0)).toEqual([]);
    const counts = repeats.settle();
    expect(counts.map(shown)).toEqual([
      ['192.0.2.1', 1],
      [null, 47],
    ]);
    expect(counts[1]).toMatchObject({
      username: null,
      userAgent: null,
      metadata: { clients: 'others', count: 47 },
    });
    // Callers with a good proof have places of their own.
    expect(repeats.note(refusal({ userId: 'ann' }), 0)).toHaveLength(1);
    expect(repeats.size).toBe(4);
  });

  test('is shared by authorities: the largest gives way, and its counts are recorded', () => {
    const repeats = new Repeats({ clientsMax: 10, addressesMax: 10 });
    const hostile = many(30, (index) => ({ tenantId: 'evil', userId: `e${String(index)}` }));
    for (const draft of [...hostile, ...hostile]) repeats.note(draft, 0);
    expect(repeats.size).toBe(10);
    const honest = many(5, (index) => ({ tenantId: 'acme', userId: `a${String(index)}` }));
    for (const draft of honest) {
      // The first event of the newcomer, and the count of the one that gave way.
      expect(repeats.note(draft, 0).map(shown)).toEqual([
        [expect.stringMatching(/^e/), 1],
        [draft.userId, 1],
      ]);
    }
    for (const draft of honest) expect(repeats.note(draft, 0)).toEqual([]);
    for (const draft of hostile) repeats.note({ ...draft, userId: `${draft.userId ?? ''}x` }, 0);
    expect(repeats.size).toBe(10);
    const counted = repeats.settle().filter(({ tenantId }) => tenantId === 'acme');
    expect(counted.map(shown)).toEqual(honest.map(({ userId }) => [userId, 1]));
  });

  test('that many authorities have filled leaves further events as they are', () => {
    const repeats = new Repeats({ clientsMax: 2, addressesMax: 2 });
    for (const tenantId of ['a', 'b', 'c', 'd', 'd']) {
      expect(repeats.note(refusal({ tenantId }), 0)).toHaveLength(1);
    }
    expect(repeats.size).toBe(2);
  });

  test('counts every occurrence of every caller', () => {
    const repeats = new Repeats({ clientsMax: 7, addressesMax: 3 });
    const drafts = many(500, (index) => ({
      tenantId: `t${String(index % 4)}`,
      userId: index % 3 === 0 ? null : `u${String(index % 11)}`,
      ipAddress: `192.0.2.${String(index % 13)}`,
    }));
    const events = drafts.flatMap((draft, index) => repeats.note(draft, index * 400));
    const total = [...events, ...repeats.settle()].reduce(
      (sum, { metadata }) => sum + Number(metadata['count'] ?? 1),
      0,
    );
    expect(total).toBe(500);
    expect(repeats.hasCounts).toBe(false);
  });
});
