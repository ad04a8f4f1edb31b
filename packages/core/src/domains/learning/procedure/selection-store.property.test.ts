/** The index of selection agrees with a plain sort of its entries. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Namespace } from '../../../kernel/access/namespace.js';
import {
  bestWithin,
  insertRank,
  type RankedProcedure,
  removeRank,
  type SelectionRange,
} from './selection-store.js';
import { testStore } from '@agentkeep/testkit/test-store';

const namespace: Namespace = {
  tenantId: 't',
  digest: Buffer.alloc(32, 1),
  parts: ['p', null, 'a', 'shared', null],
};
const range: SelectionRange = { namespace, basis: 'ab'.repeat(32) };
const elsewhere: SelectionRange = { namespace, basis: 'cd'.repeat(32) };

const bytes = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 65_536 }));
const entry: fc.Arbitrary<RankedProcedure> = fc.record({
  id: fc.oneof(fc.constantFrom('a', 'b', 'é', '\u{10FFFF}', '\uFFFF'), fc.string({ minLength: 1 })),
  lowerImprovementBound: fc.oneof(
    fc.constantFrom(0, 0.5, 1),
    fc.double({ min: 0, max: 1, noNaN: true }).map((bound) => bound + 0),
  ),
  instructionBytes: bytes,
});
const entries = fc.uniqueArray(entry, { selector: ({ id }) => id, maxLength: 30 });

function naiveBest(all: readonly RankedProcedure[], budget: number): RankedProcedure | undefined {
  return all
    .filter(({ instructionBytes }) => instructionBytes <= budget)
    .toSorted(
      (one, other) =>
        other.lowerImprovementBound - one.lowerImprovementBound ||
        Buffer.compare(Buffer.from(one.id), Buffer.from(other.id)),
    )[0];
}

test('the best procedure within a budget is found, with any slice size', async () => {
  const budgets = fc.oneof(fc.constantFrom(0, 1, 65_536), bytes);
  await fc.assert(
    fc.asyncProperty(
      entries,
      entries,
      budgets,
      fc.integer({ min: 1, max: 5 }),
      async (kept, removed, budget, limit) => {
        const store = testStore();
        await store.transact((tx) => {
          for (const each of removed) insertRank(tx, range, each);
          for (const each of removed) removeRank(tx, range, each);
          for (const each of kept) insertRank(tx, range, each);
          insertRank(tx, elsewhere, { id: '0', lowerImprovementBound: 1, instructionBytes: 1 });
        });
        let after: RankedProcedure | undefined;
        for (;;) {
          const from = { bytes: budget, after };
          const slice = await store.read((tx) => bestWithin(tx, range, from, limit));
          if (slice.isDone) {
            expect(slice.entry).toEqual(naiveBest(kept, budget));
            break;
          }
          after = slice.entry;
        }
        await store.close();
      },
    ),
  );
});
