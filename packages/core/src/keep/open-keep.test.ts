/**
 * A module that was loaded earlier finds each opened keep.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { KEEP_OPENED_CHANNEL, openKeep } from './open-keep.js';

test('each keep that is opened is published, and none that cannot be', async () => {
  const published: unknown[] = [];
  const note = (message: unknown): void => void published.push(message);
  subscribe(KEEP_OPENED_CHANNEL, note);
  try {
    const closed = testStore();
    await closed.close();
    await expect(openKeep({ store: closed })).rejects.toThrow();
    await using opened = await openKeep({ store: testStore() });
    expect(published).toEqual([opened]);
  } finally {
    unsubscribe(KEEP_OPENED_CHANNEL, note);
  }
});
