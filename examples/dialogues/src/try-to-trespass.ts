/** Tries to read records of others in every way that the cast's credentials allow to try. */
import { AgentkeepError, type MemoryRecord } from '@agentkeep/core';
import type { Cast } from './cast.js';
import { privateScope, sharedScope, subjectOf } from './dialogue-records.js';
import type { Conversation } from './read-dialogues.js';

/** One kind of attempt, with the count of each outcome. */
export interface Trespass {
  readonly label: string;
  readonly attempts: number;
  /** Attempts that returned a record of someone else. Must be 0. */
  readonly leaks: number;
  /** Error codes, or `nothing` for a response without a record, with their counts. */
  readonly outcomes: Readonly<Record<string, number>>;
}

interface Somebody {
  readonly conversation: string;
  readonly speaker: string;
}

/** Runs all attempts and returns their outcomes. */
export async function tryToTrespass(
  cast: Cast,
  conversations: readonly Conversation[],
): Promise<Trespass[]> {
  const people = conversations.flatMap(({ id, speakers }) =>
    speakers.map((speaker) => ({ conversation: id, speaker })),
  );
  const reads = new Tally('reading the private note of another speaker, by its id');
  const searches = new Tally('finding private notes of another speaker, by a query');
  const strangers = new Tally('asking a conversation that one takes no part in');
  const reader = new Tally('asking for private notes as the reader of all conversations');
  for (const one of people) {
    await searches.count(() => foreignNotes(cast, one));
    await reader.count(() => take(cast.reader.memory.in(privateScope(one.conversation)).query()));
    for (const other of people) {
      if (one === other) continue;
      if (one.conversation === other.conversation)
        await reads.count(() => readNote(cast, one, other));
      else await strangers.count(() => askStranger(cast, one, other.conversation));
    }
  }
  return [reads, searches, strangers, reader].map((tally) => tally.result);
}

/** Queries one's private scope for notes written by others. */
async function foreignNotes(cast: Cast, { conversation, speaker }: Somebody) {
  const own = subjectOf(conversation, speaker);
  const notes = await take(
    cast.speaker(conversation, speaker).memory.in(privateScope(conversation)).query(),
  );
  return notes.filter(({ author }) => author.subject_id !== own);
}

/** Reads an existing note of another speaker in the scope of the same name. */
async function readNote(cast: Cast, one: Somebody, other: Somebody) {
  const scope = privateScope(one.conversation);
  const theirs = cast.speaker(other.conversation, other.speaker).memory;
  const { records } = await theirs.in(scope).queryPage({}, { limit: 1 });
  const [note] = records;
  if (note === undefined) throw new Error(`${other.speaker} has no note in ${other.conversation}.`);
  return [await cast.speaker(one.conversation, one.speaker).memory.in(scope).read(note.record_id)];
}

function askStranger(cast: Cast, { conversation, speaker }: Somebody, foreign: string) {
  return take(cast.speaker(conversation, speaker).memory.in(sharedScope(foreign)).query());
}

async function take(records: AsyncIterable<MemoryRecord>): Promise<MemoryRecord[]> {
  const taken: MemoryRecord[] = [];
  for await (const record of records) taken.push(record);
  return taken;
}

/** Counts the outcomes of one kind of attempt. */
class Tally {
  readonly #label: string;
  readonly #outcomes = new Map<string, number>();
  #leaks = 0;

  constructor(label: string) {
    this.#label = label;
  }

  async count(attempt: () => Promise<readonly MemoryRecord[]>): Promise<void> {
    let outcome: string;
    try {
      const records = await attempt();
      if (records.length > 0) this.#leaks += 1;
      outcome = records.length > 0 ? 'records' : 'nothing';
    } catch (error) {
      if (!(error instanceof AgentkeepError)) throw error;
      outcome = error.code;
    }
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
  }

  get result(): Trespass {
    const counts = [...this.#outcomes.values()];
    return {
      label: this.#label,
      attempts: counts.reduce((sum, count) => sum + count, 0),
      leaks: this.#leaks,
      outcomes: Object.fromEntries(this.#outcomes),
    };
  }
}
