/** `agentkeep learning plan`: what an evaluation can see. */
import { planEvaluation } from '@agentkeep/client';
import type { ClientCommand, OwnFlag } from '../../command/command.js';
import type { GivenFlags } from '../../command/given-flags.js';
import { UsageError } from '../../command/usage-error.js';
import { jsonLine } from '../../output/printable.js';
import { tableOf } from '../../output/table.js';
import { numberOf } from '../flag-values.js';

const SHARE = '<share>';

const planFlags: readonly OwnFlag[] = [
  { name: 'trials', placeholder: '<number>', summary: 'Cases that you have.' },
  { name: 'difference', placeholder: SHARE, summary: 'Improvement that you care for.' },
  {
    name: 'baseline',
    placeholder: SHARE,
    summary: 'Cases that the baseline solves. Default: 0.5.',
  },
  {
    name: 'shared',
    placeholder: SHARE,
    summary: 'Cases in which the same luck decides for both. Default: 0.',
  },
  { name: 'delta', placeholder: SHARE, summary: 'confidence_delta of the policy. Default: 0.1.' },
  { name: 'min-improvement', placeholder: SHARE, summary: 'Of the policy. Default: 0.' },
  { name: 'chance', placeholder: SHARE, summary: 'Wanted chance to see it. Default: 0.8.' },
];

type PlanOptions = Parameters<typeof planEvaluation>[0];

/** Prints a row for each algorithm of learning policies. */
export const plan: ClientCommand = {
  name: 'learning plan',
  positionals: [],
  summary: 'Say what an evaluation can see with some cases, or how many it needs.',
  description: [
    'With --trials, says which improvement each algorithm sees; with --difference, how many trials ' +
      'it needs; with both, the chance that a candidate so much better becomes active. The last ' +
      'column says after how many trials half of those that become active are.',
    'The chances come from 1,000 simulated candidates, always the same ones. No server is needed.',
  ],
  isCall: false,
  hasJson: true,
  ownFlags: planFlags,
  examples: [
    'agentkeep learning plan --trials 200 --baseline 0.6',
    'agentkeep learning plan --difference 0.1 --shared 0.7',
  ],
  run: async ({ io, flags, json }) => {
    const plans = planned(optionsOf(flags));
    const header = ['ALGORITHM', 'TRIALS', 'IMPROVEMENT', 'CHANCE', 'USUALLY AFTER'];
    const rows = plans.map(({ algorithm, trials, difference, chance, usualTrials }) => [
      algorithm,
      trials === null ? 'too many' : String(trials),
      difference === null ? 'none' : difference.toFixed(2),
      chance === null ? '-' : `${Math.round(chance * 100)} %`,
      usualTrials === null ? '-' : String(usualTrials),
    ]);
    const { terminal } = io;
    await io.writeOut(json ? jsonLine({ plans }) : tableOf(header, rows, { terminal }));
  },
};

function optionsOf(flags: GivenFlags): PlanOptions {
  const number = (name: string): number | undefined => {
    const text = flags.text(name);
    return text === undefined ? undefined : numberOf(text, `--${name}`);
  };
  const [trials, difference] = [number('trials'), number('difference')];
  return {
    ...(trials === undefined ? {} : { trials }),
    ...(difference === undefined ? {} : { difference }),
    baseline: number('baseline') ?? 0.5,
    shared: number('shared') ?? 0,
    delta: number('delta') ?? 0.1,
    minImprovement: number('min-improvement') ?? 0,
    chance: number('chance') ?? 0.8,
  };
}

/** Reports a number out of range as a wrong use of the command. */
function planned(options: PlanOptions): ReturnType<typeof planEvaluation> {
  try {
    return planEvaluation(options);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
