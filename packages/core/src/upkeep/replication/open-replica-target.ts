/** Opens the replication target of an address. */
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFolderTarget } from './folder-target.js';
import { type ReplicaTarget, targetUnsuitable } from './replica-target.js';

/**
 * Opens a folder, given as a path or as a `file:` URL.
 * @throws {AgentkeepError} `replica_unsuitable` if it cannot be a target; `replica_unavailable` if
 * it does not answer.
 */
export async function openReplicaTarget(address: string): Promise<ReplicaTarget> {
  if (address.startsWith('file:')) return openFolderTarget(pathOf(address));
  if (isAbsolute(address) || /^\.{1,2}(?:[/\\]|$)/.test(address)) return openFolderTarget(address);
  throw unknownAddress();
}

function pathOf(address: string): string {
  try {
    return fileURLToPath(address);
  } catch (cause) {
    throw unknownAddress(cause);
  }
}

function unknownAddress(cause?: unknown): Error {
  const message =
    'This is no address of a replication target. Name a folder by its path or as ' +
    'file:///path.';
  return targetUnsuitable(message, cause);
}
