/** The texts of policies and contexts of learning in English. */
import { counted } from '../counted.js';

/** These texts. */
export const basisTexts = {
  basis: {
    lists: 'Lists',
    scopes: 'Scopes',
    policies: 'Policies',
    contexts: 'Contexts',
    noPolicies: 'No policies',
    noPoliciesText:
      'A program with policy_admin registers one with learning.registerPolicy(): how procedures are judged.',
    noContexts: 'No contexts',
    noContextsText:
      'A program with policy_admin registers one with learning.registerContext(): for which task, model and data procedures are judged.',
    algorithm: 'Decides',
    algorithms: {
      fixed_budget_hoeffding_v1: 'after a fixed number of trials',
      betting_e_process_v1: 'as soon as the evidence is enough',
    },
    contract: 'Evaluation contract',
    registeredBy: 'Registered by',
    allPolicies: 'All policies',
    allContexts: 'All contexts',
    admits: 'A procedure qualifies when',
    afterTrials: (trials: number, delta: string) =>
      `After exactly ${counted(trials, 'trial', 'trials')}, it is certain of the improvement up to an error of ${delta}.`,
    byWealth: (delta: string, trials: number) =>
      `Its bets on improvement reach a wealth of 1 / ${delta} within ${counted(trials, 'trial', 'trials')}.`,
    byShare: (delta: string, trials: number, most: number) =>
      `Its bets on an improvement reach a wealth of ${most} / (k · ${delta}) within ${counted(trials, 'trial', 'trials')}, where k candidates reach it.`,
    together: (delta: string, most: number) =>
      `Up to ${most} candidates of a scope are judged together: of those admitted, a share of ${delta} at most is expected to be no better than that.`,
    improves: (least: string) => `Its improvement over the baseline is at least ${least}.`,
    isUseful: (least: string) => `Its mean utility is at least ${least}.`,
    isWithin: (cost: string, latency: string) =>
      `No trial costs more than ${cost} units or takes longer than ${latency}.`,
    rejects: 'A procedure is rejected when',
    gateFails: 'One of these fails at the last trial.',
    overBudget: 'A trial is over a budget.',
    losesBets: 'The bets against an improvement win as much.',
    noTrials: 'No trial is left.',
    suspends: 'A procedure in use is suspended when',
    byStreak: (most: number) => `It fails ${counted(most, 'evaluation', 'evaluations')} in a row.`,
    byEvidence: (trials: number) =>
      `The evidence that it got worse reaches ${trials.toLocaleString('en')}. One that did not get worse lasts that many evaluations on average, or more.`,
    failing: (least: string) =>
      `An evaluation fails over a budget, with a utility below ${least}, or below the baseline.`,
    definition: 'Definition',
    circumstances: 'Circumstances',
    model: 'Model',
    environment: 'Environment',
    dataset: 'Data',
    harness: 'Harness',
    permissions: 'Permissions',
    tools: 'Tools',
    choices: 'Current selection',
    chooseScope: 'Choose the scope of the agent that asks.',
    otherScope: 'Another scope',
    needsMemory:
      'You do not have permission to view procedures. Ask an administrator for memory_read.',
    noFit: 'No policy matches this context',
    noFitText: (contract: string) =>
      `Register a policy with the evaluation contract ${contract}. Selection asks for a policy and a context that agree on it.`,
    partOfPolicies: (count: number) =>
      `Showing the choices for the first ${count} matching policies. There are more.`,
    bound: 'Lower bound',
    noBound: 'No procedure of this scope is proposed for this policy and context.',
    candidates: (policy: string) => `Procedures judged by ${policy}`,
  },
} as const;
