/** What is repeated of a read that fails, and how often. */
import { beforeEach, expect, test } from 'vitest';
import { readAgain } from './read-again.js';

/** An error that the database reports. */
function reported(code: string): Error {
  return Object.assign(new Error(code), { code, severity: 'ERROR' });
}

/** Returns a read that fails with these errors first, and then reads. */
function failing(errors: readonly Error[]): () => Promise<string> {
  const left = [...errors];
  return () => {
    const error = left.shift();
    return error === undefined ? Promise.resolve('read') : Promise.reject(error);
  };
}

const aborted = reported('40001');
const broken = new Error('Connection terminated unexpectedly');

let pauses: number[] = [];
const pause = (attempt: number): Promise<void> => {
  pauses.push(attempt);
  return Promise.resolve();
};

beforeEach(() => {
  pauses = [];
});

test('is repeated when the database aborts it, and once when its connection breaks', async () => {
  const read = failing([aborted, broken, aborted, aborted]);
  expect(await readAgain(read, pause)).toBe('read');
  expect(pauses).toEqual([0, 2, 3]);
  await expect(readAgain(failing([broken, aborted, broken]), pause)).rejects.toBe(broken);
});

test('is repeated a number of times only, and not after other errors', async () => {
  const always = Array.from({ length: 20 }, () => aborted);
  await expect(readAgain(failing(always), pause)).rejects.toBe(aborted);
  expect(pauses).toHaveLength(11);
  const other = reported('42501');
  await expect(readAgain(failing([other]), pause)).rejects.toBe(other);
});

test('is refused at once by a copy of the database, which may stay one for long', async () => {
  const ofCopy = reported('25006');
  await expect(readAgain(failing([ofCopy]), pause)).rejects.toBe(ofCopy);
  expect(pauses).toEqual([]);
});
