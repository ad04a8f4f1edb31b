/** The mark by which readers know that the journal of a tenant has not changed. */
import { expect, test } from 'vitest';
import { committedReads } from '../../../storage/store/committed-values.js';
import type { Store } from '../../../storage/store/store.js';
import { withParticipants } from '../../../storage/store/participant.js';
import { inMemoryStore, sharedMemory } from '../../../storage/in-memory-store/in-memory-store.js';
import { appendChange, changesBetween, journalMark, removeChanges } from './change-store.js';
import { FIRST_POSITION, LAST_POSITION } from '../../../storage/store/position.js';

const recordId = '01900000-0000-7000-8000-000000000000';
const change = { recordId, revision: 1, action: 'created', committedAtMillis: 1 } as const;

function opened(backend: Store) {
  const store = withParticipants(backend, [committedReads(backend)]);
  const append = (tenantId: string) =>
    store.transact((tx) => {
      appendChange(tx, { tenantId, digest: new Uint8Array(32) }, change);
    });
  return { store, append, mark: () => store.read((tx) => journalMark(tx, 'acme')) };
}

test('BRA-6 a mark stays until a change of its tenant is appended or removed', async () => {
  const { store, append, mark } = opened(inMemoryStore());
  const first = await mark();
  expect(first).toBeDefined();
  await append('other');
  expect(await mark()).toBe(first);
  await append('acme');
  const second = await mark();
  expect(second).not.toBe(first);
  expect(await mark()).toBe(second);
  await store.transact((tx) => {
    const span = { from: FIRST_POSITION, to: LAST_POSITION, limit: 1 };
    const positions = changesBetween(tx, 'acme', span).map(({ position }) => position);
    removeChanges(tx, 'acme', positions);
  });
  expect(await mark()).not.toBe(second);
});

test('BRA-6 a store that others may change has none', async () => {
  const { mark } = opened(sharedMemory().open());
  expect(await mark()).toBeUndefined();
});
