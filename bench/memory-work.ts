/**
 * Memory commands and reads that any number of callers send, in one scope or going round many.
 * @module
 */
import type { Agent } from '@agentkeep/core';
import { recordAt } from './fixture.js';
import { inFlight } from './measure.js';

/** The scope with a number. */
function scopeAt(number: number) {
  return { project_id: `p${String(number)}`, agent_id: 'writer', visibility: 'shared' } as const;
}

/** What one agent does, and what it has made so far. */
export class MemoryWork {
  readonly #agent: Agent;
  readonly #name: string;
  readonly #made: { readonly scope: number; readonly id: string }[] = [];
  #sent = 0;

  /** The name keeps its idempotency keys apart from those of others. */
  constructor(agent: Agent, name: string) {
    this.#agent = agent;
    this.#name = name;
  }

  /** Creates so many records, going round the scopes. */
  commands(callers: number, total: number, scopes: number): Promise<void> {
    return inFlight(callers, total, async () => {
      const number = this.#sent++;
      const scope = number % scopes;
      const { record_id: id } = await this.#agent.memory.create(scopeAt(scope), recordAt(number), {
        idempotencyKey: `${this.#name}-${String(number)}`,
      });
      this.#made.push({ scope, id });
    });
  }

  /** Reads so many of the records that were made last. */
  reads(callers: number, total: number): Promise<void> {
    const newest = this.#made.slice(-total);
    return inFlight(callers, total, async (index) => {
      const record = newest[index % newest.length];
      if (record === undefined) throw new Error('There is nothing to read.');
      await this.#agent.memory.read(scopeAt(record.scope), record.id);
    });
  }
}
