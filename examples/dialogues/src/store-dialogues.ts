/**
 * Stores every turn and every note, each by its speaker, by commands that may be repeated.
 * @module
 */
import type { MemoryClient, QueryPage, Receipt, Scope } from '@agentkeep/core';
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

/** Commands that run at once: enough to share the flushes of the disk, few enough to hold back. */
const COMMANDS_IN_FLIGHT = 64;
/** Records of a page when records are counted. */
const PAGE_RECORDS = 1_000;

/** Records of one kind or the other. */
export interface RecordCount {
  readonly turns: number;
  readonly notes: number;
}

/** What one pass over the conversations did. */
export interface StorePass {
  /** A receipt for each intent, in order of the intents. */
  readonly receipts: readonly Receipt[];
  readonly elapsedMs: number;
}

/** All that is to be stored, in order of the conversations. */
export function intentsOf(conversations: readonly Conversation[]): Intent[] {
  return conversations.flatMap((conversation) => [
    ...conversation.turns.map(turnIntent),
    ...noteIntents(conversation),
  ]);
}

/** Stores what is not there yet; what is there answers with the receipt that it was stored with. */
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
    receipts[index] = await memory.create(scope, record, { idempotencyKey });
    progress.advance();
  });
  const elapsedMs = performance.now() - startedMs;
  progress.finish();
  return { receipts, elapsedMs };
}

/** Counts what is stored, by going through every page of every scope. */
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

async function countScope(memory: MemoryClient, scope: Scope): Promise<number> {
  let count = 0;
  let after: string | null = null;
  do {
    const position: { after?: string } = after === null ? {} : { after };
    const page: QueryPage = await memory.queryPage(scope, { limit: PAGE_RECORDS, ...position });
    count += page.records.length;
    after = page.next_after;
  } while (after !== null);
  return count;
}
