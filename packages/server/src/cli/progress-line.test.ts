/**
 * Progress on a terminal, and silence elsewhere.
 * @module
 */
import type { OnProgress } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { withProgress } from './progress-line.js';

async function shown(
  isWatched: boolean | undefined,
  work: (onProgress: OnProgress) => Promise<void>,
): Promise<string> {
  let error = '';
  const io = {
    environment: {},
    writeOut: () => Promise.resolve(),
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

test('is one line that is gone in the end', async () => {
  const text = `${CLEAR}copying: 50 %${CLEAR}reading entries: 100 %${CLEAR}`;
  expect(await shown(true, halfWay)).toBe(text);
});

test('is gone after a failure too', async () => {
  const failing = async (onProgress: OnProgress): Promise<void> => {
    onProgress({ phase: 'digest', done: 0, total: 0 });
    throw new Error('no');
  };
  expect(await shown(true, failing)).toBe(`${CLEAR}checking digests: 100 %${CLEAR}`);
});

test.each([false, undefined])('is not shown where isWatched is %s', async (isWatched) => {
  expect(await shown(isWatched, halfWay)).toBe('');
});

test('leaves the terminal alone when there was none', async () => {
  expect(await shown(true, () => Promise.resolve())).toBe('');
});
