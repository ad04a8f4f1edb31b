/** `agentkeep memory get | list | search | history`: reads of one scope. */
import type { SearchFilterInput, SearchMatch, SearchOrder } from '@agentkeep/client';
import type { ClientCommand } from '../../command/command.js';
import { scopeFlags } from '../../command/scope-flags.js';
import { UsageError } from '../../command/usage-error.js';
import { cellOf, jsonLine, timeCell } from '../../output/printable.js';
import { tableOf } from '../../output/table.js';
import { withConnection } from '../connection.js';
import { timeOf } from '../../command/time-of.js';
import { printDocument } from '../operations/answer-text.js';
import { limitFlag, limitOf, tagFlag, typeFlag, typeOf } from './memory-flags.js';
import { recordIdOf, recordOf } from './record-target.js';
import { printRecords } from './record-text.js';

const ORDERS = ['most_words', 'rarest_words', 'best_words', 'newest', 'oldest'] as const;

const get: ClientCommand = {
  name: 'memory get',
  positionals: ['record'],
  summary: 'Show a record, by its id or its name.',
  description: ['Shows the current record, or what it was at a revision or at a time.'],
  isCall: true,
  hasJson: true,
  ownFlags: [
    ...scopeFlags,
    { name: 'revision', placeholder: '<number>', summary: 'An earlier revision.' },
    { name: 'as-of', placeholder: '<time>', summary: 'The revision that was current then.' },
  ],
  examples: ['agentkeep memory get handbook', 'agentkeep memory get handbook --revision 1 --json'],
  run: ({ io, flags, json, positionals: [target = ''] }) =>
    withConnection({ io, flags }, async ({ agent, scope }) => {
      const memory = agent.memory.in(scope());
      const [revision, time] = [flags.text('revision'), flags.text('as-of')];
      if (revision === undefined && time === undefined) {
        return printDocument(io, await recordOf(memory, target), json);
      }
      const record = await memory.read(await recordIdOf(memory, target), {
        ...(revision === undefined ? {} : { revision: revisionOf(revision) }),
        ...(time === undefined ? {} : { asOfMillis: timeOf(time, '--as-of') }),
      });
      return printDocument(io, record, json);
    }),
};

function revisionOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError(`--revision: ${JSON.stringify(text)} is not a revision.`);
}

const list: ClientCommand = {
  name: 'memory list',
  positionals: [],
  summary: 'List the records of a scope, in the order of their creation.',
  description: ['Lists the current records that have everything that the flags name.'],
  isCall: true,
  hasJson: true,
  ownFlags: [
    ...scopeFlags,
    { name: 'contains', placeholder: '<text>', summary: 'A text that the record contains.' },
    typeFlag,
    tagFlag,
    limitFlag,
  ],
  examples: ['agentkeep memory list --tag preference --limit 100'],
  run: ({ io, flags, json }) =>
    withConnection({ io, flags }, ({ agent, scope }) => {
      const [text, episodeType] = [flags.text('contains'), typeOf(flags)];
      const tags = [...flags.all('tag')];
      const records = agent.memory.in(scope()).query({
        ...(text === undefined ? {} : { text_contains: text }),
        ...(episodeType === undefined ? {} : { episode_type: episodeType }),
        ...(tags.length === 0 ? {} : { tags }),
      });
      return printRecords({ io, json }, records, limitOf(flags));
    }),
};

const search: ClientCommand = {
  name: 'memory search',
  positionals: ['words'],
  summary: 'Find records of a scope by their words.',
  description: ['Finds the records that have the words, those with most of them first.'],
  isCall: true,
  hasJson: true,
  ownFlags: [
    ...scopeFlags,
    {
      name: 'match',
      placeholder: '<which>',
      summary: 'Whether a record must have all words. Default: any.',
      choices: ['all', 'any'],
    },
    {
      name: 'order',
      placeholder: '<order>',
      summary: 'Default: most_words.',
      choices: ORDERS,
    },
    {
      name: 'explain',
      placeholder: '<record>',
      summary: 'Say why this record is found, or why not, instead of the records.',
    },
    typeFlag,
    tagFlag,
    limitFlag,
  ],
  examples: [
    "agentkeep memory search 'short answers' --match all",
    "agentkeep memory search 'short answers' --explain handbook",
  ],
  run: ({ io, flags, json, positionals: [text = ''] }) =>
    withConnection({ io, flags }, async ({ agent, scope }) => {
      const memory = agent.memory.in(scope());
      const episodeType = typeOf(flags);
      const tags = [...flags.all('tag')];
      const order: SearchOrder =
        ORDERS.find((each) => each === flags.text('order')) ?? 'most_words';
      const filter: SearchFilterInput = {
        words: { text, match: flags.text('match') === 'all' ? 'all' : 'any' },
        ...(episodeType === undefined ? {} : { episode_types: [episodeType] }),
        ...(tags.length === 0 ? {} : { tags: { all: tags } }),
      };
      const target = flags.text('explain');
      if (target === undefined) {
        return printRecords(
          { io, json },
          recordsOf(memory.search(filter, { order })),
          limitOf(flags),
        );
      }
      const explainRecord = await recordIdOf(memory, target);
      const page = await memory.searchPage(filter, { order, explainRecord, limit: 1 });
      return printDocument(io, page.record_explanation ?? {}, json);
    }),
};

async function* recordsOf(matches: AsyncIterable<SearchMatch>) {
  for await (const { record } of matches) yield record;
}

const history: ClientCommand = {
  name: 'memory history',
  positionals: ['record'],
  summary: 'List the revisions of a record, the newest first.',
  description: ['Lists who changed a record and when, also after it was deleted, by its id.'],
  isCall: true,
  hasJson: true,
  ownFlags: [...scopeFlags, limitFlag],
  examples: ['agentkeep memory history handbook'],
  run: ({ io, flags, json, positionals: [target = ''] }) =>
    withConnection({ io, flags }, async ({ agent, scope }) => {
      const memory = agent.memory.in(scope());
      const limit = limitOf(flags);
      const rows: string[][] = [];
      for await (const each of memory.history(await recordIdOf(memory, target))) {
        if (rows.length === limit) {
          io.writeError(`There are more: --limit shows more than ${limit}.\n`);
          break;
        }
        const { revision, modified_at_millis, author, payload } = each;
        if (json) await io.writeOut(jsonLine(each));
        rows.push([
          String(revision),
          timeCell(modified_at_millis),
          cellOf(author.subject_id),
          cellOf(payload?.content.primary),
        ]);
      }
      if (json) return;
      await io.writeOut(tableOf(['REVISION', 'CHANGED', 'BY', 'TEXT'], rows, io));
    }),
};

/** The commands that read memory, in the order of the help. */
export const memoryReads: readonly ClientCommand[] = [get, list, search, history];
