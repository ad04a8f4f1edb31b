/**
 * Restores a snapshot into a data directory: checks it, copies it, checks the copy in a separate
 * process, then puts it in place.
 */
import { open, realpath, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { hasCode } from '../../contract/errors/agentkeep-error.js';
import {
  ensureDirectory,
  makeUnfinishedDirectory,
  syncDirectory,
} from '../../storage/lmdb-store/directory.js';
import { FILE_MODE } from '../../storage/lmdb-store/private-files.js';
import { codeOf, fileFailure } from '../../storage/lmdb-store/failure.js';
import { storeError } from '../../storage/store/store-error.js';
import { holdDirectory } from '../../storage/lmdb-store/open-directories.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { completeLedgerOf, copyLedger } from './erasure-ledger.js';
import { checkStore, erasuresIn, holdStore } from './check-process.js';
import type { ContentReport } from './content-tally.js';
import { assertEmpty, placeFiles, replaceFiles } from './place-files.js';
import type { OnProgress } from './progress.js';
import { digestFiles, type FileDigest, readChunks, SNAPSHOT_FILES } from './snapshot-files.js';
import { readSnapshotManifest, type SnapshotManifest } from './snapshot-manifest.js';

/** Options of a restore. */
export interface RestoreOptions {
  /** Folder of the snapshot. */
  readonly snapshot: string;
  readonly dataDir: string;
  /** Whether to replace an existing store. Its snapshots stay. Default: false. */
  readonly force?: boolean | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** The restored and verified content. */
export interface RestoreReport {
  readonly contract_version: typeof CONTRACT_VERSION;
  readonly status: 'restored';
  readonly snapshot_id: string;
  readonly data_directory: string;
  readonly stored_version: number;
  /** Entries of each subspace. */
  readonly records: ContentReport['records'];
  /** Bytes of the files that were put in place. */
  readonly size_bytes: number;
}

/**
 * Restores a snapshot into a data directory that no process has open. The directory stays unchanged
 * until everything is checked.
 * @throws {AgentkeepError} `snapshot_damaged` if the snapshot doesn't match its manifest;
 * `directory_not_empty` unless `force` is given; `store_in_use`; `storage_inconsistency` if the
 * copy does not verify; `store_unavailable` if the disk fails.
 */
export async function restoreSnapshot(options: RestoreOptions): Promise<RestoreReport> {
  const { snapshot, dataDir, force = false, onProgress } = options;
  const report = onProgress ?? (() => undefined);
  try {
    const manifest = await readSnapshotManifest(snapshot);
    assertSame(manifest.files, await digestSnapshot(snapshot, report), snapshot);
    await ensureDirectory(dataDir);
    const target = await realpath(dataDir);
    if (!force) await assertEmpty(target);
    const release = await holdDirectory(target);
    try {
      await takeLedgerAlong(snapshot, target);
      const records = await restoreInto(target, { snapshot, manifest, force, onProgress: report });
      return reportOf(manifest, resolve(dataDir), records);
    } finally {
      release();
    }
  } catch (error) {
    throw fileFailure(error);
  }
}

/** Adds the erasures of the directory that made the snapshot to those of the restored one. */
async function takeLedgerAlong(snapshot: string, target: string): Promise<void> {
  const source = dirname(dirname(await realpath(snapshot)));
  if (source === target) return;
  await copyLedger(source, target);
  // A server that has it open keeps its ledger complete.
  const finished = await erasuresIn(source).catch(() => undefined);
  if (finished !== undefined) await completeLedgerOf(target, finished);
}

interface Restoring {
  readonly snapshot: string;
  readonly manifest: SnapshotManifest;
  readonly force: boolean;
  readonly onProgress: OnProgress;
}

async function restoreInto(target: string, work: Restoring): Promise<ContentReport['records']> {
  const held = work.force ? await holdReplaced(target) : undefined;
  const staging = await makeUnfinishedDirectory(target);
  try {
    // Before the store goes that alone may know of them.
    await completeLedgerOf(target, held?.finished);
    await copyFiles(work, staging);
    const { files, content } = await checkStore({
      directory: staging,
      files: SNAPSHOT_FILES,
      onProgress: work.onProgress,
    });
    assertSame(work.manifest.files, files, staging);
    await (work.force ? replaceFiles(staging, target) : placeFiles(staging, target));
    return content.records;
  } finally {
    await rm(staging, { recursive: true, force: true });
    await held?.release();
  }
}

/** Holds the store that is replaced. A store that can't be opened needs no hold. */
async function holdReplaced(target: string) {
  try {
    return await holdStore(target);
  } catch (error) {
    if (hasCode(error, 'store_in_use')) throw error;
    return undefined;
  }
}

async function copyFiles({ snapshot, manifest, onProgress }: Restoring, to: string): Promise<void> {
  const total = manifest.files.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  let done = 0;
  for (const name of SNAPSHOT_FILES) {
    const file = await open(join(to, name), 'wx', FILE_MODE);
    try {
      await file.chmod(FILE_MODE);
      await readChunks(join(snapshot, name), async (chunk) => {
        await file.writeFile(chunk);
        done += chunk.length;
        onProgress({ phase: 'copy', done, total });
      });
      await file.sync();
    } finally {
      await file.close();
    }
  }
  await syncDirectory(to);
}

async function digestSnapshot(snapshot: string, onProgress: OnProgress): Promise<FileDigest[]> {
  try {
    return await digestFiles(snapshot, SNAPSHOT_FILES, onProgress);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw storeError('snapshot_damaged', `A file of ${snapshot} is missing.`, error);
  }
}

function assertSame(
  expected: readonly FileDigest[],
  found: readonly FileDigest[],
  directory: string,
): void {
  const changed = expected.find(({ size_bytes, sha256 }, at) => {
    const file = found[at];
    return file?.size_bytes !== size_bytes || file.sha256 !== sha256;
  });
  if (changed === undefined) return;
  const path = join(directory, changed.name);
  throw storeError('snapshot_damaged', `${path} is not the file that the manifest describes.`);
}

function reportOf(
  { snapshot_id, stored_version, files }: SnapshotManifest,
  data_directory: string,
  records: ContentReport['records'],
): RestoreReport {
  return {
    contract_version: CONTRACT_VERSION,
    status: 'restored',
    snapshot_id,
    data_directory,
    stored_version,
    records,
    size_bytes: files.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
  };
}
