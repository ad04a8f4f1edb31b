/** Remembering and recalling: the two tools that are enough for most uses. */
import type { MemoryRecord, Recollection, ScopeInput } from '@agentkeep/client';
import { anyObject, integer, listOf, objectOf, text } from '../json-schema.js';
import { idempotencyKey } from './documents.js';
import { receiptAnswer } from './review-tools.js';
import { defineTool, memoryOf, type Tool } from './tool.js';

interface RememberArguments {
  readonly scope?: ScopeInput;
  readonly text: string;
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly idempotency_key?: string;
}

const remember: Tool = defineTool<RememberArguments>({
  name: 'memory_remember',
  title: 'Remember',
  description:
    'Stores a text. With a name, such as "customers/ann", replaces the text of that name.',
  effect: 'changes',
  isIdempotent: false,
  capabilities: ['memory_write'],
  scopeArgument: 'scope',
  input: objectOf(
    {
      text: text(),
      name: text(),
      tags: listOf(text()),
      metadata: anyObject(),
      idempotency_key: idempotencyKey,
    },
    ['text'],
  ),
  renamings: [
    [/^operation\.record\.content\.primary$/, 'text'],
    [/^operation\.(?:record\.)?/, ''],
  ],
  run: async (given, call) => {
    const { name, tags, metadata, idempotency_key: idempotencyKey = call.key } = given;
    const options = { name, tags, metadata, idempotencyKey, signal: call.signal };
    const memory = await memoryOf(given, call);
    return receiptAnswer(await memory.remember(given.text, options));
  },
});

interface RecallArguments {
  readonly scope?: ScopeInput;
  readonly question: string;
  readonly limit?: number;
  readonly bytes?: number;
  readonly around?: number;
}

const recall: Tool = defineTool<RecallArguments>({
  name: 'memory_recall',
  title: 'Recall',
  description:
    'Finds what memory has on a question, the best first. The tool to use for finding anything.',
  effect: 'reads',
  isIdempotent: true,
  capabilities: ['memory_read'],
  scopeArgument: 'scope',
  input: objectOf(
    {
      question: text('In your own words.'),
      limit: integer('Default: 10.', { minimum: 1, maximum: 100 }),
      bytes: integer('Most bytes of text in all.', { minimum: 1 }),
      around: integer('Turns of the conversation to add on each side.', {
        minimum: 0,
        maximum: 20,
      }),
    },
    ['question'],
  ),
  renamings: [
    [/^(?:filter\.)?words\.text$/, 'question'],
    [/^scopes\[0\]/, 'scope'],
  ],
  run: async (given, call) => {
    const { limit, bytes, around, question } = given;
    const memory = await memoryOf(given, call);
    const found = await memory.recall(question, { limit, bytes, around, signal: call.signal });
    return { memories: found.map(recalled) };
  },
});

/** Shows what was recalled in few words; `memory_get` has the whole record. */
function recalled({ text: stored, record, terms, nearby, ...beside }: Recollection) {
  const { before, after, inPlaceOf } = beside;
  const { record_id, revision, name, payload } = record;
  const { tags, metadata, event_time_millis } = payload;
  return {
    text: stored,
    ...(name === undefined ? {} : { name }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    event_time_millis,
    record_id,
    revision,
    words: [...terms, ...nearby].map((term) => term.text),
    ...(inPlaceOf === undefined ? {} : { in_place_of: inPlaceOf }),
    ...(before === undefined ? {} : { before: before.map(textOf), after: after?.map(textOf) }),
  };
}

function textOf({ payload }: MemoryRecord): string {
  return payload.content.primary;
}

/** The tools for remembering and recalling. */
export const recallTools: readonly Tool[] = [recall, remember];
