/** Refuses to go on with what only waits for review. */
import type { Receipt } from '@agentkeep/client';

/**
 * Requires that a write has taken effect.
 * @throws {Error} when it waits for review, in words for the agent.
 */
export function requireCommitted({ proposal }: Pick<Receipt, 'proposal'>): void {
  if (proposal === undefined) return;
  throw new Error(
    `The scope requires review: this write waits in proposal ${proposal.id} and is not stored ` +
      'yet. Do not repeat it; a reviewer decides.',
  );
}
