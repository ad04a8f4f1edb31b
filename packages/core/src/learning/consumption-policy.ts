/**
 * Cumulative totals of cost and time that a party reports of its own work, and what is retained of
 * them: pure rules (learning-tools-experiences 3.7 and 4.3).
 * @module
 */

/** Totals since the work began; null is unknown, and 0 is a known zero. */
export interface Consumption {
  readonly costUnits: number | null;
  readonly latencyMs: number | null;
}

/** How totals stand to a budget. */
export type BudgetVerdict = 'over' | 'unknown' | 'within';

/** Whether a known total lies below the one that was observed before, which no total can do. */
export function isBelowObserved(reported: Consumption, observed: Consumption): boolean {
  return (
    isLess(reported.costUnits, observed.costUnits) || isLess(reported.latencyMs, observed.latencyMs)
  );
}

/** What is observed after a report: its known totals, and else what was known before. */
export function observedAfter(reported: Consumption, observed: Consumption): Consumption {
  return {
    costUnits: reported.costUnits ?? observed.costUnits,
    latencyMs: reported.latencyMs ?? observed.latencyMs,
  };
}

/** A known total over its budget decides, also while the other one is unknown; equal is within. */
export function weighBudget(
  { costUnits, latencyMs }: Consumption,
  budget: { readonly costUnits: number; readonly latencyMs: number },
): BudgetVerdict {
  if (isLess(budget.costUnits, costUnits) || isLess(budget.latencyMs, latencyMs)) return 'over';
  return costUnits === null || latencyMs === null ? 'unknown' : 'within';
}

function isLess(one: number | null, other: number | null): boolean {
  return one !== null && other !== null && one < other;
}
