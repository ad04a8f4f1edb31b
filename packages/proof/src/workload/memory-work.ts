/**
 * Sends memory commands, and checks that records, receipts and search entries agree.
 */
import type { Receipt, ScopeInput } from '@agentkeep/core';
import { checkRecords, commandsAhead, replay, retry, seenBy } from '../kills/command-check.js';
import { type Command, CommandHistory, send } from '../kills/command-history.js';
import type { Random } from '@agentkeep/testkit/random';
import { LoadClient } from '../kills/command-load.js';
import { type Parties, workScopes } from './parties.js';
import type { Account, Check, Task, Work } from './work.js';

/** Number of latest commands per worker that are replayed. */
const REPLAYED = 25;

/** Creates, updates and deletes its own records. */
export class MemoryWork implements Work<Command, Receipt> {
  readonly #history = new CommandHistory();
  readonly #client: LoadClient;

  constructor(name: string, scope: ScopeInput, random: Random) {
    this.#client = new LoadClient(name, scope, random);
  }

  /** Chooses the next command. */
  next(): Command {
    return this.#client.next(this.#history);
  }

  /** Sends a command. */
  send({ writer }: Parties, command: Command): Promise<Receipt> {
    return send(writer.memory, command);
  }

  /** Records a receipt for later commands. */
  note({ step, result }: Task<Command, Receipt>): void {
    this.#history.acknowledge(step, result);
    this.#client.note(step, result);
  }
}

/** Checks that records, receipts and search entries match the commands. */
export const checkMemory: Check<Command, Receipt> = async ({ writer: { memory } }, accounts) => {
  // Commits before the opening are more than a millisecond old.
  const openedAt = Date.now() - 1;
  const history = historyOf(accounts);
  const ahead = commandsAhead(history, await seenBy(memory, workScopes));
  const latest = accounts.flatMap(({ done }) => done.slice(-REPLAYED));
  await replay(
    memory,
    latest.map(({ step, result }) => ({ command: step, receipt: result })),
  );
  await retry(memory, history, { ahead, killedAt: openedAt });
  const touched = latest.map(({ result }) => result.record_id);
  await checkRecords(memory, history, touched, workScopes);
};

function historyOf(accounts: readonly Account<Command, Receipt>[]): CommandHistory {
  const history = new CommandHistory();
  for (const { done, next } of accounts) {
    for (const { step, result } of done) history.acknowledge(step, result);
    if (next !== undefined) history.unanswered.add(next);
  }
  return history;
}
