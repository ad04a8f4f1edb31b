/**
 * Rules for the cumulative totals of cost and time that a party reports of its own work
 * (docs/contract/tools.md, docs/contract/experiences.md).
 */

/** Totals since the work began. Null is unknown; 0 is a known zero. */
export interface Consumption {
  readonly costUnits: number | null;
  readonly latencyMs: number | null;
}

/** Totals compared with a budget. */
export type BudgetVerdict = 'over' | 'unknown' | 'within';

/** Whether a known total is below the one observed before. Totals never decrease. */
export function isBelowObserved(reported: Consumption, observed: Consumption): boolean {
  return (
    isLess(reported.costUnits, observed.costUnits) || isLess(reported.latencyMs, observed.latencyMs)
  );
}

/** Returns the totals after a report: the reported ones where known, else the earlier ones. */
export function observedAfter(reported: Consumption, observed: Consumption): Consumption {
  return {
    costUnits: reported.costUnits ?? observed.costUnits,
    latencyMs: reported.latencyMs ?? observed.latencyMs,
  };
}

/**
 * Compares totals with a budget. A known total over its budget decides, even if the other is
 * unknown. Equal totals are within.
 */
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
