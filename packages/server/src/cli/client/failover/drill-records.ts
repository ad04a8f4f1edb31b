/** The records that a failover drill writes, reads back, and deletes. */
import { randomUUID } from 'node:crypto';
import { AgentkeepError, type ScopedMemory } from '@agentkeep/client';

/** The records leave memory by themselves after this time, if the drill is killed. */
const VALID_MS = 86_400_000;

/** Failures beside the retryable ones after which a command with a key may be sent again. */
const OUTCOME_UNKNOWN: readonly string[] = [
  'server_unreachable',
  'unexpected_answer',
  'internal_error',
];

/** What was found of the acknowledged records. */
export interface FoundRecords {
  /** Acknowledged, and not there. */
  readonly lost: number;
  /** There more than once, beyond the first time. */
  readonly doubled: number;
}

/** The records of one drill, by the number that their text ends with. */
export class DrillRecords {
  readonly #memories: ReadonlyMap<string, ScopedMemory>;
  readonly #drill = `failover-drill-${randomUUID()}`;

  /** Takes the memory of the scope by the address of each server. */
  constructor(memories: ReadonlyMap<string, ScopedMemory>) {
    this.#memories = memories;
  }

  /**
   * Sends the command of a number once; returns the code of a failure that another server, or a
   * later time, may not have.
   * @throws {AgentkeepError} for any other refusal.
   */
  async write(url: string, number: number): Promise<string | undefined> {
    try {
      await this.#memories.get(url)?.create(
        {
          content: { primary: this.#textOf(number) },
          tags: [this.#drill],
          valid_until_millis: Date.now() + VALID_MS,
        },
        { idempotencyKey: this.#textOf(number) },
      );
      return undefined;
    } catch (error) {
      if (!(error instanceof AgentkeepError)) throw error;
      if (!error.retryable && !OUTCOME_UNKNOWN.includes(error.code)) throw error;
      return error.code;
    }
  }

  /** Compares what is stored with the numbers from 1 to `acknowledged`, and deletes it. */
  async takeBack(memory: ScopedMemory, acknowledged: number): Promise<FoundRecords> {
    const counts = new Map<string, number>();
    const stored: { readonly recordId: string; readonly expectedRevision: number }[] = [];
    for await (const { record } of memory.search({ tags: { all: [this.#drill] } })) {
      const text = record.payload.content.primary;
      counts.set(text, (counts.get(text) ?? 0) + 1);
      stored.push({ recordId: record.record_id, expectedRevision: record.revision });
    }
    for (const target of stored) await memory.delete(target);
    const numbers = Array.from({ length: acknowledged }, (_, at) => this.#textOf(at + 1));
    return {
      lost: numbers.filter((text) => !counts.has(text)).length,
      doubled: [...counts.values()].reduce((sum, count) => sum + count - 1, 0),
    };
  }

  #textOf(number: number): string {
    return `${this.#drill} ${number}`;
  }
}
