/** The files of a snapshot and their digests. */
import { sha256Stream } from '../../contract/digest.js';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DATA_FILE } from '../../storage/lmdb-store/data-file.js';
import { MANIFEST_FILE } from '../../storage/lmdb-store/manifest.js';
import type { OnProgress } from './progress.js';

/** Bytes read at once; hashing them blocks the event loop for about a millisecond. */
const CHUNK_BYTES = 1_048_576;

/** The files of a snapshot beside its manifest, in the order of a restore. */
export const SNAPSHOT_FILES = [MANIFEST_FILE, DATA_FILE] as const;

/** Name of such a file. */
export type SnapshotFileName = (typeof SNAPSHOT_FILES)[number];

/** A file as the manifest of a snapshot describes it. */
export interface FileDigest {
  readonly name: SnapshotFileName;
  readonly size_bytes: number;
  /** In lower-case hexadecimal. */
  readonly sha256: string;
}

/** Reads the files of a directory and computes their digests. */
export async function digestFiles(
  directory: string,
  names: readonly SnapshotFileName[],
  onProgress: OnProgress,
): Promise<FileDigest[]> {
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(directory, name))).size),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let done = 0;
  const digests: FileDigest[] = [];
  for (const name of names) {
    const hash = sha256Stream();
    const size_bytes = await readChunks(join(directory, name), (chunk) => {
      hash.update(chunk);
      done += chunk.length;
      onProgress({ phase: 'digest', done, total });
    });
    digests.push({ name, size_bytes, sha256: hash.digestText('hex') });
  }
  return digests;
}

/** Reads a file in borrowed chunks and returns its size in bytes. */
export async function readChunks(
  path: string,
  take: (chunk: Uint8Array) => void | Promise<void>,
): Promise<number> {
  const file = await open(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let size = 0;
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
      if (bytesRead === 0) return size;
      size += bytesRead;
      await take(chunk.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
