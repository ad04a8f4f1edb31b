/** The id of a data directory, which tells it from every copy of it. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { createFile, replaceFile } from '../../storage/lmdb-store/directory.js';
import { codeOf } from '../../storage/lmdb-store/failure.js';
import { storeError } from '../../storage/store/store-error.js';
import { parseLayout } from './later-layout.js';

const FORMAT_VERSION = 1;

/** The file of the id, which no snapshot and no base copy has. */
const DIRECTORY_ID_FILE = 'replica.json';

/** Targets that are remembered for a directory; earlier ones are forgotten. */
const TARGETS_MAX = 16;

const fileSchema = v.object({
  format: v.literal('agentkeep-replica'),
  format_version: v.literal(FORMAT_VERSION),
  directory_id: v.pipe(v.string(), v.uuid()),
  /** Addresses of the targets that have a log of this directory. */
  targets: v.optional(v.array(v.string())),
});

type DirectoryFile = v.InferOutput<typeof fileSchema>;

/**
 * Returns the id of a data directory, which is made durably if it has none.
 * @throws {AgentkeepError} `store_incompatible` if the file of the id cannot be read.
 */
export async function directoryId(dataDir: string): Promise<string> {
  const found = await findDirectoryId(dataDir);
  if (found !== undefined) return found;
  const made = {
    format: 'agentkeep-replica',
    format_version: FORMAT_VERSION,
    directory_id: randomUUID(),
  };
  await createFile(join(dataDir, DIRECTORY_ID_FILE), textOf(made));
  const { directory_id: id } = (await readDirectoryFile(dataDir)) ?? {};
  if (id === undefined) throw unreadable(dataDir);
  return id;
}

/**
 * Returns the id of a data directory, or `undefined` if it has none.
 * @throws {AgentkeepError} `store_incompatible` if the file of the id cannot be read.
 */
export async function findDirectoryId(dataDir: string): Promise<string | undefined> {
  return (await readDirectoryFile(dataDir))?.directory_id;
}

/**
 * Refuses an empty target that a directory has written to, as where a share is not mounted.
 * @throws {AgentkeepError} `replica_unavailable`.
 */
export async function refuseEmptied(dataDir: string, address: string): Promise<void> {
  if ((await readDirectoryFile(dataDir))?.targets?.includes(address) !== true) return;
  throw new AgentkeepError('replica_unavailable', {
    message:
      `This data directory has written to the replication target ${address}, which is empty now. ` +
      'If it is a share or a disk, mount it: the target is tried again. If it was emptied, stop ' +
      'the server and begin anew with `agentkeep promote`.',
  });
}

/** Remembers durably that a directory with an id writes to the target of an address. */
export async function noteWrittenTo(dataDir: string, address: string): Promise<void> {
  const file = await readDirectoryFile(dataDir);
  if (file === undefined) throw unreadable(dataDir);
  const { targets = [] } = file;
  if (targets.includes(address)) return;
  const kept = [...targets, address].slice(-TARGETS_MAX);
  await replaceFile(join(dataDir, DIRECTORY_ID_FILE), textOf({ ...file, targets: kept }));
}

function textOf(file: object): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

async function readDirectoryFile(dataDir: string): Promise<DirectoryFile | undefined> {
  const path = join(dataDir, DIRECTORY_ID_FILE);
  const layout = { schema: fileSchema, known: { format_version: FORMAT_VERSION } };
  try {
    return parseLayout(await readFile(path, 'utf8'), layout, path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (error instanceof SyntaxError || v.isValiError(error)) throw unreadable(dataDir, error);
    throw error;
  }
}

function unreadable(dataDir: string, cause?: unknown): Error {
  const path = join(dataDir, DIRECTORY_ID_FILE);
  const detail = `${path} cannot be read. Remove it: the directory then gets another id.`;
  return storeError('store_incompatible', detail, cause);
}
