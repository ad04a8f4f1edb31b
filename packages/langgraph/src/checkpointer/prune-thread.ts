/** Deletes old checkpoints of a thread, and the records that only they need. */
import type { MemoryRecord, ScopedMemory } from '@agentkeep/client';
import { isOvertaken } from '../is-overtaken.js';
import {
  type CheckpointData,
  type CheckpointValues,
  dataOf,
  partsIn,
} from './checkpoint-record.js';
import { removeAll } from './delete-records.js';
import {
  CHECKPOINT_TAG,
  checkpointName,
  latestName,
  namespaceTag,
  type ThreadKey,
  threadTag,
} from './thread-keys.js';
import { type WriteLogs } from './write-log.js';

/** Checkpoints that one commit deletes, each with its writes, beside the record of the latest. */
const ROUND_MAX = 127;

/** Since this version of the format, a checkpoint needs no writes of its parent. */
const FORMAT_WITHOUT_PARENT = 4;

/** Prunes threads of one scope. */
export class ThreadPruner {
  readonly #memory: ScopedMemory;
  readonly #logs: WriteLogs;
  readonly #values: CheckpointValues;

  constructor(memory: ScopedMemory, logs: WriteLogs, values: CheckpointValues) {
    this.#memory = memory;
    this.#logs = logs;
    this.#values = values;
  }

  /** Returns how many checkpoints were deleted, in all namespaces of the thread. */
  async prune(threadId: string, keep: number): Promise<number> {
    const all = await this.#checkpoints([threadTag(threadId)]);
    let deleted = 0;
    for (const namespace of new Set(all.map(({ checkpoint_ns: each }) => each))) {
      for (;;) {
        const count = await this.#pruneSome({ threadId, namespace }, keep);
        if (count === 0) break;
        deleted += count ?? 0;
      }
    }
    return deleted;
  }

  /**
   * Deletes some checkpoints; returns `undefined` if another writer was faster. Every put changes
   * the record of the latest checkpoint, so none of them can build on a deleted one.
   */
  async #pruneSome(thread: ThreadKey, keep: number): Promise<number | undefined> {
    const latest = await this.#memory.read({ name: await latestName(thread) });
    const tags = [threadTag(thread.threadId), namespaceTag(thread.namespace)];
    const all = await this.#checkpoints(tags);
    const kept = await this.#needed(all, keep);
    const old = all.filter((data) => !kept.has(data)).slice(-ROUND_MAX);
    if (latest === undefined || old.length === 0) return 0;
    const keys = old.map(({ checkpoint_id: checkpointId }) => ({ ...thread, checkpointId }));
    const logs = await Promise.all(keys.map((key) => this.#logs.stored(key)));
    const names = await Promise.all(keys.map(checkpointName));
    try {
      await this.#memory.batch([
        ...[...names, ...logs.flatMap(({ names }) => names)].map(removal),
        putAgain(latest),
      ]);
    } catch (error) {
      if (isOvertaken(error)) return undefined;
      throw error;
    }
    const needed = new Set(all.filter((data) => !old.includes(data)).flatMap(partsIn));
    const parts = new Set([...old.flatMap(partsIn), ...logs.flatMap(({ parts }) => parts)]);
    await removeAll(
      this.#memory,
      [...parts].filter((name) => !needed.has(name)),
    );
    return old.length;
  }

  /** Returns the checkpoints with some tags, the greatest id first. */
  async #checkpoints(tags: readonly string[]): Promise<CheckpointData[]> {
    const all: CheckpointData[] = [];
    for await (const record of this.#memory.query({ tags: [CHECKPOINT_TAG, ...tags] })) {
      all.push(dataOf(record));
    }
    return all.sort((a, b) => (a.checkpoint_id < b.checkpoint_id ? 1 : -1));
  }

  /**
   * Returns the latest ones, and their ancestors as far as they need them: the value of a channel
   * that a checkpoint lacks is made of the writes since the last ancestor that has one.
   */
  async #needed(all: readonly CheckpointData[], keep: number): Promise<Set<CheckpointData>> {
    const byId = new Map(all.map((data) => [data.checkpoint_id, data]));
    const needed = new Set<CheckpointData>();
    for (const tip of all.slice(0, keep)) {
      const head = await this.#values.head(tip);
      const { counters_since_delta_snapshot: counters = {} } =
        (await this.#values.metadata(tip)) ?? {};
      const versions = Object.keys(head?.channel_versions ?? {});
      const lacked = new Set([...versions.filter(isLasting), ...Object.keys(counters)]);
      let isOpen = (head?.v ?? 0) < FORMAT_WITHOUT_PARENT;
      for (let at: CheckpointData | undefined = tip; at !== undefined;) {
        needed.add(at);
        for (const { channel } of at.channels) lacked.delete(channel);
        if (lacked.size === 0 && !isOpen) break;
        isOpen = false;
        at = at.parent_id === null ? undefined : byId.get(at.parent_id);
      }
    }
    return needed;
  }
}

/** Whether a channel may have a value for more than one step. */
function isLasting(channel: string): boolean {
  return !/^(?:__start__$|__pregel_|branch:to:)/.test(channel);
}

function removal(name: string) {
  return { type: 'remove' as const, name };
}

/** Returns the command that makes a new revision of a record with the same content. */
function putAgain({ name = '', revision, payload: record }: MemoryRecord) {
  return { type: 'put' as const, name, record, expected_revision: revision };
}
