/**
 * A store without a reachable database.
 */
import { expect, test } from 'vitest';
import { BODIES_MAX, postgresStore } from './postgres-store.js';

test('the number of waiting calls is bounded, also before the first connection', async () => {
  const store = postgresStore({ url: 'postgres://127.0.0.1:1/nowhere' });
  const waiting = Array.from({ length: BODIES_MAX }, (_, index) =>
    (index % 2 === 0 ? store.read(() => 0) : store.transact(() => 0)).catch(() => 'refused'),
  );
  expect(await store.waiting()).toBe(BODIES_MAX);
  await expect(store.read(() => 0)).rejects.toMatchObject({
    code: 'store_unavailable',
    cause: { message: '65536 reads and writes are already waiting.' },
  });
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['refused']));
  expect(await store.waiting()).toBe(0);
  await store.close();
});
