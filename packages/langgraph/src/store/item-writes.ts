/** Puts and deletions of items, in commits. */
import {
  AgentkeepError,
  type MemoryChangeInput,
  type RecordInput,
  type ScopedMemory,
} from '@agentkeep/client';
import { requireCommitted } from '../require-committed.js';
import { itemName, type ItemPut, itemRecord, type ItemSettings } from './item-record.js';
import { type Commit, commitsOf, type LargeBatches } from './write-batches.js';

/** How items are written. */
interface WriteSettings extends ItemSettings {
  readonly largeBatches: LargeBatches;
}

/** Writes of one scope. */
export class ItemWrites {
  readonly #memory: ScopedMemory;
  readonly #settings: WriteSettings;

  constructor(memory: ScopedMemory, settings: WriteSettings) {
    this.#memory = memory;
    this.#settings = settings;
  }

  /** Executes puts; those of one commit all or none. */
  async write(puts: readonly ItemPut[]): Promise<void> {
    const [only] = puts;
    if (only?.value === null && puts.length === 1) {
      await this.#delete(await itemName(only.namespace, only.key));
      return;
    }
    const changes = await Promise.all(puts.map((put) => this.#changeOf(put)));
    const commits = commitsOf(this.#memory.scope, changes, this.#settings.largeBatches);
    for (const commit of commits) await this.#commit(commit);
  }

  /** Deletes an item, if it is there. */
  async #delete(name: string): Promise<void> {
    try {
      requireCommitted(await this.#memory.delete({ name }));
    } catch (error) {
      if (!(error instanceof AgentkeepError) || error.code !== 'record_not_found') throw error;
    }
  }

  /** Returns the commands of a put. One that deletes puts first, so that it never fails. */
  async #changeOf(put: ItemPut): Promise<MemoryChangeInput[]> {
    const name = await itemName(put.namespace, put.key);
    if (put.value !== null) {
      return [{ type: 'put', name, record: itemRecord(put, this.#settings) }];
    }
    return [
      { type: 'put', name, record: nothing },
      { type: 'remove', name },
    ];
  }

  async #commit({ commands, isSingle }: Commit): Promise<void> {
    const [only] = commands;
    const isPut = isSingle && only?.type === 'put';
    requireCommitted(
      isPut ? await this.#memory.put(only.name, only.record) : await this.#memory.batch(commands),
    );
  }
}

/** The item that exists for the moment before its deletion. */
const nothing: RecordInput = {
  episode_type: { Custom: 'langgraph.item' },
  content: { primary: '' },
  event_time_millis: 0,
};
