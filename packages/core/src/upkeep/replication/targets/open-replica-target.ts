/** Opens the replication target of an address: a folder or a bucket. */
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bucketAddress } from './bucket-address.js';
import { openBucketTarget } from './bucket-target.js';
import { openFolderTarget } from './folder-target.js';
import { type ReplicaTarget, targetUnsuitable } from './replica-target.js';
import { parsedUrl } from '../../../contract/texts/parsed-url.js';

/**
 * Opens a folder, given as a path or as a `file:` URL, or a bucket, given as an `s3:` URL.
 * @throws {AgentkeepError} `replica_unsuitable` if it cannot be a target; `replica_unavailable` if
 * it does not answer.
 */
export async function openReplicaTarget(address: string): Promise<ReplicaTarget> {
  if (address.startsWith('file:')) return openFolderTarget(pathOf(address));
  if (isAbsolute(address) || /^\.{1,2}(?:[/\\]|$)/.test(address)) return openFolderTarget(address);
  const bucket = bucketAddress(address);
  if (bucket !== undefined) return openBucketTarget(bucket);
  throw unknownAddress();
}

function pathOf(address: string): string {
  const { search, hash } = parsedUrl(address) ?? { search: '', hash: '' };
  // It would be dropped in silence, and shown where the address is.
  if (search !== '' || hash !== '') throw unknownAddress();
  try {
    return fileURLToPath(address);
  } catch (cause) {
    throw unknownAddress(cause);
  }
}

function unknownAddress(cause?: unknown): Error {
  const message =
    'This is no address of a replication target. Name a folder by its path or as ' +
    'file:///path, or a bucket as s3://bucket/prefix, with ?endpoint=https://… and &region=… ' +
    'where it needs them.';
  return targetUnsuitable(message, cause);
}
