/**
 * The journal records answers, and unknown outcomes as unknown.
 */
import { AgentkeepError } from '@agentkeep/core';
import { expect, test } from 'vitest';
import { Journal } from './journal.js';

const call = { client: 'c', credential: 'id', request: { type: 'query' } } as const;

test('times show which calls ended before others began', async () => {
  const journal = new Journal();
  const first = journal.note(call, async () => ({ type: 'shown', records: [] }));
  const second = journal.note(call, async () => ({ type: 'shown', records: [] }));
  await Promise.all([first, second]);
  await journal.note(call, async () => ({ type: 'shown', records: [] }));
  const times = journal.calls.map(({ calledAt, returnedAt }) => [calledAt, returnedAt]);
  expect(times).toEqual([
    [1, 3],
    [2, 4],
    [5, 6],
  ]);
});

test.each([
  ['a cut connection', new TypeError('fetch failed')],
  ['half an answer', new SyntaxError('Unexpected end of JSON input')],
  ['no answer in time', new DOMException('late', 'TimeoutError')],
  ['an internal error', new AgentkeepError('internal_error')],
])('%s is an unknown outcome', async (_name, error) => {
  const journal = new Journal();
  await journal.note(call, () => Promise.reject(error));
  expect(journal.calls[0]).toMatchObject({ answer: { type: 'unknown' }, returnedAt: Infinity });
});

test('a refusal is an answer, and an error of the proof itself is thrown', async () => {
  const journal = new Journal();
  const refusal = new AgentkeepError('revision_conflict');
  const answer = await journal.note(call, () => Promise.reject(refusal));
  expect(answer).toEqual({ type: 'refused', code: 'revision_conflict' });
  const broken = journal.note(call, () => Promise.reject(new RangeError('broken')));
  await expect(broken).rejects.toThrow('broken');
});

test('waiting for a number of calls resolves when they have ended', async () => {
  const journal = new Journal();
  let isReached = false;
  const reached = journal.reaches(1).then(() => (isReached = true));
  expect(isReached).toBe(false);
  await journal.note(call, async () => ({ type: 'shown', records: [] }));
  expect(await reached).toBe(true);
  await journal.reaches(1);
});
