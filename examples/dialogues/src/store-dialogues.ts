/** Stores every turn and note as its speaker, with retryable commands. */
import type { ScopedMemory, QueryPage, Receipt, Scope } from '@agentkeep/core';
import type { Cast } from './cast.js';
import {
  type Intent,
  noteIntents,
  privateScope,
  sharedScope,
  turnIntent,
} from './dialogue-records.js';
import { forEachInFlight } from './for-each-in-flight.js';
import type { Progress } from './progress-bar.js';
import type { Conversation } from './read-dialogues.js';

/** Concurrent commands: enough to share disk flushes, few enough to limit the queue. */
const COMMANDS_IN_FLIGHT = 64;
/** Records per page while counting. */
const PAGE_RECORDS = 1_000;

/** Counts by kind of record. */
export interface RecordCount {
  readonly turns: number;
  readonly notes: number;
}

/** The result of one pass over the conversations. */
export interface StorePass {
  /** One receipt per intent, in the order of the intents. */
  readonly receipts: readonly Receipt[];
  readonly elapsedMs: number;
}

/** Returns everything to store, in order of the conversations. */
export function intentsOf(conversations: readonly Conversation[]): Intent[] {
  return conversations.flatMap((conversation) => [
    ...conversation.turns.map(turnIntent),
    ...noteIntents(conversation),
  ]);
}

/** Stores all intents; those stored before return their first receipts. */
export async function storeAll(
  cast: Cast,
  intents: readonly Intent[],
  progress: Progress,
): Promise<StorePass> {
  const receipts: Receipt[] = [];
  const startedMs = performance.now();
  await forEachInFlight(intents, COMMANDS_IN_FLIGHT, async (intent, index) => {
    const { conversation, speaker, scope, record, idempotencyKey } = intent;
    const { memory } = cast.speaker(conversation, speaker);
    receipts[index] = await memory.in(scope).create(record, { idempotencyKey });
    progress.advance();
  });
  const elapsedMs = performance.now() - startedMs;
  progress.finish();
  return { receipts, elapsedMs };
}

/** Counts the stored records by paging through every scope. */
export async function countRecords(
  cast: Cast,
  conversations: readonly Conversation[],
): Promise<RecordCount> {
  let turns = 0;
  let notes = 0;
  for (const { id, speakers } of conversations) {
    turns += await countScope(cast.reader.memory, sharedScope(id));
    for (const speaker of speakers) {
      notes += await countScope(cast.speaker(id, speaker).memory, privateScope(id));
    }
  }
  return { turns, notes };
}

async function countScope(memory: ScopedMemory, scope: Scope): Promise<number> {
  let count = 0;
  let after: string | null = null;
  do {
    const position: { after?: string } = after === null ? {} : { after };
    const page: QueryPage = await memory
      .in(scope)
      .queryPage({}, { limit: PAGE_RECORDS, ...position });
    count += page.records.length;
    after = page.next_after;
  } while (after !== null);
  return count;
}
