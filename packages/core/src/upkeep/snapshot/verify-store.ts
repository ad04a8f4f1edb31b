/** Reads a whole store and reports its content, without changing anything. */
import { realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { codeOf, fileFailure } from '../../storage/lmdb-store/failure.js';
import { storeError } from '../../storage/store/store-error.js';
import {
  CONTRACT_DOCUMENT_VERSION,
  CONTRACT_VERSION,
  STORED_VERSION,
} from '../../contract/version.js';
import { checkStore } from './check-process.js';
import type { FamilyReport } from './content-tally.js';
import type { OnProgress } from './progress.js';

/** The content of a verified store. Equal content gives equal reports, except for the directory. */
export interface StoreReport {
  readonly contract_version: typeof CONTRACT_VERSION;
  readonly status: 'verified';
  readonly verifier_version: string;
  readonly data_directory: string;
  readonly stored_version: number;
  readonly families: readonly FamilyReport[];
}

/** Two stores with the same content. */
export interface StoreComparison {
  readonly contract_version: typeof CONTRACT_VERSION;
  readonly status: 'verified_equal';
  readonly verifier_version: string;
  readonly source: StoreReport;
  readonly candidate: StoreReport;
  readonly comparison: { readonly families_compared: number };
}

/** The store to verify. */
export interface StoreToVerify {
  readonly dataDir: string;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Verifies a store by decoding every value and following every audit chain.
 *
 * @throws {AgentkeepError} as {@link checkStore}
 */
export async function verifyStore({ dataDir, onProgress }: StoreToVerify): Promise<StoreReport> {
  const directory = resolve(dataDir);
  const { content } = await checkStore({ directory, verifiesAudit: true, onProgress });
  return {
    contract_version: CONTRACT_VERSION,
    status: 'verified',
    verifier_version: CONTRACT_DOCUMENT_VERSION,
    data_directory: directory,
    stored_version: STORED_VERSION,
    families: content.families,
  };
}

/**
 * Verifies two stores and compares them.
 *
 * @throws {AgentkeepError} as {@link verifyStore}; `directories_overlap` if the directories are the
 * same or nested; `stores_differ` with the names of the families that differ as `members`.
 */
export async function compareStores({
  dataDir,
  source: sourceDir,
  onProgress,
}: StoreToVerify & { readonly source: string }): Promise<StoreComparison> {
  await assertApart(dataDir, sourceDir);
  const source = await verifyStore({ dataDir: sourceDir, onProgress });
  const candidate = await verifyStore({ dataDir, onProgress });
  const differing = source.families.filter((family, at) => !isSame(family, candidate.families[at]));
  if (differing.length > 0) {
    const members = differing.map(({ family }) => ({ path: family, expected: 'the same' }));
    throw new AgentkeepError('stores_differ', { members });
  }
  return {
    contract_version: CONTRACT_VERSION,
    status: 'verified_equal',
    verifier_version: CONTRACT_DOCUMENT_VERSION,
    source,
    candidate,
    comparison: { families_compared: source.families.length },
  };
}

/** Compares two reports of a family. Derived entries are ignored. */
function isSame(one: FamilyReport, other: FamilyReport | undefined): boolean {
  return one.records === other?.records && one.sha256 === other.sha256;
}

async function assertApart(...directories: [string, string]): Promise<void> {
  const [one, other] = await Promise.all(directories.map(realDirectory));
  if (one === undefined || other === undefined) return;
  if (contains(one, other) || contains(other, one)) throw new AgentkeepError('directories_overlap');
}

async function realDirectory(directory: string): Promise<string> {
  try {
    return await realpath(directory);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw fileFailure(error);
    throw storeError('store_incompatible', `The directory ${directory} does not exist.`, error);
  }
}

function contains(outer: string, inner: string): boolean {
  const path = relative(outer, inner);
  return path === '' || (path !== '..' && !path.startsWith(`..${sep}`) && resolve(path) !== path);
}
