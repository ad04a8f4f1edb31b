/** The entry of a procedure in the index of selection. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { utf8Bytes } from '../../../contract/schema/text.js';
import type { Standing, StoredProcedure } from './procedure-store.js';
import type { RankedProcedure } from './selection-store.js';

/**
 * Returns the entry of a procedure at a state.
 *
 * @throws {AgentkeepError} `storage_inconsistency` if the state has no bound.
 */
export function rankOf({ proposal }: StoredProcedure, { figures }: Standing): RankedProcedure {
  const { lowerImprovementBound } = figures;
  if (lowerImprovementBound === null) throw new AgentkeepError('storage_inconsistency');
  const { id, instructions } = proposal.request;
  return { id, lowerImprovementBound, instructionBytes: utf8Bytes(instructions) };
}
