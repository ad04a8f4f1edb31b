/** The findings of `agentkeep doctor`. */

/** `problem`: something does not work. `warning`: something will not work later, or is unsafe. */
export type FindingState = 'ok' | 'warning' | 'problem';

/** The result of one check. */
export interface Finding {
  /** The examined thing: `data directory`, `server`, `profile work`. */
  readonly check: string;
  readonly state: FindingState;
  /** The result. */
  readonly found: string;
  /** What to do; absent if there is nothing to do. */
  readonly advice?: string;
}

/** Returns findings of one check. */
export function findingsOf(check: string) {
  return {
    ok: (found: string, advice?: string): Finding => ({
      check,
      state: 'ok',
      found,
      ...(advice === undefined ? {} : { advice }),
    }),
    warning: (found: string, advice: string): Finding => ({
      check,
      state: 'warning',
      found,
      advice,
    }),
    problem: (found: string, advice: string): Finding => ({
      check,
      state: 'problem',
      found,
      advice,
    }),
  };
}
