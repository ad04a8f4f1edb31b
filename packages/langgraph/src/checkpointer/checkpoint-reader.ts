/** Reads checkpoints: one by its id, the latest one, or many. */
import type { ScopedMemory } from '@agentkeep/client';
import {
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointTuple,
  maxChannelVersion,
  type SerializerProtocol,
  TASKS,
} from '@langchain/langgraph-checkpoint';
import { type CheckpointData, CheckpointValues, dataOf } from './checkpoint-record.js';
import { loadWrites, mergeWrites, type StoredWrite } from './pending-writes.js';
import {
  CHECKPOINT_TAG,
  checkpointName,
  configOf,
  type ConfiguredKeys,
  keysOf,
  latestName,
  namespaceTag,
  type ThreadKey,
  threadTag,
} from './thread-keys.js';
import type { WriteLogs } from './write-log.js';

/** The checkpointer's settings for values. */
interface ReadSettings {
  readonly serde: SerializerProtocol;
  readonly firstVersion: () => number;
}

/** Records of a page of a list. */
const PAGE_RECORDS = 100;

/** Since this version of the format, tasks that are sent are no longer writes of the parent. */
const FORMAT_WITH_TASKS = 4;

/** Reads of one scope. */
export class CheckpointReader {
  readonly #memory: ScopedMemory;
  readonly #logs: WriteLogs;
  readonly #settings: ReadSettings;
  readonly #values: CheckpointValues;

  constructor(memory: ScopedMemory, logs: WriteLogs, settings: ReadSettings) {
    this.#memory = memory;
    this.#logs = logs;
    this.#settings = settings;
    this.#values = new CheckpointValues(memory, settings.serde);
  }

  /** Returns the configured checkpoint, or the latest one of its thread. */
  async read({
    threadId,
    namespace = '',
    checkpointId,
  }: ConfiguredKeys): Promise<CheckpointTuple | undefined> {
    if (threadId === undefined) return undefined;
    const thread = { threadId, namespace };
    const id = checkpointId ?? (await this.#latestId(thread));
    if (id === undefined) return undefined;
    const record = await this.#memory.read({
      name: await checkpointName({ ...thread, checkpointId: id }),
    });
    return record === undefined ? undefined : this.#tuple(dataOf(record));
  }

  /** Yields the checkpoints that match, the greatest id first. */
  async *list(
    keys: ConfiguredKeys,
    options: CheckpointListOptions,
  ): AsyncGenerator<CheckpointTuple> {
    for (const data of await this.#matching(keys, options)) {
      const tuple = await this.#tuple(data);
      if (tuple !== undefined) yield tuple;
    }
  }

  async #latestId(thread: ThreadKey): Promise<string | undefined> {
    const record = await this.#memory.read({ name: await latestName(thread) });
    const data = record?.payload.content.data as { readonly checkpoint_id: string } | undefined;
    return data?.checkpoint_id;
  }

  /** Returns the data of those that match, at most `limit` of them. */
  async #matching(
    { threadId, namespace, checkpointId }: ConfiguredKeys,
    { limit = Infinity, before, filter = {} }: CheckpointListOptions,
  ): Promise<CheckpointData[]> {
    if (limit <= 0) return [];
    const tags = [
      CHECKPOINT_TAG,
      ...(threadId === undefined ? [] : [threadTag(threadId)]),
      ...(namespace === undefined ? [] : [namespaceTag(namespace)]),
    ];
    const end = before === undefined ? undefined : keysOf(before).checkpointId;
    const conditions = Object.entries(filter);
    let found: CheckpointData[] = [];
    for await (const record of this.#memory.query({ tags }, { limit: PAGE_RECORDS })) {
      const data = dataOf(record);
      const id = data.checkpoint_id;
      if (checkpointId !== undefined && id !== checkpointId) continue;
      if (end !== undefined && id >= end) continue;
      if (conditions.length > 0 && !(await this.#meets(data, conditions))) continue;
      found.push(data);
      if (found.length >= 2 * limit) found = latestFirst(found).slice(0, limit);
    }
    return latestFirst(found).slice(0, limit);
  }

  async #meets(data: CheckpointData, conditions: readonly [string, unknown][]): Promise<boolean> {
    const metadata = (await this.#values.metadata(data)) as Record<string, unknown> | undefined;
    return conditions.every(([member, value]) => metadata?.[member] === value);
  }

  /** Returns the tuple, or `undefined` where the thread is being deleted. */
  async #tuple(data: CheckpointData): Promise<CheckpointTuple | undefined> {
    const { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpointId } = data;
    const thread = { threadId, namespace };
    const [checkpoint, metadata, writes] = await Promise.all([
      this.#values.checkpoint(data),
      this.#values.metadata(data),
      this.#writes({ ...thread, checkpointId }),
    ]);
    if (checkpoint === undefined || metadata === undefined) return undefined;
    const parentId = data.parent_id ?? undefined;
    if (parentId !== undefined && checkpoint.v < FORMAT_WITH_TASKS) {
      await this.#addSentTasks(checkpoint, { ...thread, checkpointId: parentId });
    }
    return {
      config: configOf({ ...thread, checkpointId }),
      checkpoint,
      metadata,
      pendingWrites: await loadWrites(this.#settings.serde, writes),
      ...(parentId === undefined
        ? {}
        : { parentConfig: configOf({ ...thread, checkpointId: parentId }) }),
    };
  }

  async #writes(key: Parameters<WriteLogs['read']>[0]): Promise<StoredWrite[]> {
    return mergeWrites(await this.#logs.read(key));
  }

  /** Gives a checkpoint of an old format the tasks that were sent: writes of its parent. */
  async #addSentTasks(
    checkpoint: Checkpoint,
    parent: Parameters<WriteLogs['read']>[0],
  ): Promise<void> {
    const sent = (await this.#writes(parent)).filter(({ channel }) => channel === TASKS);
    const loaded = await loadWrites(this.#settings.serde, sent);
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_values[TASKS] = loaded.map(([, , value]) => value);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.#settings.firstVersion();
  }
}

function latestFirst(found: readonly CheckpointData[]): CheckpointData[] {
  return found.toSorted((a, b) => (a.checkpoint_id < b.checkpoint_id ? 1 : -1));
}
