/** A question at a terminal ends with every key that a person may press. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ask } from './ask.js';

async function answerTo(typed: string): Promise<{ answer: string; shown: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const asked = ask('Delete it? ', { input, output });
  input.write(typed);
  return { answer: await asked, shown: String(output.read()) };
}

test.each([
  ['y\r', 'y'],
  ['no\r', 'no'],
  ['\r', ''],
  ['\u0003', ''],
  ['\u0004', ''],
  ['yes\u0003', ''],
])('CMD-25 %j is the answer %j', async (typed, answer) => {
  const asked = await answerTo(typed);
  expect(asked.answer).toBe(answer);
  expect(asked.shown).toContain('Delete it? ');
});
