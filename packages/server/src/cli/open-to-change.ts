/**
 * Opens the store of a command that changes what is in it.
 * @module
 */
import type { Keep } from '@agentkeep/core';
import type { ServiceOptions } from '../options/read-options.js';
import { openConfigured } from './open-store.js';

/**
 * Opens the data directory, and makes it if it is absent; or the database, beside its servers.
 * @throws {AgentkeepError} as `openKeep`: `store_in_use` while another process serves a directory.
 */
export function openToChange(options: ServiceOptions): Promise<Keep> {
  return openConfigured(options, { audit: options.audit });
}
