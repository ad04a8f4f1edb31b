/** What a call to a server that was killed fails with. */
import { AgentkeepError } from '@agentkeep/core';

/** Whether a call failed because the server ended: no answer, or half of one. */
export function isBroken(error: unknown): boolean {
  return error instanceof AgentkeepError && error.code === 'server_unreachable';
}
