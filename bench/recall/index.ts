/**
 * How much of what answers a question is found, beside what one would pick instead, in one run and
 * without a model: `npm run bench -- recall --locomo=locomo10.json --audit=errors.json`.
 */
import { installPeers } from '../compare/peers.js';
import type { Reading } from '../measure.js';
import { agentkeeps } from './agentkeep.js';
import type { Contender } from './contender.js';
import { type Conversation, readLocomo } from './locomo.js';
import { peers } from './peers.js';
import { BUDGET_BYTES, estimateOf, type Score, scoreOf } from './scores.js';

/** What is read, and whether peers are measured, which are installed for that. */
export interface RecallLoad {
  readonly locomo: string | undefined;
  readonly audit: string | undefined;
  readonly hasPeers: boolean;
}

/** One reading for each contender and group of questions. */
export async function* recallBenchmarks(load?: RecallLoad): AsyncGenerator<Reading, void> {
  const given = load ?? { locomo: argument('locomo'), audit: argument('audit'), hasPeers: true };
  if (given.locomo === undefined) {
    throw new Error('Give the path of LoCoMo’s locomo10.json: --locomo=path. No model is used.');
  }
  if (given.hasPeers) installPeers();
  const conversations = await readLocomo(given.locomo, given.audit);
  for (const contender of [...agentkeeps, ...(given.hasPeers ? peers : [])]) {
    const scores = await scoresOf(contender, conversations);
    for (const [group, of] of groupsOf(scores)) {
      yield { name: `${contender.title}: ${group}`, figures: figuresOf(of) };
    }
  }
}

async function scoresOf(
  { open }: Contender,
  conversations: readonly Conversation[],
): Promise<Score[]> {
  const scores: Score[] = [];
  for (const { turns, questions } of conversations) {
    const ask = await open(turns);
    for (const question of questions) scores.push(scoreOf(question, await ask(question.text)));
    await ask[Symbol.asyncDispose]?.();
  }
  return scores;
}

function groupsOf(scores: readonly Score[]): [name: string, scores: readonly Score[]][] {
  const undisputed = scores.filter(({ isDisputed }) => !isDisputed);
  const categories = [...new Set(scores.map(({ category }) => category))].sort();
  return [
    ['all', scores],
    ['without disputed ones', undisputed],
    ...categories.map((name): [string, readonly Score[]] => [
      name,
      scores.filter(({ category }) => category === name),
    ]),
  ];
}

function figuresOf(scores: readonly Score[]): Record<string, number> {
  const found = estimateOf(scores.map(({ recallAtTen }) => recallAtTen));
  const answered = estimateOf(scores.map(({ isAnsweredInBudget }) => isAnsweredInBudget));
  const bytes = `answered_in_${String(BUDGET_BYTES)}_bytes`;
  return {
    questions: scores.length,
    'recall_at_10_%': found.percent,
    'recall_at_10_from_%': found.from,
    'recall_at_10_to_%': found.to,
    [`${bytes}_%`]: answered.percent,
    [`${bytes}_from_%`]: answered.from,
    [`${bytes}_to_%`]: answered.to,
  };
}

function argument(name: string): string | undefined {
  const prefix = `--${name}=`;
  return process.argv.find((each) => each.startsWith(prefix))?.slice(prefix.length);
}
