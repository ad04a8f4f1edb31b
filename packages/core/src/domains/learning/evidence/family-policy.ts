/**
 * Admits candidates together under one false discovery rate: the rule of e-BH over their wealths.
 *
 * Of at most K candidates, the k that have the most wealth are accepted, for the greatest k for
 * which each of them has K / (k delta) or more (R. Wang and A. Ramdas, "False discovery rate
 * control with e-values", Journal of the Royal Statistical Society B 84 (2022)). K is stated
 * beforehand, and who is accepted keeps the wealth of that moment, so the rule holds for all
 * accepted ones at every later time: of these, a share of delta at most is expected to be useless,
 * however the candidates depend on each other.
 */

/** A candidate beside others of its policy and context. */
export interface FamilyMember {
  readonly id: string;
  /** Its wealth in units; 0 while it may not be accepted, and after its rejection. */
  readonly wealth: number;
  readonly isAccepted: boolean;
}

/**
 * Returns the least wealth, in units, with which one more candidate is accepted beside the others.
 * `enough` is the wealth that is enough for a candidate without others, in units.
 */
export function decidingWealthBeside(
  others: readonly FamilyMember[],
  enough: number,
  candidatesMax: number,
): number {
  for (let size = others.length + 1; size > 1; size -= 1) {
    const least = wealthFor(size, enough, candidatesMax);
    if (others.filter(({ wealth }) => wealth >= least).length >= size - 1) return least;
  }
  return wealthFor(1, enough, candidatesMax);
}

/** Returns the candidates that are accepted from now on, once one with `least` wealth is. */
export function acceptedBeside(
  others: readonly FamilyMember[],
  least: number,
): readonly FamilyMember[] {
  return others.filter((each) => !each.isAccepted && each.wealth >= least);
}

/** Returns the wealth that each of `size` candidates needs. */
function wealthFor(size: number, enough: number, candidatesMax: number): number {
  return Math.ceil((enough * candidatesMax) / size);
}
