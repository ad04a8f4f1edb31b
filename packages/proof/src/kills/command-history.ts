/**
 * The sent and acknowledged commands of clients, and the resulting state of memory.
 */
import type { ScopedMemory, Receipt, RecordTarget, ScopeInput } from '@agentkeep/core';

/** A command; its repetitions are equal. */
export interface Command {
  readonly scope: ScopeInput;
  /** Also the text of the record, so that a record shows which command wrote it. */
  readonly idempotencyKey: string;
  readonly change:
    | { readonly type: 'create' }
    | { readonly type: 'update' | 'delete'; readonly target: RecordTarget };
}

/** A command and its answer. */
export interface Acknowledged {
  readonly command: Command;
  readonly receipt: Receipt;
}

/** A record after its last command. Without a text it is deleted. */
export interface RecordState {
  readonly scope: ScopeInput;
  readonly recordId: string;
  readonly revision: number;
  readonly text: string | null;
}

const ACTIONS = { create: 'created', update: 'updated', delete: 'deleted' } as const;
/** Longer than a page of the store. */
const LONG_CHARS = 5_000;

/** Returns the context of a record with this text. Every tenth is long. */
export function contextOf(text: string): string | null {
  return text.endsWith('0') ? text.padEnd(LONG_CHARS, '.') : null;
}

/** Sends a command and returns its receipt. */
export function send(memory: ScopedMemory, command: Command): Promise<Receipt> {
  const { scope, idempotencyKey, change } = command;
  const record = {
    episode_type: 'Observation' as const,
    content: { primary: idempotencyKey, context: contextOf(idempotencyKey) },
    event_time_millis: 0,
  };
  switch (change.type) {
    case 'create':
      return memory.in(scope).create(record, { idempotencyKey });
    case 'update':
      return memory.in(scope).update(change.target, record, { idempotencyKey });
    case 'delete':
      return memory.in(scope).delete(change.target, { idempotencyKey });
  }
}

/** Returns the state after a command. */
export function stateAfter({ scope, idempotencyKey, change }: Command, recordId: string) {
  const revision = change.type === 'create' ? 1 : change.target.expectedRevision + 1;
  const text = change.type === 'delete' ? null : idempotencyKey;
  return { scope, recordId, revision, text };
}

/** All commands of a test. Commands on one record never overlap. */
export class CommandHistory {
  readonly acknowledged: Acknowledged[] = [];
  readonly unanswered = new Set<Command>();
  /** Acknowledged states, by record id. */
  readonly records = new Map<string, RecordState>();

  /** Sends a command. Without an answer it stays unanswered. */
  async run(memory: ScopedMemory, command: Command): Promise<Receipt> {
    this.unanswered.add(command);
    const receipt = await send(memory, command);
    this.acknowledge(command, receipt);
    return receipt;
  }

  /**
   * Records the answer to a command.
   * @throws {Error} if the receipt does not match the command.
   */
  acknowledge(command: Command, receipt: Receipt): void {
    const { idempotency_key, record_id, revision, action } = receipt;
    const state = stateAfter(command, record_id);
    const { change } = command;
    const isOwn =
      idempotency_key === command.idempotencyKey &&
      action === ACTIONS[change.type] &&
      revision === state.revision &&
      (change.type === 'create'
        ? !this.records.has(record_id)
        : record_id === change.target.recordId);
    if (!isOwn) {
      throw new Error(`${JSON.stringify(command)} was answered ${JSON.stringify(receipt)}`);
    }
    this.unanswered.delete(command);
    this.acknowledged.push({ command, receipt });
    this.records.set(record_id, state);
  }
}
