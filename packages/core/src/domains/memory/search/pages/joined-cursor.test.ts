/** Cursors of searches by words and a vector. */
import { describe, expect, test } from 'vitest';
import { CURSOR_CHARS_MAX } from '../../../../contract/limits.js';
import { joinedCursor, type JoinedPlace, joinedPlaceIn } from './joined-page.js';

const list = { list: 'search', tenantId: 'tenant' };
const idOf = (at: number) => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`;
const matches = (from: number) =>
  Array.from({ length: 100 }, (_, at) => ({ key: at / 3, id: idOf(from + at), scope: 15 }));
const counts = { matches: 1e9, records: Array.from({ length: 32 }, (_, at) => at) };
const bounds = { terms: 32, scopes: 16 };

describe('a cursor of a search by words and a vector', () => {
  test('holds the most that a place can have within the bound of cursors', () => {
    const place: JoinedPlace = {
      step: 'ranking',
      position: idOf(1),
      counts,
      byWords: matches(100),
      byDistance: matches(200),
    };
    const cursor = joinedCursor(list, place);
    expect(cursor.length).toBeLessThanOrEqual(CURSOR_CHARS_MAX);
    expect(joinedPlaceIn(list, cursor, bounds)).toMatchObject(place);
  });

  test('of a search with fewer terms or scopes is refused', () => {
    const ranks = { byWords: matches(100), byDistance: matches(200) };
    const cursor = joinedCursor(list, { step: 'joined', passed: 100, counts, ...ranks });
    for (const other of [
      { terms: 31, scopes: 16 },
      { terms: 33, scopes: 16 },
      { terms: 32, scopes: 15 },
    ]) {
      expect(() => joinedPlaceIn(list, cursor, other)).toThrow('cursor');
    }
    expect(joinedPlaceIn(list, cursor, bounds)).toMatchObject({ step: 'joined', passed: 100 });
  });
});
