/** Changes that failed because another writer was faster. */
import { AgentkeepError } from '@agentkeep/client';

/**
 * Returns whether another process was faster, so that the change has to be made on top of its
 * change.
 */
export function isOvertaken(error: unknown): boolean {
  return (
    error instanceof AgentkeepError &&
    (error.code === 'revision_conflict' || error.code === 'record_not_found')
  );
}
