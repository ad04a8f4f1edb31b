/** Nothing that two clients observe at once is lost. */
import { expect, test } from 'vitest';
import { shareGraph } from '../src/shared-graph.js';

test('the graph knows what both clients observed', async () => {
  const [ann, ...others] = await shareGraph();
  expect(others).toEqual([]);
  expect(ann).toMatchObject({ name: 'Ann', entityType: 'customer' });
  expect([...(ann?.observations ?? [])].sort()).toEqual([
    'Collects on Fridays.',
    'Has two dogs.',
    'Pays in cash.',
    'Prefers French.',
  ]);
});
