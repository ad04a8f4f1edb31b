/** Reads the headers of a data file, without trusting any field, also while its owner writes. */
import { fstatSync, readSync } from 'node:fs';
import type { PageSpace } from './data-pages.js';
import { PageFault } from './page-reader.js';
import { IS_LITTLE, PAGE_HEADER_BYTES, readTreeRecord, type TreeRecord } from './page-layout.js';

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

/**
 * Reads the newer one of the two headers, and the size of the file.
 *
 * @throws {PageFault} for a file that has no two valid headers.
 */
export function readPageSpace(fd: number): PageSpace {
  const first = readMeta(fd, 0);
  if (first === undefined) throw new PageFault('is empty or not a data file of a store');
  const second = readMeta(fd, first.pageBytes);
  if (second?.pageBytes !== first.pageBytes) throw new PageFault('has a damaged header');
  // Commits write the two headers in turn, each with the number of its transaction.
  const isTurn = first.transaction % 2n === 0n && second.transaction % 2n === 1n;
  const apart = first.transaction - second.transaction;
  if (!isTurn || (apart !== 1n && apart !== -1n)) throw new PageFault('has a damaged header');
  // Read after the headers, because a live owner extends the file before it updates a header.
  const { size } = fstatSync(fd);
  const filePages = Math.floor(size / first.pageBytes);
  return { ...(apart > 0n ? first : second), filePages };
}

function readMeta(fd: number, position: number): Meta | undefined {
  const bytes = Buffer.alloc(META_BYTES);
  if (readSync(fd, bytes, 0, META_BYTES, position) < META_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, META_BYTES);
  const pageBytes = view.getUint32(AT.freeTree, IS_LITTLE);
  const isMeta =
    (view.getUint16(AT.flags, IS_LITTLE) & META_PAGE_FLAG) !== 0 &&
    view.getUint32(AT.magic, IS_LITTLE) === MAGIC &&
    (view.getUint32(AT.version, IS_LITTLE) & 0xffff) === DATA_VERSION;
  const isPageSize =
    pageBytes >= PAGE_BYTES_MIN &&
    pageBytes <= PAGE_BYTES_MAX &&
    (pageBytes & (pageBytes - 1)) === 0 &&
    pageBytes > PAGE_HEADER_BYTES;
  if (!isMeta || !isPageSize) return undefined;
  return {
    pageBytes,
    lastPage: Number(view.getBigUint64(AT.lastPage, IS_LITTLE)),
    transaction: view.getBigUint64(AT.txn, IS_LITTLE),
    freeTree: readTreeRecord(bytes, AT.freeTree),
    mainTree: readTreeRecord(bytes, AT.mainTree),
  };
}

/** The two header pages of a data file, and the decoded newer one. */
export interface SettledHeaders {
  readonly bytes: Uint8Array;
  readonly space: PageSpace;
}

/**
 * Reads the newest header until two reads agree, because a commit may write it meanwhile.
 *
 * @throws {PageFault}
 */
export function readSettledSpace(fd: number): PageSpace {
  let space = readAgain(fd);
  for (;;) {
    const next = readAgain(fd);
    if (isSameHeader(space, next)) return next;
    space = next;
  }
}

/**
 * Reads both header pages as they are between two commits.
 *
 * @throws {PageFault}
 */
export function readSettledHeaders(fd: number): SettledHeaders {
  for (;;) {
    const space = readSettledSpace(fd);
    const bytes = Buffer.alloc(2 * space.pageBytes);
    readSync(fd, bytes, 0, bytes.length, 0);
    if (isSameHeader(space, readSettledSpace(fd))) return { bytes, space };
  }
}

/** Reads the header, once more if it seems damaged: it may have been half written. */
function readAgain(fd: number): PageSpace {
  try {
    return readPageSpace(fd);
  } catch (error) {
    if (!(error instanceof PageFault)) throw error;
    return readPageSpace(fd);
  }
}

function isSameHeader(one: PageSpace, other: PageSpace): boolean {
  return (
    one.transaction === other.transaction &&
    one.lastPage === other.lastPage &&
    one.mainTree.root === other.mainTree.root &&
    one.freeTree.root === other.freeTree.root
  );
}
