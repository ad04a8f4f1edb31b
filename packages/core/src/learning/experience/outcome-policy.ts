/**
 * The outcomes of an attempt and which may follow which: the table of the contract
 * (learning-tools-experiences 4.3), which the code follows and the reference shows.
 * @module
 */

/** What an observation says of an attempt. */
export const attemptOutcomes = ['unknown', 'succeeded', 'failed', 'cancelled'] as const;
/** Name of an outcome. */
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** One row of the table; a null outcome is that of an attempt without observations. */
export interface OutcomeRule {
  readonly current: AttemptOutcome | null;
  readonly next: readonly AttemptOutcome[];
}

/** The table: a final outcome only takes more evidence and late totals. */
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
