/** The desk knows after a restart what was ordered before it. */
import { openKeep } from '@agentkeep/core';
import { sharedMemory } from '@agentkeep/core/testing';
import { expect, test } from 'vitest';
import { runOrders } from '../src/order-desk.js';

/** Returns what the desk answers, with keeps from `open`. */
async function answersOf(open: Parameters<typeof runOrders>[0]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of runOrders(open)) lines.push(line);
  return lines.filter((line) => line.startsWith('desk: '));
}

test('the session goes on with another keep over the same data', async () => {
  const memory = sharedMemory();
  expect(await answersOf(() => openKeep({ store: memory.open() }))).toEqual([
    'desk: It is on its way.',
    'desk: It is on its way.',
    'desk: 2 orders.',
  ]);
});

test('with other data, the desk knows of no order', async () => {
  expect(await answersOf(() => openKeep({ store: sharedMemory().open() }))).toEqual([
    'desk: It is on its way.',
    'desk: The same as what?',
    'desk: 0 orders.',
  ]);
});
