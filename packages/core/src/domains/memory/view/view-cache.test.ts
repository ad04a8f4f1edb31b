/** Views that are held between calls (docs/contract/as-of.md#aso-14). */
import { expect, test } from 'vitest';
import { FIRST_POSITION } from '../../../storage/store/position.js';
import { MemoryView } from './memory-view.js';
import { ViewCache } from './view-cache.js';

/** Returns a view of so many changed records. */
function viewOf(records: number): MemoryView {
  const namespace = {
    tenantId: 'acme',
    digest: new Uint8Array(32),
    parts: ['p', null, 'a', 'shared', null],
  } as const;
  const ids = Array.from({ length: records }, (_, at) => [`id ${at}`, 1] as const);
  return new MemoryView(
    namespace,
    {
      ...{ branch: undefined, leavesOut: false, isBase: false, position: FIRST_POSITION },
      ...{ needed: FIRST_POSITION, atMillis: 0 },
    },
    { revisions: new Map(ids), own: new Set(), upTo: FIRST_POSITION },
  );
}

test('ASO-14 the least recently used view goes first, and so does one that is too large', () => {
  const cache = new ViewCache(3 * viewOf(10).bytes);
  const views = [viewOf(10), viewOf(10), viewOf(10)];
  for (const [at, view] of views.entries()) cache.hold(`view ${at}`, `alias ${at}`, view);
  expect(cache.find('alias 0')).toBe(views[0]);
  const fresh = viewOf(10);
  cache.hold('view 3', 'view 3', fresh);
  expect([cache.find('view 0'), cache.find('view 1')]).toEqual([views[0], undefined]);
  expect([cache.find('alias 2'), cache.find('view 3')]).toEqual([views[2], fresh]);
  cache.hold('large', 'large', viewOf(100));
  expect(cache.find('large')).toBeUndefined();
});
