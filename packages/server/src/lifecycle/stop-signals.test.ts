/** Which signals count as a second one. */
import { afterEach, expect, it } from 'vitest';
import { listenForStopSignals } from './stop-signals.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const before = SIGNALS.map((signal) => process.listeners(signal));

const added = (): number =>
  process.listenerCount('SIGINT') + process.listenerCount('SIGTERM') - before.flat().length;

afterEach(() => {
  for (const [index, signal] of SIGNALS.entries()) {
    for (const listener of process.listeners(signal)) {
      if (before[index]?.includes(listener) !== true) process.removeListener(signal, listener);
    }
  }
});

it('OPR-87 counts signals in quick succession as one', async () => {
  let nowMs = 1_000;
  using signals = listenForStopSignals(() => nowMs);
  let ended: NodeJS.Signals | undefined;
  const second = signals.second.then((signal) => (ended = signal));
  process.emit('SIGINT', 'SIGINT');
  expect(await signals.first).toBe('SIGINT');
  nowMs += 499;
  process.emit('SIGTERM', 'SIGTERM');
  await signals.first;
  expect(ended).toBeUndefined();
  nowMs += 1;
  process.emit('SIGTERM', 'SIGTERM');
  expect(await second).toBe('SIGTERM');
});

it('restores the default action, except after a second signal', () => {
  let nowMs = 1_000;
  {
    using signals = listenForStopSignals(() => nowMs);
    process.emit('SIGTERM', 'SIGTERM');
    expect([signals.first, added()]).toEqual([expect.any(Promise), 2]);
  }
  expect(added()).toBe(0);
  {
    using signals = listenForStopSignals(() => nowMs);
    process.emit('SIGTERM', 'SIGTERM');
    nowMs += 500;
    process.emit('SIGTERM', 'SIGTERM');
    expect(signals.second).toBeInstanceOf(Promise);
  }
  // A third signal would end the process without its exit status.
  expect(added()).toBe(2);
});
