/** Attached embeddings from the contract alone (docs/contract/search.md#sea-43). */
import type { Receipt } from '@agentkeep/core';
import type { Command } from './memory-command.js';
import type { Entry } from './memory-history.js';

/** Embeddings that were attached, by {@link attachedName}. */
export type Attached = ReadonlyMap<string, readonly number[]>;

/** Names a revision of a record. */
export function attachedName(recordId: string, revision: number): string {
  return `${recordId} ${revision}`;
}

/** An embedding to attach. */
export interface NewEmbedding {
  readonly record_id: string;
  readonly revision: number;
  readonly values: readonly number[];
}

/** The embeddings that were attached to any revision. */
export class AttachedModel {
  readonly #all = new Map<string, readonly number[]>();

  /** All of them. */
  get all(): Attached {
    return this.#all;
  }

  /** Attaches embeddings in a space; returns whether each was. */
  attach(
    entries: ReadonlyMap<string, Entry>,
    space: string,
    embeddings: readonly NewEmbedding[],
  ): boolean[] {
    return embeddings.map(({ record_id, revision, values }) => {
      const id = record_id.toLowerCase();
      const entry = entries.get(id);
      const payload = entry?.record.payload ?? null;
      const isOwn = (payload?.content.embedding ?? []).length > 0;
      const isCurrent = entry?.space === space && entry.record.revision === revision;
      if (!isCurrent || payload === null || isOwn) return false;
      this.#all.set(attachedName(id, revision), values);
      return true;
    });
  }

  /** Gives a restored revision what the old one has. */
  follow(
    operation: Command['operation'],
    { record_id, revision }: Pick<Receipt, 'record_id' | 'revision'>,
  ): void {
    if (operation.type !== 'restore') return;
    const values = this.#all.get(attachedName(record_id, operation.revision));
    if (values !== undefined) this.#all.set(attachedName(record_id, revision), values);
  }
}
