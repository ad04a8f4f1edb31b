/**
 * How much of what answers a question is found, beside what one would pick instead, in one run, on
 * each data set whose path is given: `npm run bench -- recall --locomo=locomo10.json
 * --audit=errors.json --locomo-plus=locomo_plus.json --beam=chats/100K,chats/500K
 * --musique=musique_train.json --hotpotqa=hotpotqa_train.json --half=held
 * --contenders=recall,BM25`. No model is used without `--meaning=yes`, which adds `recall()` and
 * peers with the vectors of `@agentkeep/meaning`, or `--models=` with paths of modules of others.
 */
import { installPeers } from '../compare/peers.js';
import type { Reading } from '../measure.js';
import { agentkeeps } from './agentkeep.js';
import { readBeam } from './beam.js';
import type { Contender } from './contender.js';
import { type Half, halfOf } from './halves.js';
import { type Conversation, readLocomo, readLocomoPlus } from './locomo.js';
import { contendersWith, meaningModel, modelAt } from './meaning.js';
import { readHotpotqa, readMusique } from './paragraphs.js';
import { peers } from './peers.js';
import { BUDGET_BYTES, estimateOf, type Score, scoreOf } from './scores.js';
import { updateReadings } from './updates.js';

const JOINED = new Set(['FTS5 `bm25`, porter', 'BM25 (1.2, 0.75), stems and stop words']);

/** What is read, and whether peers are measured, which are installed for that. */
export interface RecallLoad {
  readonly locomo?: string | undefined;
  readonly audit?: string | undefined;
  /** Read together with LoCoMo, whose conversations it needs. */
  readonly locomoPlus?: string | undefined;
  /** Folders of chats, separated by commas. */
  readonly beam?: string | undefined;
  readonly musique?: string | undefined;
  readonly hotpotqa?: string | undefined;
  readonly half?: Half;
  /** Parts of the titles of contenders that are measured, separated by commas; all without. */
  readonly contenders?: string | undefined;
  readonly hasPeers: boolean;
  /** Whether contenders with the vectors of a model are measured too. */
  readonly hasMeaning?: boolean;
  /** Modules of further models, separated by commas. */
  readonly models?: string | undefined;
}

/** A data set: its questions are about conversations, or about one collection of texts. */
interface DataSet {
  readonly name: string;
  readonly conversations: readonly Conversation[];
}

/** What a contender scored on a data set, and the processor time that the questions took. */
interface Result {
  readonly scores: readonly Score[];
  readonly cpuMs: number;
}

/** One reading for each data set, contender and group of questions. */
export async function* recallBenchmarks(load?: RecallLoad): AsyncGenerator<Reading, void> {
  const given = load ?? {
    locomo: argument('locomo'),
    audit: argument('audit'),
    locomoPlus: argument('locomo-plus'),
    beam: argument('beam'),
    musique: argument('musique'),
    hotpotqa: argument('hotpotqa'),
    half: halfOf(argument('half')),
    contenders: argument('contenders'),
    hasPeers: argument('peers') !== 'none',
    hasMeaning: argument('meaning') === 'yes',
    models: argument('models'),
  };
  const sets = await dataSetsOf(given);
  if (sets.length === 0) {
    throw new Error('Give a path: --locomo=, --beam=, --musique= or --hotpotqa=.');
  }
  if (given.hasPeers) installPeers();
  const wanted = given.contenders?.split(',') ?? [''];
  const byWords = [...agentkeeps, ...(given.hasPeers ? peers : [])];
  // Of the peers, those that are joined with vectors most often.
  const joined = byWords.filter(({ title }) => JOINED.has(title));
  const models = given.hasMeaning ? [meaningModel()] : [];
  for (const path of given.models?.split(',') ?? []) models.push(await modelAt(path));
  const all = [...byWords, ...models.flatMap((model) => contendersWith(model, joined))];
  const contenders = all.filter(({ title }) => wanted.some((part) => title.includes(part)));
  for (const { name, conversations } of sets) {
    yield* updateReadings(name, conversations);
    for (const contender of contenders) {
      const { scores, cpuMs } = await resultOf(contender, conversations);
      for (const [group, of] of groupsOf(scores)) {
        const time = group === ALL ? { cpu_ms_a_question: cpuMs / scores.length } : {};
        yield {
          name: `${name}: ${contender.title}: ${group}`,
          figures: { ...figuresOf(of), ...time },
        };
      }
    }
  }
  for (const model of models) await model.close();
}

/** Reads the data sets whose paths are given. */
async function dataSetsOf({ half = 'all', ...paths }: RecallLoad): Promise<DataSet[]> {
  const { locomo, audit, locomoPlus, beam, musique, hotpotqa } = paths;
  const sets: DataSet[] = [];
  const add = (name: string, conversations: readonly Conversation[]) =>
    sets.push({ name, conversations });
  if (locomo !== undefined) add('LoCoMo', await readLocomo(locomo, audit, half));
  if (locomo !== undefined && locomoPlus !== undefined) {
    add('Locomo-Plus', await readLocomoPlus(locomoPlus, locomo, half));
  }
  for (const folder of beam?.split(',') ?? []) {
    const name = `BEAM ${folder.split('/').findLast((part) => part !== '') ?? ''}`;
    add(name, await readBeam(folder, { half, isUserOnly: false }));
    add(`${name}, user only`, await readBeam(folder, { half, isUserOnly: true }));
  }
  if (musique !== undefined) add('MuSiQue', await readMusique(musique));
  if (hotpotqa !== undefined) add('HotpotQA', await readHotpotqa(hotpotqa));
  return sets;
}

async function resultOf(
  { open }: Contender,
  conversations: readonly Conversation[],
): Promise<Result> {
  const scores: Score[] = [];
  let cpuMicros = 0;
  for (const { turns, questions } of conversations) {
    const ask = await open(turns);
    // Makes what an index makes when it is first asked.
    await ask(questions[0]?.text ?? 'first');
    for (const question of questions) {
      const before = process.cpuUsage();
      const found = await ask(question.text);
      const { user, system } = process.cpuUsage(before);
      cpuMicros += user + system;
      scores.push(scoreOf(question, found));
    }
    await ask[Symbol.asyncDispose]?.();
  }
  return { scores, cpuMs: cpuMicros / 1_000 };
}

const ALL = 'all';

function groupsOf(scores: readonly Score[]): [name: string, scores: readonly Score[]][] {
  const undisputed = scores.filter(({ isDisputed }) => !isDisputed);
  const categories = [...new Set(scores.map(({ category }) => category))].sort();
  return [
    [ALL, scores],
    ...(undisputed.length === scores.length
      ? []
      : [['without disputed ones', undisputed] as [string, readonly Score[]]]),
    ...(categories.length === 1 ? [] : categories).map((name): [string, readonly Score[]] => [
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
