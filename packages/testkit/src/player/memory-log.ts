/**
 * The memory commands of a history, for steps that repeat them.
 */
import type { Batch, Command } from '../models/memory-command.js';
import type { Caller } from '../models/principal.js';
import { Mismatch } from './compare.js';

/** A command with the caller who sent it first. */
export interface SentCommand {
  readonly caller: Caller;
  readonly command: Command;
}

/** A batch with the caller who sent it first. */
export interface SentBatch {
  readonly caller: Caller;
  readonly batch: Batch;
}

/** Where a reader of changes stopped. */
export interface ChangeMark {
  readonly tenantId: string;
  readonly cursor: string;
  /** Number of changes, of all tenants, that there were then. */
  readonly count: number;
}

/** A worker that claimed a consumer. */
export interface ClaimedConsumer {
  readonly caller: Caller;
  readonly name: string;
  readonly holder: string;
}

/** The commands that were sent and the ids that they made. */
export class MemoryLog {
  readonly sent: SentCommand[] = [];
  readonly batches: SentBatch[] = [];
  readonly marks: ChangeMark[] = [];
  readonly claims: ClaimedConsumer[] = [];
  /** Ids of branches. */
  readonly branches: string[] = [];
  #lastId = '';
  #keys = 0;

  /** An idempotency key that no command has. */
  freshKey(): string {
    this.#keys += 1;
    return `fresh-${this.#keys}`;
  }

  /**
   * Notes the id of a new record.
   * @throws {Mismatch} when it isn't above the last one.
   */
  made(id: string): void {
    if (id <= this.#lastId) throw new Mismatch(`the new id ${id} follows ${this.#lastId}`);
    this.#lastId = id;
  }

  /** Forgets the last id: another opening doesn't know ids that were ahead of the clock. */
  reopened(): void {
    this.#lastId = '';
  }
}
