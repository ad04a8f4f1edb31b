/** The writes that tasks have made on top of a checkpoint. */
import {
  type CheckpointPendingWrite,
  compareWritesSortKeys,
  type PendingWrite,
  type SerializerProtocol,
  WRITES_IDX_MAP,
  writesSortKey,
} from '@langchain/langgraph-checkpoint';
import { dump, type Dumped, load } from './dumped.js';

/** One write, as it is stored. */
export interface StoredWrite {
  readonly path: string;
  readonly task: string;
  /** The index among the writes of the task; below 0 for errors, interrupts and the like. */
  readonly index: number;
  readonly channel: string;
  readonly value: Dumped;
}

/** Serializes the writes of a task. */
export function dumpWrites(
  serde: SerializerProtocol,
  writes: readonly PendingWrite[],
  task: string,
  path: string,
): Promise<StoredWrite[]> {
  return Promise.all(
    writes.map(async ([channel, value], position) => {
      const index = Object.hasOwn(WRITES_IDX_MAP, channel) ? WRITES_IDX_MAP[channel] : undefined;
      return { path, task, index: index ?? position, channel, value: await dump(serde, value) };
    }),
  );
}

/**
 * Merges writes in the order in which they were stored. A task that runs again changes none of its
 * writes, but those below 0, whose last one counts.
 */
export function mergeWrites(stored: readonly StoredWrite[]): StoredWrite[] {
  const merged = new Map<string, StoredWrite>();
  for (const write of stored) {
    const key = JSON.stringify([write.task, write.index]);
    if (write.index < 0 || !merged.has(key)) merged.set(key, write);
  }
  const sortKey = ({ path, task, index }: StoredWrite) => writesSortKey(path, task, index);
  return [...merged.values()].sort((a, b) => compareWritesSortKeys(sortKey(a), sortKey(b)));
}

/** Returns writes as a graph reads them. */
export function loadWrites(
  serde: SerializerProtocol,
  writes: readonly StoredWrite[],
): Promise<CheckpointPendingWrite[]> {
  return Promise.all(
    writes.map(async ({ task, channel, value }): Promise<CheckpointPendingWrite> => {
      return [task, channel, await load(serde, value)];
    }),
  );
}
