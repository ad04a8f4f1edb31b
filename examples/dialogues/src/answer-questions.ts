/** Queries the memory for the conversations: one scope as a speaker, all scopes as the reader. */
import type { Agent, MemoryRecord, QueryFilterInput } from '@agentkeep/core';
import type { Cast } from './cast.js';
import { sessionTag, sharedScope, speakerOf, speakerTag } from './dialogue-records.js';
import { forEachInFlight } from './for-each-in-flight.js';
import type { Conversation } from './read-dialogues.js';

/** Scopes queried concurrently. */
const SCOPES_IN_FLIGHT = 8;
/** Records per page. Answers are complete with any page size. */
const PAGE_RECORDS = 200;

/** A question about the conversations. */
export interface Question {
  readonly label: string;
  /** The subject that asks: a speaker, or `null` for the reader. */
  readonly speaker: string | null;
  /** Ids of the conversations to search. */
  readonly conversations: readonly string[];
  readonly filter: QueryFilterInput;
}

/** A turn as the memory returned it. */
export interface FoundTurn {
  readonly conversation: string;
  readonly turn: string;
  readonly speaker: string;
  readonly atMillis: number;
  readonly text: string;
}

/** The turns found, in order of conversation and time, and the duration. */
export interface Answer {
  readonly question: Question;
  readonly found: readonly FoundTurn[];
  readonly elapsedMs: number;
}

/** Two questions for the first conversation, and one per word across all conversations. */
export function questionsFor(
  conversations: readonly Conversation[],
  words: readonly string[],
): Question[] {
  const all = conversations.map(({ id }) => id);
  const across = words.map((word) => ({
    label: `"${word}" in all conversations`,
    speaker: null,
    conversations: all,
    filter: { text_contains: word },
  }));
  const [first] = conversations;
  const [opening] = first?.turns ?? [];
  if (first === undefined || opening === undefined) return across;
  const { session, speaker } = opening;
  const within = { speaker, conversations: [first.id] };
  const inFirst = words.slice(0, 1).map((word) => ({
    ...within,
    label: `"${word}" in ${first.id}`,
    filter: { text_contains: word },
  }));
  const ofSpeaker = {
    ...within,
    label: `what ${speaker} said in session ${session} of ${first.id}`,
    filter: { tags: [sessionTag(session), speakerTag(speaker)] },
  };
  return [...inFirst, ofSpeaker, ...across];
}

/** Finds all turns that match a question. */
export async function answer(cast: Cast, question: Question): Promise<Answer> {
  const { speaker, conversations, filter } = question;
  const found: FoundTurn[][] = [];
  const startedMs = performance.now();
  await forEachInFlight(conversations, SCOPES_IN_FLIGHT, async (conversation, index) => {
    const asking = speaker === null ? cast.reader : cast.speaker(conversation, speaker);
    found[index] = await findTurns(asking, conversation, filter);
  });
  return { question, found: found.flat(), elapsedMs: performance.now() - startedMs };
}

async function findTurns(
  { memory }: Agent,
  conversation: string,
  filter: QueryFilterInput,
): Promise<FoundTurn[]> {
  const found: FoundTurn[] = [];
  const matches = memory.in(sharedScope(conversation)).query(filter, { limit: PAGE_RECORDS });
  for await (const record of matches) found.push(foundTurn(conversation, record));
  // Records are returned in order of storing, which is not the order of time.
  return found.sort((one, other) => one.atMillis - other.atMillis);
}

function foundTurn(conversation: string, { author, payload }: MemoryRecord): FoundTurn {
  return {
    conversation,
    turn: String(payload.metadata['turn']),
    speaker: speakerOf(conversation, author.subject_id),
    atMillis: payload.event_time_millis,
    text: payload.content.primary,
  };
}
