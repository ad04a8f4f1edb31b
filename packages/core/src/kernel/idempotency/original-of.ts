/**
 * Decides the meaning of an idempotency key, or of an id that the caller chose, that is already
 * used.
 */
import { AgentkeepError, type RefusedMember } from '../../contract/errors/agentkeep-error.js';

/**
 * Returns the result of an equal earlier write; `undefined` while the id is unused.
 *
 * @throws {AgentkeepError} `idempotency_conflict` when the id belongs to something else.
 */
export function originalOf<T>(known: T | undefined, isSame: (known: T) => boolean): T | undefined {
  if (known !== undefined && !isSame(known)) throw new AgentkeepError('idempotency_conflict');
  return known;
}

/**
 * {@link originalOf} for what is stored with the digest of its command in normal form.
 * `differing` finds the members for the error, where what is stored tells them.
 */
export function originalWith<T extends { readonly fingerprint: string }>(
  known: T | undefined,
  fingerprint: string,
  differing: (known: T) => readonly RefusedMember[] = () => [],
): T | undefined {
  if (known === undefined || known.fingerprint === fingerprint) return known;
  throw new AgentkeepError('idempotency_conflict', { members: differing(known) });
}
