/**
 * The manifest beside the data of a store: what the directory is, so that a data file that is
 * missing, foreign or written in another mode is refused instead of taken for a new store.
 * @module
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STORED_VERSION } from '../../contract/version.js';
import { codeOf } from './failure.js';
import { storeError } from '../store/store-error.js';
import { createFile, replaceFile } from './directory.js';

/** Name of the manifest in the directory of a store. */
export const MANIFEST_FILE = 'agentkeep.json';
const FORMAT = 'agentkeep-store';
const FORMAT_VERSION = 1;

/**
 * What a commit has survived once it is acknowledged: with `strict` the loss of power, with
 * `relaxed` only the end of the process. After a loss of power a relaxed store may be unreadable.
 */
export type Durability = 'strict' | 'relaxed';

/** What is known of a store's directory. */
export interface Manifest {
  readonly durability: Durability;
  /** Random; it is also inside the data. */
  readonly storeId: string;
  /** Whether the data file has once been in place; from then on its absence is a loss. */
  readonly isInitialised: boolean;
}

/**
 * The manifest of a directory, or `undefined` where there is none.
 * @throws {AgentkeepError} `store_incompatible` for one that this version cannot read.
 */
export async function readManifest(directory: string): Promise<Manifest | undefined> {
  const path = join(directory, MANIFEST_FILE);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  const manifest = parseManifest(text);
  if (manifest !== undefined) return manifest;
  throw storeError('store_incompatible', `${path} is not a manifest that this version can read.`);
}

/** Writes the first manifest of a directory; if another process was faster, its manifest stays. */
export async function createManifest(directory: string, manifest: Manifest): Promise<void> {
  await createFile(join(directory, MANIFEST_FILE), formatManifest(manifest));
}

/** Replaces the manifest of a directory. */
export async function replaceManifest(directory: string, manifest: Manifest): Promise<void> {
  await replaceFile(join(directory, MANIFEST_FILE), formatManifest(manifest));
}

function formatManifest({ durability, storeId, isInitialised }: Manifest): string {
  const document = {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    stored_version: STORED_VERSION,
    durability,
    store_id: storeId,
    initialised: isInitialised,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function parseManifest(text: string): Manifest | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof document !== 'object' || document === null) return undefined;
  const fields: Partial<Record<string, unknown>> = { ...document };
  const { durability, store_id: storeId, initialised } = fields;
  if (fields['format'] !== FORMAT || fields['format_version'] !== FORMAT_VERSION) return undefined;
  if (fields['stored_version'] !== STORED_VERSION) return undefined;
  if (durability !== 'strict' && durability !== 'relaxed') return undefined;
  if (typeof storeId !== 'string' || storeId === '') return undefined;
  if (typeof initialised !== 'boolean') return undefined;
  return { durability, storeId, isInitialised: initialised };
}
