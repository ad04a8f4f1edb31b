/** Changes that another writer was quicker with. */
import { AgentkeepError } from '@agentkeep/client';

/** Whether another process was quicker, so that the change has to be made on top of its own. */
export function isOvertaken(error: unknown): boolean {
  return (
    error instanceof AgentkeepError &&
    (error.code === 'revision_conflict' || error.code === 'record_not_found')
  );
}
