/** The checkpointer: threads of a graph in the memory of an agent. */
import type { Agent, ScopedMemory, ScopeInput } from '@agentkeep/client';
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
import { CheckpointReader } from './checkpoint-reader.js';
import { CheckpointValues } from './checkpoint-record.js';
import { CheckpointWriter } from './checkpoint-writer.js';
import { deleteRecords } from './delete-records.js';
import { dumpWrites } from './pending-writes.js';
import { ThreadPruner } from './prune-thread.js';
import { configOf, keysOf, requireThread, threadTag } from './thread-keys.js';
import { WriteLogs } from './write-log.js';

/** The scope and settings of a checkpointer. */
export interface AgentkeepCheckpointerOptions {
  /** The scope of all its threads. The agent needs a grant for it. */
  readonly scope: ScopeInput;
  /** Writes values as bytes. Default: the one of LangGraph, which writes JSON. */
  readonly serde?: SerializerProtocol | undefined;
}

/** The checkpoints that a prune keeps. */
export interface PruneOptions {
  /** Checkpoints that stay in each namespace of a thread, 1 or more. Default: 1. */
  readonly keep?: number | undefined;
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
 * const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes: [scope] });
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
  readonly #writer: CheckpointWriter;
  readonly #pruner: ThreadPruner;

  constructor(agent: Agent, options: AgentkeepCheckpointerOptions) {
    super(options.serde);
    this.#memory = agent.memory.in(options.scope);
    this.#logs = new WriteLogs(this.#memory);
    const values = new CheckpointValues(this.#memory, this.serde);
    this.#writer = new CheckpointWriter(this.#memory, this.serde);
    this.#pruner = new ThreadPruner(this.#memory, this.#logs, values);
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
    await this.#writer.put({ key, parentId, checkpoint, metadata, newVersions });
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

  /**
   * Deletes old checkpoints of threads with their writes, and returns how many. In each namespace,
   * the `keep` latest ones stay, and the ancestors that they need for channels that store their
   * changes only. A graph can no longer go back to the others.
   */
  async prune(threadIds: readonly string[], { keep = 1 }: PruneOptions = {}): Promise<number> {
    if (!Number.isInteger(keep) || keep < 1) {
      throw new TypeError('`keep` is the number of checkpoints that stay, 1 or more.');
    }
    let deleted = 0;
    for (const threadId of threadIds) deleted += await this.#pruner.prune(threadId, keep);
    return deleted;
  }
}
