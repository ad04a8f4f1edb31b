/** Opens the store of a command that changes it. */
import type { Keep } from '@agentkeep/core';
import type { ServiceOptions } from '../../options/read-options.js';
import { openConfigured } from './open-store.js';

/**
 * Opens the data directory, which is made if absent, or the database, which servers may have open.
 * @throws {AgentkeepError} as `openKeep`: `store_in_use` while another process serves a directory.
 */
export function openToChange(options: ServiceOptions): Promise<Keep> {
  return openConfigured(options, { audit: options.audit });
}
