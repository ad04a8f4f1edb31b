/**
 * Clients that create, update and delete their own records while a server answers.
 */
import type { ScopedMemory, Receipt, ScopeInput } from '@agentkeep/core';
import type { Random } from '@agentkeep/testkit/random';
import { isBroken } from '../process/broken-connection.js';
import type { Command, CommandHistory } from './command-history.js';

/** A client with its live records. */
export class LoadClient {
  readonly #name: string;
  readonly #scope: ScopeInput;
  readonly #random: Random;
  readonly #live: string[] = [];
  #sent = 0;

  constructor(name: string, scope: ScopeInput, random: Random) {
    this.#name = name;
    this.#scope = scope;
    this.#random = random;
  }

  /**
   * Sends commands in sequence until the connection breaks.
   * @throws {AgentkeepError} if the server refuses one, because all of them are valid.
   */
  async run(memory: ScopedMemory, history: CommandHistory): Promise<void> {
    for (;;) {
      try {
        await this.step(memory, history);
      } catch (error) {
        if (!isBroken(error)) throw error;
        return;
      }
    }
  }

  /** Sends one command and waits for its answer. */
  async step(memory: ScopedMemory, history: CommandHistory): Promise<void> {
    const command = this.next(history);
    this.note(command, await history.run(memory, command));
  }

  /** Records the receipt of an own command. */
  note({ change }: Command, { record_id }: Receipt): void {
    if (change.type === 'create') this.#live.push(record_id);
  }

  /** Chooses the next command. */
  next(history: CommandHistory): Command {
    this.#sent += 1;
    const command = { scope: this.#scope, idempotencyKey: `${this.#name}-${this.#sent}` };
    const kind = this.#random(10);
    const index = this.#random(this.#live.length);
    const recordId = this.#live[index];
    if (recordId === undefined || kind < 4) return { ...command, change: { type: 'create' } };
    const target = { recordId, expectedRevision: history.records.get(recordId)!.revision };
    if (kind < 8) return { ...command, change: { type: 'update', target } };
    this.#live.splice(index, 1);
    return { ...command, change: { type: 'delete', target } };
  }
}
