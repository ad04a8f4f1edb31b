/** Decides what it means that an id of the caller's choice is used already: a pure rule. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';

/**
 * What was stored when the same was written before; `undefined` while the id is unused.
 *
 * @throws {AgentkeepError} `idempotency_conflict` when the id stands for something else.
 */
export function originalOf<T>(known: T | undefined, isSame: (known: T) => boolean): T | undefined {
  if (known !== undefined && !isSame(known)) throw new AgentkeepError('idempotency_conflict');
  return known;
}
