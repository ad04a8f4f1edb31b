/** Manifests of snapshots. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { STORED_VERSION } from '../../contract/version.js';
import { createFile } from '../../storage/lmdb-store/directory.js';
import { storeError } from '../../storage/store/store-error.js';
import { SNAPSHOT_FILES } from './snapshot-files.js';

const SNAPSHOT_ID = /^\d{8}-\d{6}-\d{3}$/;

/** Returns the id for a time in Unix milliseconds, for example `20260101-000000-000`. */
export function snapshotIdAt(ms: number): string {
  const digits = new Date(ms).toISOString().replaceAll(/\D/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${digits.slice(14)}`;
}

/** Whether a name has the form of an id. */
export function isSnapshotId(name: string): boolean {
  return SNAPSHOT_ID.test(name);
}

/** Returns the time of an id, as an ISO 8601 text. */
export function timeOfSnapshotId(id: string): string {
  const [date = '', time = '', millis = ''] = id.split('-');
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  return `${day}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}.${millis}Z`;
}

const MANIFEST_FILE = 'manifest.json';
const FORMAT = 'agentkeep-snapshot';
const FORMAT_VERSION = 1;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const manifestSchema = v.strictObject({
  format: v.literal(FORMAT),
  format_version: v.literal(FORMAT_VERSION),
  snapshot_id: v.pipe(v.string(), v.check(isSnapshotId)),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
  stored_version: v.literal(STORED_VERSION),
  /** Whether the schedule of a keep made it, so that its retention may remove it. */
  is_scheduled: v.optional(v.boolean(), false),
  /** Entries of each subspace, by the names of the key space. */
  records: v.record(v.string(), count),
  files: v.pipe(
    v.array(
      v.strictObject({
        name: v.picklist(SNAPSHOT_FILES),
        size_bytes: count,
        sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
      }),
    ),
    v.check((files) => SNAPSHOT_FILES.every((name, at) => files[at]?.name === name)),
    v.length(SNAPSHOT_FILES.length),
  ),
});

/** The manifest of a snapshot. */
export type SnapshotManifest = v.InferOutput<typeof manifestSchema>;

/** The content of a new manifest. */
type SnapshotContent = Pick<
  SnapshotManifest,
  'snapshot_id' | 'created_at' | 'is_scheduled' | 'records' | 'files'
>;

/** Writes the manifest of a new snapshot durably. */
export async function writeSnapshotManifest(
  folder: string,
  content: SnapshotContent,
): Promise<void> {
  const manifest: SnapshotManifest = {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    stored_version: STORED_VERSION,
    ...content,
  };
  await createFile(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Reads the manifest of a snapshot.
 * @throws {AgentkeepError} `snapshot_damaged` if this version can't read it.
 */
export async function readSnapshotManifest(folder: string): Promise<SnapshotManifest> {
  const path = join(folder, MANIFEST_FILE);
  try {
    return v.parse(manifestSchema, JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw storeError(
      'snapshot_damaged',
      `${path} isn't a manifest that this version can read.`,
      error,
    );
  }
}
