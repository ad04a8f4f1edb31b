/** A later conversation knows what an earlier one remembered. */
import { openKeep } from '@agentkeep/core';
import { sharedMemory } from '@agentkeep/core/testing';
import { expect, test } from 'vitest';
import { runConversations } from '../src/conversations.js';

/** Returns what the model answers, with keeps from `open`. */
async function answersOf(open: Parameters<typeof runConversations>[0]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of runConversations(open)) lines.push(line);
  return lines.filter((line) => line.startsWith('model: '));
}

test('the prompt of a later conversation has what an earlier one remembered', async () => {
  const memory = sharedMemory();
  expect(await answersOf(() => openKeep({ store: memory.open() }))).toEqual([
    'model: I will remember that.',
    'model: (lab/hours) The lab closes at six on Fridays.',
    'model: I do not know.',
  ]);
});

test('with other data, the model knows nothing', async () => {
  expect(await answersOf(() => openKeep({ store: sharedMemory().open() }))).toEqual([
    'model: I will remember that.',
    'model: I do not know.',
    'model: I do not know.',
  ]);
});
