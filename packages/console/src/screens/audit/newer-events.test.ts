/** Newer events before those that are shown. */
import { expect, test } from 'vitest';
import type { AuditEvent } from './audit-names.js';
import { type ShownEvents, withNewer } from './newer-events.js';

const page = (ids: readonly string[], cursor: string | null = 'c') => ({
  events: ids.map((event_id) => ({ event_id }) as AuditEvent),
  ...{ cursor, arrived: 0 },
});
const ids = ({ events }: ShownEvents) => events.map((each) => each.event_id);

test('puts what is new before what is shown, once', () => {
  const shown = page(['b', 'a', '0'], 'older');
  const newer = withNewer(shown, page(['c', 'b', 'a']));
  expect([ids(newer), newer.cursor, newer.arrived]).toEqual([['c', 'b', 'a', '0'], 'older', 1]);
  expect(withNewer(newer, page(['c', 'b', 'a']))).toBe(newer);
});

test('begins anew where events between may be missing', () => {
  const newest = page(['z', 'y']);
  expect(withNewer(page(['b', 'a']), newest)).toEqual({ ...newest, arrived: 2 });
  const all = withNewer(page([], null), page(['b', 'a'], null));
  expect(ids(all)).toEqual(['b', 'a']);
});
