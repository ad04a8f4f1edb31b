/**
 * Changes of a knowledge graph. Each reads the records that it depends on, and commits all its
 * changes in one batch that is refused if another program changed those records first; then it
 * starts again. So concurrent programs lose no change. Where the scope requires review, the batch
 * waits as a proposal, and is not proposed again while an equal one waits.
 */
import {
  type Agent,
  AgentkeepError,
  type MemoryChangeInput,
  type MemoryRecord,
  type ScopedMemory,
  type ScopeInput,
} from '@agentkeep/client';
import type { ItemNames } from './graph-records.js';
import { waitsAlready } from './waiting-changes.js';

/** Most changes of one batch. */
const BATCH_MAX = 256;

/** Records that are read at once. */
const READS_AT_ONCE = 16;

/** Each refusal means that another program made progress. */
const ATTEMPTS = 64;

/** The records that a change would store, and its answer. */
export interface Plan<T> {
  readonly changes: readonly MemoryChangeInput[];
  readonly answer: T;
}

/** The outcome of a plan. */
export interface Committed<T> {
  readonly answer: T;
  /** Whether some of its changes are no memory yet, but wait for review. */
  readonly waits: boolean;
}

/** The scope in which a change is made, and who makes it. */
export interface GraphWriter {
  readonly agent: Agent;
  readonly scope: ScopeInput;
  readonly memory: ScopedMemory;
  readonly signal: AbortSignal;
}

/**
 * Plans and commits until no other change came in between.
 * @throws {AgentkeepError} `revision_conflict` if something always did.
 */
export async function commitPlan<T>(
  writer: GraphWriter,
  plan: () => Promise<Plan<T>>,
): Promise<Committed<T>> {
  const { memory, signal } = writer;
  let conflict: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { changes, answer } = await plan();
    try {
      let waits = false;
      for (let at = 0; at < changes.length; at += BATCH_MAX) {
        const some = changes.slice(at, at + BATCH_MAX);
        const isWaiting = await waitsAlready(writer, some);
        const receipt = isWaiting ? undefined : await memory.batch(some, { signal });
        waits ||= isWaiting || receipt?.proposal !== undefined;
      }
      return { answer, waits };
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      conflict = error;
    }
  }
  throw conflict;
}

/** Whether another change came first: of the record, or its deletion. */
function isOvertaken(error: unknown): boolean {
  if (!(error instanceof AgentkeepError)) return false;
  return error.code === 'revision_conflict' || error.code === 'record_not_found';
}

/** A record of the graph, and the name that it is stored under. */
export interface NamedRecord {
  readonly storedName: string;
  readonly record: MemoryRecord;
}

/** Reads the records of items, by the first of their names; one without a record is left out. */
export async function readNamed(
  { memory, signal }: GraphWriter,
  items: Iterable<ItemNames>,
): Promise<Map<string, NamedRecord>> {
  const found = new Map<string, NamedRecord>();
  const wanted = [...new Map([...items].map((names) => [names[0], names])).values()];
  for (let at = 0; at < wanted.length; at += READS_AT_ONCE) {
    const some = wanted.slice(at, at + READS_AT_ONCE);
    await Promise.all(
      some.map(async (names) => {
        for (const storedName of names) {
          const record = await memory.read({ name: storedName }, { signal });
          if (record === undefined) continue;
          found.set(names[0], { storedName, record });
          return;
        }
      }),
    );
  }
  return found;
}

/** Makes changes of many items in several commits, each of as many as a batch takes. */
export async function inSlices<T, R>(
  items: readonly T[],
  change: (some: readonly T[]) => Promise<Committed<readonly R[]>>,
): Promise<Committed<R[]>> {
  const answer: R[] = [];
  let waits = false;
  for (let at = 0; at < items.length; at += BATCH_MAX) {
    const done = await change(items.slice(at, at + BATCH_MAX));
    answer.push(...done.answer);
    waits ||= done.waits;
  }
  return { answer, waits };
}
