/** Writes checkpoints, each with its long values and the note of the latest checkpoint. */
import type { MemoryChangeInput, MemoryRecord, ScopedMemory } from '@agentkeep/client';
import type { SerializerProtocol } from '@langchain/langgraph-checkpoint';
import { requireCommitted } from '../require-committed.js';
import { isOvertaken } from '../is-overtaken.js';
import { checkpointData, dataOf, type NewCheckpoint } from './checkpoint-record.js';
import { KeptTexts } from './kept-text.js';
import { newRecord } from './new-record.js';
import {
  CHECKPOINT_TAG,
  type CheckpointKey,
  checkpointName,
  latestName,
  namespaceTag,
  threadTag,
} from './thread-keys.js';

/** A checkpoint to store, without its parent. */
type MadeCheckpoint = Omit<NewCheckpoint, 'parent'>;

/** Writes of one scope. */
export class CheckpointWriter {
  readonly #memory: ScopedMemory;
  readonly #serde: SerializerProtocol;

  constructor(memory: ScopedMemory, serde: SerializerProtocol) {
    this.#memory = memory;
    this.#serde = serde;
  }

  /**
   * Stores a checkpoint. Every put changes the record of the latest checkpoint, and reads it before
   * the parent, so that a concurrent deletion of the parent makes the put start again.
   */
  async put(made: MadeCheckpoint): Promise<void> {
    const latest = await latestName(made.key);
    let prepared: readonly MemoryChangeInput[] | undefined;
    let known: MemoryRecord | undefined;
    for (;;) {
      const current = await this.#memory.read({ name: latest });
      const parent = await this.#parentOf(made);
      if (prepared === undefined || parent?.revision !== known?.revision) {
        prepared = await this.#prepare(made, parent);
        known = parent;
      }
      try {
        const commands = [...prepared, latestOf(latest, current, made.key)];
        requireCommitted(await this.#memory.batch(commands));
        return;
      } catch (error) {
        if (!isOvertaken(error)) throw error;
      }
    }
  }

  async #parentOf({ key, parentId }: MadeCheckpoint): Promise<MemoryRecord | undefined> {
    if (parentId === undefined) return undefined;
    return this.#memory.read({ name: await checkpointName({ ...key, checkpointId: parentId }) });
  }

  /** Stores long values that one commit has no room for, and returns the commands of the rest. */
  async #prepare(
    made: MadeCheckpoint,
    record: MemoryRecord | undefined,
  ): Promise<MemoryChangeInput[]> {
    const { threadId, namespace } = made.key;
    const texts = new KeptTexts(this.#memory, [threadTag(threadId)]);
    const parent = record === undefined ? undefined : dataOf(record);
    const data = await checkpointData(this.#serde, texts, { ...made, parent });
    const tags = [threadTag(threadId), namespaceTag(namespace), CHECKPOINT_TAG];
    const name = await checkpointName(made.key);
    const command: MemoryChangeInput = {
      type: 'put',
      name,
      record: newRecord('checkpoint', data, tags),
    };
    return texts.storeAllBut([command]);
  }
}

/** Returns the command that notes the latest checkpoint, even if it stays the same. */
function latestOf(
  name: string,
  current: MemoryRecord | undefined,
  { threadId, checkpointId }: CheckpointKey,
): MemoryChangeInput {
  const data = current?.payload.content.data as { checkpoint_id: string } | undefined;
  const isLatest = data === undefined || data.checkpoint_id < checkpointId;
  const latest = { checkpoint_id: isLatest ? checkpointId : data.checkpoint_id };
  const record = newRecord('latest', latest, [threadTag(threadId)]);
  return { type: 'put', name, record, expected_revision: current?.revision ?? 0 };
}
