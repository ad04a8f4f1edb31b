/** Schema of the figures of a procedure in lines of exports. */
import * as v from 'valibot';
import { FAILURE_STREAK_MAX, QUALIFICATION_TRIALS_MAX } from '../../../contract/limits.js';
import { boundedNumber, integer } from '../../../contract/schema/number.js';
import { closed } from '../../../contract/schema/document.js';
import { SHARES, UTILITY_UNITS } from '../evidence/wealth-policy.js';
import { IMPORT_COUNT_MAX } from '../../../upkeep/lines/import-limits.js';

/** Mantissas of evidence have 26 bits. */
const MANTISSA_MAX = 2 ** 26 - 1;
/** Beyond every exponent that evidence of as many trials as there can be has. */
const EXPONENT_MAX = 2 ** 32;
/** Below every bound that the least confidence_delta leads to. */
const BOUND_MIN = -64;

const Trials = integer(0, QUALIFICATION_TRIALS_MAX);

const Capitals = v.pipe(
  v.array(
    closed({ mantissa: integer(0, MANTISSA_MAX), exponent: integer(-EXPONENT_MAX, EXPONENT_MAX) }),
  ),
  v.maxLength(SHARES.length),
);

/** The running figures of a procedure. */
export const Figures = closed({
  qualification_count: Trials,
  mean_improvement: boundedNumber(-1, 1, 'inclusive'),
  mean_candidate_utility: boundedNumber(0, 1, 'inclusive'),
  budget_violations: integer(0, IMPORT_COUNT_MAX),
  lower_improvement_bound: v.nullable(boundedNumber(BOUND_MIN, 1, 'inclusive')),
  monitoring_count: integer(0, IMPORT_COUNT_MAX),
  failure_streak: integer(0, FAILURE_STREAK_MAX),
  betting: v.optional(
    closed({
      differences: v.pipe(
        v.array(v.strictTuple([integer(-UTILITY_UNITS, UTILITY_UNITS), Trials])),
        v.maxLength(2 * UTILITY_UNITS + 1),
      ),
      utilities: integer(0, UTILITY_UNITS * QUALIFICATION_TRIALS_MAX),
    }),
  ),
  degradation: v.optional(closed({ on_difference: Capitals, on_utility: Capitals })),
});
