/**
 * The manifest of a store's directory. Because of it, a data file that is missing, foreign or in
 * another durability mode is refused instead of treated as a new store.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STORED_VERSION } from '../../contract/version.js';
import { codeOf } from './failure.js';
import { storeError } from '../store/store-error.js';
import { createFile, replaceFile } from './directory.js';

/** Name of the manifest in the directory of a store. */
export const MANIFEST_FILE = 'agentkeep.json';

/** Returns the path of the manifest of a directory. */
export function manifestFileOf(directory: string): string {
  return join(directory, MANIFEST_FILE);
}
const FORMAT = 'agentkeep-store';
const FORMAT_VERSION = 1;

/**
 * What an acknowledged commit survives: a `strict` one a loss of power, a `relaxed` one only the
 * end of the process. After a loss of power, a relaxed store may be unreadable.
 */
export type Durability = 'strict' | 'relaxed';

/** The content of a manifest. */
export interface Manifest {
  readonly durability: Durability;
  /** A random UUID, which is also in the data. */
  readonly storeId: string;
  /** Whether the data file was ever complete. If so, its absence means data loss. */
  readonly isInitialised: boolean;
}

/**
 * Reads the manifest of a directory. Returns `undefined` if there is none.
 *
 * @throws {AgentkeepError} `store_incompatible` if this version cannot read it.
 */
export async function readManifest(directory: string): Promise<Manifest | undefined> {
  const path = manifestFileOf(directory);
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

/** Writes the first manifest of a directory. If another process was faster, its manifest stays. */
export async function createManifest(directory: string, manifest: Manifest): Promise<void> {
  await createFile(manifestFileOf(directory), formatManifest(manifest));
}

/** Replaces the manifest of a directory. */
export async function replaceManifest(directory: string, manifest: Manifest): Promise<void> {
  await replaceFile(manifestFileOf(directory), formatManifest(manifest));
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
