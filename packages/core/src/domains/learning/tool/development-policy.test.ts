/** The table of developments is complete, unambiguous and as in the contract. */
import { describe, expect, test } from 'vitest';
import {
  type DevelopmentAction,
  developmentReasons,
  developmentStates,
  developmentTransitions,
  isTerminal,
  reportOutcomes,
  transitionFor,
} from './development-policy.js';

const actions: readonly DevelopmentAction[] = [
  'request_cancellation',
  ...reportOutcomes.map((outcome) => `report ${outcome}` as const),
];
const verdicts = ['over', 'unknown', 'within'] as const;
const cases = developmentStates.flatMap((state) =>
  actions.flatMap((action) => verdicts.map((verdict) => ({ state, action, verdict }))),
);

describe('the table of developments', () => {
  test('has at most one row per case', () => {
    for (const { state, action, verdict } of cases) {
      const rows = developmentTransitions.filter(
        (row) =>
          row.from.includes(state) &&
          row.action === action &&
          (row.consumption === undefined || row.consumption === verdict),
      );
      expect(rows.length, `${state} ${action} ${verdict}`).toBeLessThanOrEqual(1);
      expect(transitionFor(state, action, verdict)).toBe(rows[0]);
    }
  });

  test('refuses only unrequested confirmations of a cancellation in open states', () => {
    const refused = cases.filter(
      ({ state, action, verdict }) =>
        !isTerminal(state) && transitionFor(state, action, verdict) === undefined,
    );
    const expected = ['requested', 'pending_or_unknown'].flatMap((state) =>
      verdicts.map((verdict) => ({ state, action: 'report cancelled', verdict })),
    );
    expect(refused).toEqual(expected);
  });

  test('has three final states', () => {
    expect(developmentStates.filter(isTerminal)).toEqual(['succeeded', 'failed', 'cancelled']);
  });

  test('stores an artifact exactly when the development succeeds', () => {
    for (const { to, storesArtifact } of developmentTransitions) {
      expect(storesArtifact === true).toBe(to === 'succeeded');
    }
  });

  test('uses every reason except the initial one', () => {
    const given = new Set(developmentTransitions.map(({ reason }) => reason));
    expect(developmentReasons.filter((reason) => !given.has(reason))).toEqual(['request_recorded']);
  });
});
