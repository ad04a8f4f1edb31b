/** The second conversation reads the file of the first. */
import { openKeep } from '@agentkeep/core';
import { sharedMemory } from '@agentkeep/core/testing';
import { expect, test } from 'vitest';
import { runConversations } from '../src/conversations.js';

/** Returns what Claude answers, with keeps from `open`. */
async function answersOf(open: Parameters<typeof runConversations>[0]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of runConversations(open)) lines.push(line);
  return lines.filter((line) => line.startsWith('Claude: '));
}

test('Claude reads in a later conversation what it wrote in an earlier one', async () => {
  const memory = sharedMemory();
  expect(await answersOf(() => openKeep({ store: memory.open() }))).toEqual([
    'Claude: I wrote it down.',
    'Claude: My notes say: Ann is allergic to nuts.',
  ]);
});

test('with other data, there are no notes', async () => {
  expect(await answersOf(() => openKeep({ store: sharedMemory().open() }))).toEqual([
    'Claude: I wrote it down.',
    'Claude: I have no notes.',
  ]);
});
