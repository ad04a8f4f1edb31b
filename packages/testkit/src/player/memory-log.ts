/**
 * The memory commands of a history, for steps that repeat them.
 */
import type { Scope } from '@agentkeep/core';
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

/** A branch as it was made. */
export interface MadeBranch {
  readonly id: string;
  /** The tenant that it is of. */
  readonly authority: string;
  readonly scopes: readonly Scope[];
  readonly caller: Caller;
}

/** What the changes of a branch were when they were compared. */
export interface ComparedBranch {
  readonly id: string;
  /** The tenant that it is of. */
  readonly authority: string;
  readonly digest: string;
  /** How often it had been written to. */
  readonly writes: number;
}

/** The commands that were sent and the ids that they made. */
export class MemoryLog {
  readonly sent: SentCommand[] = [];
  readonly batches: SentBatch[] = [];
  readonly marks: ChangeMark[] = [];
  readonly claims: ClaimedConsumer[] = [];
  readonly branches: MadeBranch[] = [];
  readonly compared: ComparedBranch[] = [];
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
