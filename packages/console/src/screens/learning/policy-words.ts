/** What admits, rejects and suspends procedures by a policy, in words. */
import { durationText, numberText } from '../../parts/amounts.js';
import { texts } from '../../texts/en/english.js';
import type { PolicyEntry } from './learning-data.js';

const { basis } = texts;

type Definition = PolicyEntry['payload'];

/** Sentences, by what follows. */
export interface PolicyWords {
  readonly admits: readonly string[];
  readonly rejects: readonly string[];
  readonly suspends: readonly string[];
}

/** Returns the sentences of a policy (docs/contract/learning.md, docs/contract/betting.md). */
export function policyWords(definition: Definition): PolicyWords {
  const { parameters } = definition;
  const isBetting = definition.algorithm === 'betting_e_process_v1';
  const { min_improvement, min_candidate_utility, max_cost_units, max_latency_ms } = parameters;
  return {
    admits: [
      ...(isBetting ? bettingWords(parameters) : fixedWords(parameters)),
      basis.improves(numberText(min_improvement)),
      basis.isUseful(numberText(min_candidate_utility)),
      basis.isWithin(max_cost_units.toLocaleString(texts.locale), durationText(max_latency_ms)),
    ],
    rejects: isBetting ? [basis.overBudget, basis.losesBets, basis.noTrials] : [basis.gateFails],
    suspends: suspendingWords(parameters),
  };
}

function fixedWords(parameters: Definition['parameters']): readonly string[] {
  const { qualification_trials: trials, confidence_delta: delta } = parameters;
  return [basis.afterTrials(trials, numberText(delta))];
}

function bettingWords(parameters: Definition['parameters']): readonly string[] {
  const { qualification_trials: trials, confidence_delta: delta } = parameters;
  const { max_candidates: most } = parameters;
  const error = numberText(delta);
  if (most === undefined) return [basis.byWealth(error, trials)];
  return [basis.byShare(error, trials, most), basis.together(error, most)];
}

function suspendingWords(parameters: Definition['parameters']): readonly string[] {
  const { max_failure_streak: streak, min_candidate_utility: least } = parameters;
  const { false_suspension_trials: evidence } = parameters;
  if (evidence !== undefined) return [basis.byEvidence(evidence)];
  return [basis.byStreak(streak), basis.failing(numberText(least))];
}
