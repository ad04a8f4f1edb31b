/** The errors of replication targets, a part of the catalogue. */
import { entry } from './error-entry.js';

/** Entries by code. */
export const replicaErrors = {
  replica_fenced: entry(
    'conflict',
    'Another data directory writes to this replication target, so this one writes nothing more to it. Serve only one of the two.',
  ),
  replica_behind: entry(
    'conflict',
    'The replication target is ahead of this data directory. Follow the target up to its end, then promote again.',
  ),
  replica_damaged: entry(
    'internal',
    'Part of the replication target does not verify. Restore a moment before it, or put a copy of that part back.',
    { wireCode: 'internal_error' },
  ),
  replica_missing: entry(
    'internal',
    'Part of the replication target is missing. Restore a moment before it, or put a copy of that part back.',
    { wireCode: 'internal_error' },
  ),
  replica_doubled: entry(
    'internal',
    'Part of the replication target is there twice. Restore a moment before it, or put the right part back.',
    { wireCode: 'internal_error' },
  ),
  replica_foreign: entry(
    'conflict',
    'The replication target belongs to another store. Name an empty target, or that of this store.',
  ),
  replica_epoch: entry(
    'internal',
    'Part of the replication target was written by a server that had been replaced. Restore a moment before it.',
    { wireCode: 'internal_error' },
  ),
  replica_unavailable: entry(
    'unavailable',
    'The replication target does not answer. A change that the call made is stored here and sent later: repeat the call with the same idempotency key, or look first whether the change is there. If the target stays away, check it.',
    { retryable: true },
  ),
  replica_unsuitable: entry(
    'invalid',
    'This replication target cannot be used. Name a folder that has links, or a bucket that has conditional writes.',
  ),
  replica_moment_unknown: entry(
    'not_found',
    'The replication target does not reach back to this moment, or not up to it. Name another one.',
  ),
};
