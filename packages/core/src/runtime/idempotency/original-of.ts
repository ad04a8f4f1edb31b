/** Decides what an id of the caller's choice means when it is in use: a pure rule. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';

/**
 * Returns what an equal earlier write stored; `undefined` while the id is unused.
 *
 * @throws {AgentkeepError} `idempotency_conflict` when the id belongs to something else.
 */
export function originalOf<T>(known: T | undefined, isSame: (known: T) => boolean): T | undefined {
  if (known !== undefined && !isSame(known)) throw new AgentkeepError('idempotency_conflict');
  return known;
}
