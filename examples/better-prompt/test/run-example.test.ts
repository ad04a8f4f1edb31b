/** The useful prompt is found among others, although each evaluation is interrupted. */
import { inMemoryStore, openKeep } from '@agentkeep/core';
import { expect, test } from 'vitest';
import { problems } from '../src/problems.js';
import { runExample } from '../src/run-example.js';
import { answerOf } from '../src/scripted-agent.js';

test('selects the prompt that helps, and rejects the others', async () => {
  await using keep = await openKeep({ store: inMemoryStore() });
  const told = await runExample(keep);
  expect(told).toContain('polite: Rejected after 150 cases, 10 of them before the end');
  expect(told).toContain('polite: mean improvement 0');
  expect(told).toContain('midnight: Rejected after 150 cases, 10 of them before the end');
  expect(told).toContain('minutes: Active after 17 cases, 10 of them before the end');
  expect(told.at(-1)).toBe(
    'selected: Answer the question. Count in minutes. A quarter of an hour has 15 minutes.',
  );
});

test('the script solves every problem with all instructions, and fewer with less', () => {
  const all = 'Count in minutes. A quarter of an hour has 15 minutes. After 23:59 comes 00:00.';
  const solved = (instructions: string): number =>
    problems(150).filter(({ text, answer }) => answerOf(instructions, text) === answer).length;
  expect(solved(all)).toBe(150);
  expect(solved('Count in minutes.')).toBeLessThan(solved(all));
  expect(solved('')).toBeLessThan(solved('Count in minutes.'));
});
