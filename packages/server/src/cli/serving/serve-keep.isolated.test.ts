/** How `serve` reacts to a store that has become unusable. */
import type * as Core from '@agentkeep/core';
import { AgentkeepError, inMemoryStore, type KeepOptions } from '@agentkeep/core';
import { expect, it, vi } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import { readOptions } from '../../options/read-options.js';
import { serveKeep } from './serve-keep.js';

type OnFatal = (error: AgentkeepError) => void;
const opened = vi.hoisted(() => ({ onFatal: undefined as OnFatal | undefined }));

vi.mock('@agentkeep/core', async (importOriginal) => {
  const core = await importOriginal<typeof Core>();
  return {
    ...core,
    openKeep: (options: KeepOptions & { onFatal?: OnFatal }) => {
      opened.onFatal = options.onFatal;
      return core.openKeep({ store: inMemoryStore() });
    },
  };
});

it('OPR-74 fails as soon as the store becomes unusable', async () => {
  const log: string[] = [];
  const failure = new AgentkeepError('store_unavailable', { cause: new Error('input/output') });
  const listeners = process.listenerCount('SIGTERM');
  const served = serveKeep(
    readOptions({ flags: { port: '0' } }),
    (text) => log.push(text),
    async () => opened.onFatal?.(failure),
  );
  await expect(served).rejects.toBe(failure);
  await eventually(() => {
    expect(log.join('')).toContain('the store is unusable until the next start');
  });
  expect(log.join('')).not.toContain('"stopped"');
  expect(process.listenerCount('SIGTERM')).toBe(listeners);
});

it('stops when the work after the start fails', async () => {
  const log: string[] = [];
  const served = serveKeep(
    readOptions({ flags: { port: '0' } }),
    (text) => log.push(text),
    () => Promise.reject(new Error('nobody reads')),
  );
  await expect(served).rejects.toThrow('nobody reads');
  await eventually(() => {
    expect(log.join('')).toContain('"stopped"');
  });
});
