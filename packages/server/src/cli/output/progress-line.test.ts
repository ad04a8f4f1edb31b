/** Progress is shown on a terminal and nowhere else. */
import type { OnProgress } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { withProgress } from './progress-line.js';

async function shown(
  isWatched: boolean | undefined,
  work: (onProgress: OnProgress) => Promise<void>,
): Promise<string> {
  let error = '';
  const io = {
    writeError: (text: string) => {
      error += text;
    },
    ...(isWatched === undefined ? {} : { isWatched }),
  };
  await withProgress(io, work).catch(() => undefined);
  return error;
}

const CLEAR = '\r\u001B[2K';

async function halfWay(onProgress: OnProgress): Promise<void> {
  onProgress({ phase: 'copy', done: 50, total: 100 });
  onProgress({ phase: 'copy', done: 50, total: 100 });
  onProgress({ phase: 'read', done: 3, total: 2 });
}

test('shows one line and clears it at the end', async () => {
  const text = `${CLEAR}copying: 50 %${CLEAR}reading entries: 100 %${CLEAR}`;
  expect(await shown(true, halfWay)).toBe(text);
});

test('clears the line after a failure', async () => {
  const failing = async (onProgress: OnProgress): Promise<void> => {
    onProgress({ phase: 'digest', done: 0, total: 0 });
    throw new Error('no');
  };
  expect(await shown(true, failing)).toBe(`${CLEAR}checking digests: 100 %${CLEAR}`);
});

test.each([false, undefined])('shows nothing when isWatched is %s', async (isWatched) => {
  expect(await shown(isWatched, halfWay)).toBe('');
});

test('does not touch the terminal without progress', async () => {
  expect(await shown(true, () => Promise.resolve())).toBe('');
});
