/**
 * The checker of histories finds anomalies.
 */
import { describe, expect, test } from 'vitest';
import { contradictions, type ListTransaction } from './list-history.js';

function transaction(
  id: string,
  seen: Record<string, string[]>,
  appended: string[],
  times: [startedAt: number, answeredAt: number] = [0, 10],
): ListTransaction {
  const [startedAt, answeredAt] = times;
  return { id, startedAt, answeredAt, seen: new Map(Object.entries(seen)), appended };
}

const lists = (entries: Record<string, string[]>) => new Map(Object.entries(entries));

describe('contradictions', () => {
  test('are not reported for a serializable history', () => {
    const history = [transaction('t1', { x: [] }, ['x']), transaction('t2', { x: ['t1'] }, ['x'])];
    expect(contradictions(history, lists({ x: ['t1', 't2'] }))).toEqual([]);
  });

  test('include a lost update', () => {
    const history = [transaction('t1', { x: [] }, ['x']), transaction('t2', { x: [] }, ['x'])];
    expect(contradictions(history, lists({ x: ['t2'] }))).toEqual(['t1 is 0 times in x']);
  });

  test('include write skew', () => {
    const history = [
      transaction('t1', { x: [], y: [] }, ['x']),
      transaction('t2', { x: [], y: [] }, ['y']),
    ];
    expect(contradictions(history, lists({ x: ['t1'], y: ['t2'] }))).toHaveLength(1);
  });

  test('find a stale read after an answer', () => {
    const history = [
      transaction('t1', { x: [] }, ['x'], [0, 1]),
      transaction('t2', { x: [] }, [], [2, 3]),
    ];
    expect(contradictions(history, lists({ x: ['t1'] }))).toHaveLength(1);
  });
});
