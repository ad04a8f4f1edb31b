/**
 * Opens the data directory of a command that changes what is in it, and needs it for itself.
 * @module
 */
import { type Keep, openKeep } from '@agentkeep/core';
import type { ServiceOptions } from '../options/read-options.js';

/**
 * Opens the data directory, and makes it if it is absent.
 * @throws {AgentkeepError} as `openKeep`: `store_in_use` while another process serves it.
 */
export function openToChange(options: ServiceOptions): Promise<Keep> {
  const { dataDir, durability, mapSizeBytes, audit } = options;
  return openKeep({
    dataDir,
    durability,
    audit,
    ...(mapSizeBytes === undefined ? {} : { mapSizeBytes }),
  });
}
