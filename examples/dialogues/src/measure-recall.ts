/** Measures how many of the turns that answer a question are among the first 10 that are found. */
import { readFile } from 'node:fs/promises';
import {
  type Embed,
  inMemoryStore,
  type ScopedMemory,
  openKeep,
  type ScopeInput,
  type SearchFilterInput,
} from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { sharedScope, turnIntent } from './dialogue-records.js';
import type { Conversation } from './read-dialogues.js';

/** The questions that ship with the example. */
export const questionsFile = new URL('../questions.jsonl', import.meta.url);

const FIRST = 10;

/** A question about one conversation, and the names of the turns that answer it. */
export interface Question {
  readonly conversation: string;
  readonly question: string;
  readonly turns: readonly string[];
}

/** A way to search, and what it finds of the turns that answer, on average over all questions. */
export interface Recall {
  readonly way: string;
  /** From 0 to 1. */
  readonly recall: number;
}

/** Reads questions, one a line. */
export async function readQuestions(path: string | URL): Promise<Question[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => JSON.parse(line) as Question);
}

type Way = (memory: ScopedMemory, asked: Question) => Promise<readonly string[]>;

const ways: readonly (readonly [name: string, way: Way])[] = [
  ['substring: the longest word of the question', bySubstring],
  ['words: `most_words`', byWords],
  ['vectors: `nearest`', byVector],
  ['both: `hybrid`', byBoth],
];

/**
 * Stores conversations in memory, embeds them, and asks the questions about them in each way.
 * Questions about other conversations are left out.
 */
export async function measureRecall(
  conversations: readonly Conversation[],
  questions: readonly Question[],
  embed: Embed,
): Promise<{ readonly questions: number; readonly ways: readonly Recall[] }> {
  await using keep = await openKeep({ store: inMemoryStore(), embed });
  const scopes = conversations.map(({ id }) => sharedScope(id));
  const { memory } = await agentFor(keep, { tenantId: 'recall', subjectId: 'reader', scopes });
  for (const { id, turns } of conversations) {
    const records = turns.map((turn) => turnIntent(turn).record);
    for await (const { outcomes } of memory.in(sharedScope(id)).createMany(records)) {
      if (outcomes.length > 0) await memory.embedded();
    }
  }
  const known = new Set(conversations.map(({ id }) => id));
  const asked = questions.filter(({ conversation }) => known.has(conversation));
  const measured: Recall[] = [];
  for (const [way, search] of ways) {
    let sum = 0;
    for (const question of asked) {
      const found = new Set(await search(memory, question));
      const { turns } = question;
      sum += turns.filter((turn) => found.has(turn)).length / turns.length;
    }
    measured.push({ way, recall: asked.length === 0 ? 0 : sum / asked.length });
  }
  return { questions: asked.length, ways: measured };
}

function bySubstring(memory: ScopedMemory, { conversation, question }: Question) {
  const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
  const [longest = ''] = words.toSorted((one, other) => other.length - one.length);
  return firstOf(memory, conversation, { text_contains: longest });
}

function byWords(memory: ScopedMemory, { conversation, question }: Question) {
  const words = { text: wordsOf(question), match: 'any' } as const;
  return firstOf(memory, conversation, { words }, { order: 'most_words' });
}

function byVector(memory: ScopedMemory, { conversation, question }: Question) {
  const options = { order: 'nearest', vector: { text: question } } as const;
  return firstOf(memory, conversation, {}, options);
}

function byBoth(memory: ScopedMemory, { conversation, question }: Question) {
  const words = { text: wordsOf(question), match: 'any' } as const;
  return firstOf(memory, conversation, {}, {
    order: 'hybrid',
    words,
    vector: { text: question },
  } as const);
}

/** A quote would make a phrase, and a star a prefix. */
function wordsOf(question: string): string {
  return question.replaceAll(/["*]/gu, ' ');
}

/** Returns the turns of the first records that are found. */
async function firstOf(
  memory: ScopedMemory,
  conversation: string,
  filter: SearchFilterInput,
  options: Parameters<ScopedMemory['searchPage']>[1] = {},
): Promise<readonly string[]> {
  const scope: ScopeInput = sharedScope(conversation);
  const { matches } = await memory.in(scope).searchPage(filter, { ...options, limit: FIRST });
  return matches.map(({ record }) => String(record.payload.metadata['turn']));
}
