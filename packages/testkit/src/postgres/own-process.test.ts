/** Programs that tests start in a directory of their own. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OwnProcess } from './own-process.js';

test('a program that ends before it answers is started again', async () => {
  const own = await OwnProcess.in('agentkeep-own-process-', 'TERM');
  const failed = join(own.directory, 'failed');
  const answering = join(own.directory, 'answering');
  // The first run fails, as where the port is still taken.
  const script = 'test -e "$1" || { touch "$1"; exit 1; }; touch "$2"; exec sleep 600';
  const words = ['-c', script, 'sh', failed, answering];
  await own.start('sh', words, () => Promise.resolve(existsSync(answering)));
  expect(existsSync(failed)).toBe(true);
  await own.stop();
  expect(existsSync(own.directory)).toBe(false);
});
