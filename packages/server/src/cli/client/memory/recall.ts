/** `agentkeep recall`: finds what answers a question. */
import type { MemoryRecord, Recollection } from '@agentkeep/client';
import type { ClientCommand } from '../../command/command.js';
import { scopeFlags } from '../../command/scope-flags.js';
import { UsageError } from '../../command/usage-error.js';
import { cellOf, jsonLine, timeCell } from '../../output/printable.js';
import { tableOf } from '../../output/table.js';
import { withConnection } from '../connection.js';
import { limitFlag, limitOf, numberOf } from './memory-flags.js';

const HEADER = ['TEXT', 'FOUND BY', 'EVENT TIME'];
const LANGUAGES = [
  ...(['english', 'german', 'french', 'spanish', 'portuguese'] as const),
  ...(['italian', 'dutch', 'russian', 'exact'] as const),
] as const;
const LIMIT_MAX = 100;

/** Prints the best answers first, each with the words that it was found by. */
export const recall: ClientCommand = {
  name: 'recall',
  positionals: ['question'],
  summary: 'Find what answers a question, the best answer first.',
  description: [
    'Finds the records that best have the words of the question, in all their forms, and shows ' +
      'which words they were found by. A server that makes embeddings finds them by meaning too.',
  ],
  isCall: true,
  hasJson: true,
  ownFlags: [
    ...scopeFlags,
    {
      name: 'language',
      placeholder: '<language>',
      summary: 'The language of the words. Default: english.',
      choices: LANGUAGES,
    },
    limitFlag,
    {
      name: 'bytes',
      placeholder: '<number>',
      summary: 'Most bytes of text in all. Default: no bound.',
    },
    {
      name: 'passage-bytes',
      placeholder: '<number>',
      summary: 'Most bytes of a text; of a longer one, its best passage. Default: 2000.',
    },
    {
      name: 'around',
      placeholder: '<number>',
      summary: 'Turns of the conversation to add before and after each. Default: 0.',
    },
  ],
  examples: ["agentkeep recall 'How should I answer Ann?' --limit 3"],
  run: async ({ io, flags, json, positionals: [question = ''] }) => {
    const limit = limitOf(flags);
    if (limit > LIMIT_MAX) throw new UsageError(`--limit: at most ${LIMIT_MAX}.`);
    await withConnection({ io, flags }, async ({ agent, scope }) => {
      const language = LANGUAGES.find((each) => each === flags.text('language')) ?? 'english';
      const bytes = numberOf(flags, 'bytes');
      const around = numberOf(flags, 'around');
      const passageBytes = numberOf(flags, 'passage-bytes');
      const options = { limit, language, bytes, passageBytes, around };
      const found = await agent.memory.in(scope()).recall(question, options);
      if (json) {
        for (const each of found) await io.writeOut(jsonLine(each));
        return;
      }
      const rows = found.flatMap(({ before = [], after = [], ...each }) => [
        ...before.map(rowOfTurn),
        rowOf(each.text, each.record, foundBy(each)),
        ...after.map(rowOfTurn),
      ]);
      await io.writeOut(
        rows.length === 0 ? 'None.\n' : tableOf(HEADER, rows, { ...io, longest: 0 }),
      );
    });
  },
};

/** Returns the words of a match; of one without any, what else it was found by. */
function foundBy({
  terms,
  distance,
  inPlaceOf,
}: Pick<Recollection, 'terms' | 'distance' | 'inPlaceOf'>): readonly string[] {
  if (terms.length > 0) return terms.map(({ text }) => text);
  if (inPlaceOf !== undefined) return ['(supersedes)'];
  return distance === undefined ? [] : ['(meaning)'];
}

function rowOfTurn(turn: MemoryRecord) {
  return rowOf(turn.payload.content.primary, turn);
}

function rowOf(text: string, { payload }: MemoryRecord, words: readonly string[] = []) {
  return [cellOf(text), cellOf(words), timeCell(payload.event_time_millis)];
}
