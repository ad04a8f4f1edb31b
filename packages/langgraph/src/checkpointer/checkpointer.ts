/** The checkpointer: threads of a graph in the memory of an agent. */
import type { Agent, MemoryChangeInput, ScopedMemory, ScopeInput } from '@agentkeep/client';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
  type SerializerProtocol,
} from '@langchain/langgraph-checkpoint';
import { isOvertaken } from '../is-overtaken.js';
import { CheckpointReader } from './checkpoint-reader.js';
import { type CheckpointData, checkpointData, dataOf } from './checkpoint-record.js';
import { deleteRecords } from './delete-records.js';
import { KeptTexts } from './kept-text.js';
import { newRecord } from './new-record.js';
import { dumpWrites } from './pending-writes.js';
import {
  CHECKPOINT_TAG,
  checkpointName,
  configOf,
  keysOf,
  latestName,
  namespaceTag,
  requireThread,
  threadTag,
} from './thread-keys.js';
import { WriteLogs } from './write-log.js';

/** Where a checkpointer stores, and how. */
export interface AgentkeepCheckpointerOptions {
  /** The scope of all its threads. The agent needs a grant for it. */
  readonly scope: ScopeInput;
  /** Writes values as bytes. Default: the one of LangGraph, which writes JSON. */
  readonly serde?: SerializerProtocol | undefined;
}

/**
 * Stores the checkpoints of graphs in a scope of an agent, embedded or remote. A checkpoint becomes
 * visible as a whole, whatever its size, and processes that write to one thread at the same time
 * lose nothing. Errors of the agent are thrown on, as `AgentkeepError`.
 * @example
 * ```ts
 * import { AgentkeepCheckpointer } from '@agentkeep/langgraph';
 * import { inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
 * import { agentFor } from '@agentkeep/core/operator';
 * import { emptyCheckpoint } from '@langchain/langgraph-checkpoint';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const scope: ScopeInput = { project_id: 'p', agent_id: 'graph', visibility: 'shared' };
 * const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'graph', scopes: [scope] });
 *
 * const checkpointer = new AgentkeepCheckpointer(agent, { scope });
 * const thread = { configurable: { thread_id: 'ticket-4711' } };
 * const metadata = { source: 'input' as const, step: -1, parents: {} };
 * await checkpointer.put(thread, emptyCheckpoint(), metadata, {});
 * console.log((await checkpointer.getTuple(thread))?.metadata?.step); // -1
 * ```
 */
export class AgentkeepCheckpointer extends BaseCheckpointSaver {
  readonly #memory: ScopedMemory;
  readonly #logs: WriteLogs;
  readonly #reader: CheckpointReader;

  constructor(agent: Agent, options: AgentkeepCheckpointerOptions) {
    super(options.serde);
    this.#memory = agent.memory.in(options.scope);
    this.#logs = new WriteLogs(this.#memory);
    this.#reader = new CheckpointReader(this.#memory, this.#logs, {
      serde: this.serde,
      firstVersion: () => this.getNextVersion(undefined),
    });
  }

  /** Returns a checkpoint with its pending writes: that of the given id, or the latest one. */
  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    return this.#reader.read(keysOf(config));
  }

  /** Yields the checkpoints that match, those with the greatest ids, the latest ones, first. */
  override async *list(
    config: RunnableConfig,
    options: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    yield* this.#reader.list(keysOf(config), options);
  }

  /**
   * Stores a checkpoint. Values of channels without a new version are taken from its parent, so
   * that a long value that stays the same is stored once.
   */
  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions = checkpoint.channel_versions,
  ): Promise<RunnableConfig> {
    const thread = requireThread(config);
    const parentId = keysOf(config).checkpointId;
    const key = { ...thread, checkpointId: checkpoint.id };
    const tag = threadTag(thread.threadId);
    const texts = new KeptTexts(this.#memory, [tag]);
    const parent =
      parentId === undefined
        ? undefined
        : await this.#memory.get(await checkpointName({ ...thread, checkpointId: parentId }));
    const made = { key, parentId, checkpoint, metadata, newVersions };
    const data = await checkpointData(this.serde, texts, {
      ...made,
      parent: parent === undefined ? undefined : dataOf(parent),
    });
    await texts.storeParts();
    await this.#store(data, [tag, namespaceTag(thread.namespace), CHECKPOINT_TAG]);
    return configOf(key);
  }

  /** Stores the writes of a task on top of a checkpoint; a repetition changes nothing. */
  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = '',
  ): Promise<void> {
    const thread = requireThread(config);
    const { checkpointId } = keysOf(config);
    if (checkpointId === undefined) {
      throw new TypeError('Writes belong to a checkpoint: configurable.checkpoint_id is missing.');
    }
    const dumped = await dumpWrites(this.serde, writes, taskId, taskPath);
    if (dumped.length > 0) await this.#logs.append({ ...thread, checkpointId }, dumped);
  }

  /** Deletes all checkpoints and writes of a thread, in all namespaces. */
  override async deleteThread(threadId: string): Promise<void> {
    await deleteRecords(this.#memory, threadTag(threadId));
  }

  /** Stores a checkpoint and, if it is the latest one, says so, in one commit. */
  async #store(data: CheckpointData, tags: readonly string[]): Promise<void> {
    const { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpointId } = data;
    const name = await checkpointName({ threadId, namespace, checkpointId });
    const latest = await latestName({ threadId, namespace });
    const record = newRecord('checkpoint', data, tags);
    for (;;) {
      const commands: MemoryChangeInput[] = [{ type: 'put', name, record }];
      const current = await this.#memory.get(latest);
      const known = current?.payload.content.data as { checkpoint_id: string } | undefined;
      if (known === undefined || known.checkpoint_id < checkpointId) {
        commands.push({
          type: 'put',
          name: latest,
          record: newRecord('latest', { checkpoint_id: checkpointId }, [threadTag(threadId)]),
          expected_revision: current?.revision ?? 0,
        });
      }
      try {
        await this.#memory.batch(commands);
        return;
      } catch (error) {
        if (!isOvertaken(error)) throw error;
      }
    }
  }
}
