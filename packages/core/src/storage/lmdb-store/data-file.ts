/**
 * Checks a data file before LMDB maps it. LMDB ends the process if the file is shorter than its
 * header says or has an invalid page, and treats an empty file as a new store.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { codeOf } from './failure.js';
import { storeError } from '../store/store-error.js';
import { findPageFault } from './data-pages.js';
import { PAGE_HEADER_BYTES, readTreeRecord, type TreeRecord } from './page-layout.js';

const MAGIC = 0xbe_ef_c0_de;
const DATA_VERSION = 2;
const META_PAGE_FLAG = 0x08;
const META_BYTES = 176;
const PAGE_BYTES_MIN = 512;
const PAGE_BYTES_MAX = 65_536;

/** Byte offsets in a meta page. */
const AT = {
  flags: 18,
  magic: 24,
  version: 28,
  freeTree: 48,
  mainTree: 96,
  lastPage: 144,
  txn: 152,
};

/** The content of a meta page. A data file begins with two of them. */
interface Meta {
  readonly pageBytes: number;
  readonly lastPage: number;
  readonly transaction: bigint;
  readonly freeTree: TreeRecord;
  readonly mainTree: TreeRecord;
}

/** Name of the data file in the directory of a store. */
export const DATA_FILE = 'data.mdb';

/** Returns the path of a store's data file. */
export function dataFileOf(directory: string): string {
  return join(directory, DATA_FILE);
}

/** Returns the path of LMDB's own lock file of a store. */
export function lockFileOf(directory: string): string {
  return join(directory, 'lock.mdb');
}

/**
 * How deeply a data file is checked: its headers and length, or every page in use. A damaged page
 * may end the process that maps it, or return data that was never stored.
 */
export type CheckDepth = 'headers' | 'pages';

/**
 * Checks that LMDB can open the data file of a directory safely. Returns false if there is none.
 *
 * @throws {AgentkeepError} `store_incompatible` if the file is empty, foreign or damaged.
 */
export async function checkDataFile(directory: string, depth: CheckDepth): Promise<boolean> {
  const path = dataFileOf(directory);
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
  try {
    const fault = await findFault(file, depth);
    if (fault === undefined) return true;
    throw storeError('store_incompatible', `${path} ${fault}.`);
  } finally {
    await file.close();
  }
}

async function findFault(file: FileHandle, depth: CheckDepth): Promise<string | undefined> {
  const metas = await readMetas(file);
  if (typeof metas === 'string') return metas;
  const { pageBytes, lastPage, transaction, freeTree, mainTree } = metas.newest;
  // Read after the headers, because a live owner extends the file before it updates a header.
  const { size } = await file.stat();
  const filePages = Math.floor(size / pageBytes);
  // An intact file may lack free pages at its end, so only missing pages in use are a fault.
  if (depth === 'headers' && filePages > lastPage) return undefined;
  const fault = await findPageFault(file, { pageBytes, lastPage, filePages, freeTree, mainTree });
  if (fault === undefined) return undefined;
  // A live owner may change pages during the walk, but only after its next commit.
  const after = await readMetas(file);
  const isWritten = typeof after !== 'string' && after.newest.transaction !== transaction;
  return isWritten ? undefined : fault;
}

/** Reads the two headers. Returns the newer one, or a description of the fault. */
async function readMetas(file: FileHandle): Promise<{ readonly newest: Meta } | string> {
  const first = await readMeta(file, 0);
  if (first === undefined) return 'is empty or not a data file of a store';
  const second = await readMeta(file, first.pageBytes);
  if (second?.pageBytes !== first.pageBytes) return 'has a damaged header';
  // Commits write the two headers in turn, each with the number of its transaction.
  const isTurn = first.transaction % 2n === 0n && second.transaction % 2n === 1n;
  const apart = first.transaction - second.transaction;
  if (!isTurn || (apart !== 1n && apart !== -1n)) return 'has a damaged header';
  return { newest: apart > 0n ? first : second };
}

async function readMeta(file: FileHandle, position: number): Promise<Meta | undefined> {
  const bytes = Buffer.alloc(META_BYTES);
  const { bytesRead } = await file.read(bytes, 0, META_BYTES, position);
  if (bytesRead < META_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, META_BYTES);
  const isLittle = endianness() === 'LE';
  const pageBytes = view.getUint32(AT.freeTree, isLittle);
  const isMeta =
    (view.getUint16(AT.flags, isLittle) & META_PAGE_FLAG) !== 0 &&
    view.getUint32(AT.magic, isLittle) === MAGIC &&
    (view.getUint32(AT.version, isLittle) & 0xffff) === DATA_VERSION;
  const isPageSize =
    pageBytes >= PAGE_BYTES_MIN &&
    pageBytes <= PAGE_BYTES_MAX &&
    (pageBytes & (pageBytes - 1)) === 0 &&
    pageBytes > PAGE_HEADER_BYTES;
  if (!isMeta || !isPageSize) return undefined;
  return {
    pageBytes,
    lastPage: Number(view.getBigUint64(AT.lastPage, isLittle)),
    transaction: view.getBigUint64(AT.txn, isLittle),
    freeTree: readTreeRecord(bytes, AT.freeTree),
    mainTree: readTreeRecord(bytes, AT.mainTree),
  };
}
