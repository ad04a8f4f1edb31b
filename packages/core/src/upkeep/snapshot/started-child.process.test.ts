/** Messages and ends of a child that a thread starts. */
import { expect, test } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import { startChild } from './check-process.js';

/** Runs a program in a child. Collects what it tells. */
function started(program: string) {
  const told: unknown[] = [];
  const child = startChild(['-e', program], {
    onMessage: (message) => told.push({ message }),
    onError: (error) => told.push({ error }),
    onEnd: (end) => told.push({ end }),
  });
  return { child, told };
}

test('messages go both ways, and the end comes last and once', async () => {
  const { child, told } = started(`
    process.once('message', (message) => process.send({ echo: message }, () => process.exit(3)));
    process.send('ready');
  `);
  await eventually(() => {
    expect(told).toEqual([{ message: 'ready' }]);
  });
  child.send('go');
  const all = [{ message: 'ready' }, { message: { echo: 'go' } }, { end: 'exit status 3' }];
  await eventually(() => {
    expect(told).toEqual(all);
  });
  // This message has no receiver.
  child.send('go');
  expect(told).toEqual(all);
});

test.skipIf(process.platform === 'win32')('a crash names its signal', async () => {
  const { told } = started(`process.kill(process.pid, 'SIGKILL')`);
  await eventually(() => {
    expect(told).toEqual([{ end: 'SIGKILL' }]);
  });
});
