/**
 * The states of a development and their transitions: the table of the contract
 * (docs/contract/tools.md), which the code uses and the reference shows.
 */
import type { BudgetVerdict } from '../consumption-policy.js';

/** The states; the last three are final. */
export const developmentStates = [
  'requested',
  'pending_or_unknown',
  'cancellation_requested',
  'succeeded',
  'failed',
  'cancelled',
] as const;
/** Name of a state. */
export type DevelopmentState = (typeof developmentStates)[number];

/** Outcomes that a worker reports. */
export const reportOutcomes = ['pending_or_unknown', 'succeeded', 'failed', 'cancelled'] as const;
/** Name of such an outcome. */
type ReportOutcome = (typeof reportOutcomes)[number];

/** Reasons of a state. */
export const developmentReasons = [
  'request_recorded',
  'cancellation_requested',
  'resource_limit_exceeded',
  'unknown_consumption',
  'worker_reported_success',
  'worker_reported_failure',
  'worker_confirmed_cancellation',
  'worker_outcome_unknown',
] as const;
/** Name of a reason. */
type DevelopmentReason = (typeof developmentReasons)[number];

/** Actions on a development. */
export type DevelopmentAction = 'request_cancellation' | `report ${ReportOutcome}`;

/** One row of the table. */
export interface DevelopmentTransition {
  readonly from: readonly DevelopmentState[];
  readonly action: DevelopmentAction;
  /** The required relation of the reported totals to the budget; absent: any. */
  readonly consumption?: BudgetVerdict;
  readonly to: DevelopmentState;
  readonly reason: DevelopmentReason;
  /** Whether the reported artifact is stored in the same commit. */
  readonly storesArtifact?: true;
}

const open = ['requested', 'pending_or_unknown', 'cancellation_requested'] as const;
const uncancelled = ['requested', 'pending_or_unknown'] as const;
const cancelling = ['cancellation_requested'] as const;

/** The table. At most one row fits a case; a case without a row is a conflict. */
export const developmentTransitions: readonly DevelopmentTransition[] = [
  {
    from: open,
    action: 'request_cancellation',
    to: 'cancellation_requested',
    reason: 'cancellation_requested',
  },
  {
    from: open,
    action: 'report succeeded',
    consumption: 'over',
    to: 'failed',
    reason: 'resource_limit_exceeded',
  },
  {
    from: uncancelled,
    action: 'report succeeded',
    consumption: 'unknown',
    to: 'pending_or_unknown',
    reason: 'unknown_consumption',
  },
  {
    from: cancelling,
    action: 'report succeeded',
    consumption: 'unknown',
    to: 'cancellation_requested',
    reason: 'unknown_consumption',
  },
  {
    from: open,
    action: 'report succeeded',
    consumption: 'within',
    to: 'succeeded',
    reason: 'worker_reported_success',
    storesArtifact: true,
  },
  {
    from: open,
    action: 'report failed',
    to: 'failed',
    reason: 'worker_reported_failure',
  },
  {
    from: cancelling,
    action: 'report cancelled',
    to: 'cancelled',
    reason: 'worker_confirmed_cancellation',
  },
  {
    from: uncancelled,
    action: 'report pending_or_unknown',
    to: 'pending_or_unknown',
    reason: 'worker_outcome_unknown',
  },
  {
    from: cancelling,
    action: 'report pending_or_unknown',
    to: 'cancellation_requested',
    reason: 'worker_outcome_unknown',
  },
];

/** Whether a state is final. */
export function isTerminal(state: DevelopmentState): boolean {
  return !developmentTransitions.some(({ from }) => from.includes(state));
}

/** Returns the row of an action in a state, or `undefined`. */
export function transitionFor(
  state: DevelopmentState,
  action: DevelopmentAction,
  consumption: BudgetVerdict,
): DevelopmentTransition | undefined {
  return developmentTransitions.find(
    (row) =>
      row.from.includes(state) &&
      row.action === action &&
      (row.consumption ?? consumption) === consumption,
  );
}
