/** The id of a data directory, which tells it from every copy of it. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { createFile } from '../../storage/lmdb-store/directory.js';
import { codeOf } from '../../storage/lmdb-store/failure.js';
import { storeError } from '../../storage/store/store-error.js';

/** The file of the id, which no snapshot and no base copy has. */
const DIRECTORY_ID_FILE = 'replica.json';

const fileSchema = v.object({
  format: v.literal('agentkeep-replica'),
  format_version: v.literal(1),
  directory_id: v.pipe(v.string(), v.uuid()),
});

/**
 * Returns the id of a data directory, which is made durably if it has none.
 * @throws {AgentkeepError} `store_incompatible` if the file of the id cannot be read.
 */
export async function directoryId(dataDir: string): Promise<string> {
  const found = await findDirectoryId(dataDir);
  if (found !== undefined) return found;
  const file = { format: 'agentkeep-replica', format_version: 1, directory_id: randomUUID() };
  await createFile(join(dataDir, DIRECTORY_ID_FILE), `${JSON.stringify(file, null, 2)}\n`);
  const made = await findDirectoryId(dataDir);
  if (made === undefined) throw unreadable(dataDir);
  return made;
}

/**
 * Returns the id of a data directory, or `undefined` if it has none.
 * @throws {AgentkeepError} `store_incompatible` if the file of the id cannot be read.
 */
export async function findDirectoryId(dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, DIRECTORY_ID_FILE);
  try {
    return v.parse(fileSchema, JSON.parse(await readFile(path, 'utf8'))).directory_id;
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
