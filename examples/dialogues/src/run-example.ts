/** The example itself: the same code for agents in process and over HTTP. */
import { type Answer, answer, questionsFor } from './answer-questions.js';
import { Cast } from './cast.js';
import type { KeepAccess } from './keep-access.js';
import type { Progress } from './progress-bar.js';
import type { Conversation } from './read-dialogues.js';
import { countRecords, intentsOf, type RecordCount, storeAll } from './store-dialogues.js';
import { type Trespass, tryToTrespass } from './try-to-trespass.js';

/** What to ask, and where to show progress. */
export interface ExampleOptions {
  readonly words: readonly string[];
  readonly progress: (label: string, total: number) => Progress;
}

/** The result of one pass over all commands, with the record count after it. */
export interface PassOutcome {
  readonly commands: number;
  readonly stored: RecordCount;
  readonly elapsedMs: number;
}

/** The results of a run. */
export interface ExampleOutcome {
  readonly conversations: number;
  readonly speakers: number;
  /** The records that the file should produce. */
  readonly expected: RecordCount;
  /** The records left by earlier runs. */
  readonly before: RecordCount;
  readonly first: PassOutcome;
  readonly second: PassOutcome;
  /** Whether the second pass got the same receipts as the first. */
  readonly hasSameReceipts: boolean;
  readonly answers: readonly Answer[];
  readonly trespasses: readonly Trespass[];
}

/** Stores the conversations twice, queries them, and tries to read private records. */
export async function runExample(
  access: KeepAccess,
  conversations: readonly Conversation[],
  { words, progress }: ExampleOptions,
): Promise<ExampleOutcome> {
  await using cast = new Cast(access);
  await cast.issueFor(conversations);
  const intents = intentsOf(conversations);
  const turns = conversations.reduce((sum, conversation) => sum + conversation.turns.length, 0);

  const before = await countRecords(cast, conversations);
  const first = await storeAll(cast, intents, progress('storing', intents.length));
  const afterFirst = await countRecords(cast, conversations);
  const second = await storeAll(cast, intents, progress('storing again', intents.length));
  const afterSecond = await countRecords(cast, conversations);

  const answers: Answer[] = [];
  for (const question of questionsFor(conversations, words)) {
    answers.push(await answer(cast, question));
  }
  return {
    conversations: conversations.length,
    speakers: conversations.reduce((sum, { speakers }) => sum + speakers.length, 0),
    expected: { turns, notes: intents.length - turns },
    before,
    first: { commands: intents.length, stored: afterFirst, elapsedMs: first.elapsedMs },
    second: { commands: intents.length, stored: afterSecond, elapsedMs: second.elapsedMs },
    hasSameReceipts: JSON.stringify(first.receipts) === JSON.stringify(second.receipts),
    answers,
    trespasses: await tryToTrespass(cast, conversations),
  };
}

/** Returns one sentence per failed check; none for a sound run. */
export function complaintsOf(outcome: ExampleOutcome): string[] {
  const { expected, first, second, hasSameReceipts, trespasses } = outcome;
  const leaks = trespasses.filter((trespass) => trespass.leaks > 0);
  return [
    ...(isSame(first.stored, expected) ? [] : ['What is stored is not what the file holds.']),
    ...(isSame(second.stored, first.stored) ? [] : ['The second pass changed what is stored.']),
    ...(hasSameReceipts ? [] : ['The second pass got other receipts than the first.']),
    ...leaks.map(({ label }) => `Records were given away: ${label}.`),
  ];
}

function isSame(one: RecordCount, other: RecordCount): boolean {
  return one.turns === other.turns && one.notes === other.notes;
}
