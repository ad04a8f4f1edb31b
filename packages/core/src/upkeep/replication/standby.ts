/**
 * The mark of a data directory that follows a replication target. While it is there, no keep opens
 * the directory, so what it has stays what the target has.
 */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { replaceFile, syncDirectory } from '../../storage/lmdb-store/directory.js';
import { codeOf } from '../../storage/lmdb-store/failure.js';
import { storeError } from '../../storage/store/store-error.js';
import { parseLayout } from './later-layout.js';

const FORMAT_VERSION = 1;

/** The file of the mark, which no snapshot and no base copy has. */
const STANDBY_FILE = 'standby.json';

/** Also a path that is no directory, which is refused elsewhere. */
const ABSENT = new Set<unknown>(['ENOENT', 'ENOTDIR']);

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const fileSchema = v.strictObject({
  format: v.literal('agentkeep-standby'),
  format_version: v.literal(FORMAT_VERSION),
  /** Null while the directory gets a whole copy. */
  reached: v.nullable(v.strictObject({ generation: count, slot: count })),
});

/** Where a standby is in the log of its target. Its store may be ahead of it. */
export type StandbyMark = v.InferOutput<typeof fileSchema>['reached'];

/**
 * Reads the mark of a directory; `undefined` if it has none.
 * @throws {AgentkeepError} `store_incompatible` if it cannot be read.
 */
export async function readStandby(dataDir: string): Promise<StandbyMark | undefined> {
  const path = join(dataDir, STANDBY_FILE);
  const layout = { schema: fileSchema, known: { format_version: FORMAT_VERSION } };
  try {
    return parseLayout(await readFile(path, 'utf8'), layout, path).reached;
  } catch (error) {
    if (ABSENT.has(codeOf(error))) return undefined;
    if (!(error instanceof SyntaxError) && !v.isValiError(error)) throw error;
    const detail = `${path} cannot be read. Follow the target into an empty directory.`;
    throw storeError('store_incompatible', detail, error);
  }
}

/** Marks a directory, durably. */
export async function markStandby(dataDir: string, reached: StandbyMark): Promise<void> {
  const file = { format: 'agentkeep-standby', format_version: FORMAT_VERSION, reached };
  await replaceFile(join(dataDir, STANDBY_FILE), `${JSON.stringify(file, null, 2)}\n`);
}

/** Removes the mark of a directory, durably. */
export async function unmarkStandby(dataDir: string): Promise<void> {
  await rm(join(dataDir, STANDBY_FILE), { force: true });
  await syncDirectory(dataDir);
}

/**
 * Refuses a directory that follows a target.
 * @throws {AgentkeepError} `replica_fenced`
 */
export async function refuseStandby(dataDir: string): Promise<void> {
  if ((await readStandby(dataDir)) === undefined) return;
  throw new AgentkeepError('replica_fenced', {
    message:
      'This data directory follows a replication target, so nothing else may write to it. ' +
      'Let it take over with `agentkeep promote` first, or restore the target elsewhere.',
  });
}
