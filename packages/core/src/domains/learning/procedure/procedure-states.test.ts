/** The table of states is complete: every finding has a row, and final states have none. */
import { describe, expect, test } from 'vitest';
import {
  acceptedPhase,
  procedureStates,
  procedureTransitions,
  transitionOf,
} from './procedure-states.js';

describe('the table', () => {
  test('has one row for each state and finding', () => {
    const rows = procedureTransitions.map(({ from, finding }) => `${from} ${finding}`);
    expect(new Set(rows).size).toBe(rows.length);
  });

  test('accepts one phase per state, and none in a final state', () => {
    for (const { from, phase } of procedureTransitions) expect(acceptedPhase(from)).toBe(phase);
    expect(procedureStates.filter((state) => acceptedPhase(state) === undefined)).toEqual([
      'Rejected',
      'Suspended',
    ]);
  });

  test('gives a reason exactly where the state changes', () => {
    for (const { from, to, reason } of procedureTransitions) {
      expect(reason !== null).toBe(from !== to);
    }
  });

  test('reaches every state', () => {
    const reached = new Set(['Candidate', ...procedureTransitions.map(({ to }) => to)]);
    expect([...reached].sort()).toEqual([...procedureStates].sort());
  });

  test('refuses a finding that is impossible in a state', () => {
    expect(() => transitionOf('Suspended', 'good')).toThrow('good in Suspended');
  });
});
