/**
 * The outcomes of an attempt and their order: the table of the contract
 * (docs/contract/experiences.md), which the code uses and the reference shows.
 */

/** Outcomes that an observation reports. */
export const attemptOutcomes = ['unknown', 'succeeded', 'failed', 'cancelled'] as const;
/** Name of an outcome. */
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** One row of the table. A null outcome means that there are no observations. */
export interface OutcomeRule {
  readonly current: AttemptOutcome | null;
  readonly next: readonly AttemptOutcome[];
}

/** The table. A final outcome only accepts more evidence and late totals. */
export const outcomeRules: readonly OutcomeRule[] = [
  { current: null, next: attemptOutcomes },
  { current: 'unknown', next: attemptOutcomes },
  { current: 'succeeded', next: ['succeeded'] },
  { current: 'failed', next: ['failed'] },
  { current: 'cancelled', next: ['cancelled'] },
];

/** Whether an outcome may follow the current one. */
export function mayFollow(current: AttemptOutcome | null, next: AttemptOutcome): boolean {
  return outcomeRules.some((rule) => rule.current === current && rule.next.includes(next));
}
