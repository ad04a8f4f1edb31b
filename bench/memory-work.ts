/** Memory commands and reads of any number of callers, in one or many scopes. */
import type { Agent } from '@agentkeep/core';
import { recordAt } from './fixture.js';
import { inFlight } from './measure.js';
import { sentenceAt } from './sentences.js';

function scopeAt(number: number) {
  return { project_id: `p${String(number)}`, agent_id: 'writer', visibility: 'shared' } as const;
}

/** Records of a batch: the most that it takes. */
const BATCH_RECORDS = 256;

/** The work of one agent, and the records it has made. */
export class MemoryWork {
  readonly #agent: Agent;
  readonly #name: string;
  readonly #made: { readonly scope: number; readonly id: string }[] = [];
  #sent = 0;

  /** `name` separates its idempotency keys from those of other agents. */
  constructor(agent: Agent, name: string) {
    this.#agent = agent;
    this.#name = name;
  }

  /** Creates `total` records, spread over the scopes in turn. */
  commands(callers: number, total: number, scopes: number): Promise<void> {
    return inFlight(callers, total, async () => {
      const number = this.#sent++;
      const scope = number % scopes;
      const { record_id: id } = await this.#agent.memory
        .in(scopeAt(scope))
        .create(recordAt(number), {
          idempotencyKey: `${this.#name}-${String(number)}`,
        });
      this.#made.push({ scope, id });
    });
  }

  /** Creates `total` records in batches, spread over the scopes in turn. */
  batches(callers: number, total: number, scopes: number): Promise<void> {
    return inFlight(callers, Math.ceil(total / BATCH_RECORDS), async () => {
      const number = this.#sent++;
      const records = Array.from({ length: BATCH_RECORDS }, (_, at) => recordAt(at));
      const memory = this.#agent.memory.in(scopeAt(number % scopes));
      const idempotencyKey = `${this.#name}-${String(number)}`;
      for await (const { outcomes } of memory.createMany(records, { idempotencyKey })) {
        if (outcomes.length !== BATCH_RECORDS) throw new Error('A batch was cut.');
      }
    });
  }

  /** Recalls by words of a record, in the scopes in turn. */
  recalls(callers: number, total: number, scopes: number): Promise<void> {
    return inFlight(callers, total, async (index) => {
      const found = this.#agent.memory.in(scopeAt(index % scopes)).recall(sentenceAt(index));
      if ((await found).length === 0) throw new Error('Nothing was recalled.');
    });
  }

  /** Reads the most recently made records. */
  reads(callers: number, total: number): Promise<void> {
    const newest = this.#made.slice(-total);
    return inFlight(callers, total, async (index) => {
      const record = newest[index % newest.length];
      if (record === undefined) throw new Error('There is nothing to read.');
      await this.#agent.memory.in(scopeAt(record.scope)).read(record.id);
    });
  }
}
