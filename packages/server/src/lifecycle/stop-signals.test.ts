/** Which signals count as a second one. */
import { expect, it } from 'vitest';
import { listenForStopSignals } from './stop-signals.js';

it('counts signals in quick succession as one', async () => {
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
