/** Reads pages of a data file by their numbers, and marks those in use. */
import { readSync } from 'node:fs';
import { numberOf, PAGE_HEADER_BYTES, runLength, type PageRun } from './page-layout.js';

/** Meta pages at the start of a file, which belong to no tree. */
const HEADER_PAGES = 2;

/** Most pages of one call to the system. */
const WINDOW_PAGES = 64;

/** Unwanted pages that are read because that is cheaper than another system call. */
const GAP_PAGES = 4;

/** The bounds of the pages of a data file, from its newest header. */
export interface PageBounds {
  readonly pageBytes: number;
  /** Highest number of a page in use or free. */
  readonly lastPage: number;
  /** Number of pages in the file. */
  readonly filePages: number;
}

/** A fault of a page. The message is the predicate of a sentence about the file. */
export class PageFault extends Error {
  override readonly name = 'PageFault';
}

/** Returns the fault of a page. */
export function damaged(page: number): PageFault {
  return new PageFault(`is damaged at page ${page}`);
}

/** A reader of one file, whose pages may grow in number. */
export class PageReader {
  readonly #fd: number;
  readonly #window: Buffer;
  /** One bit per page in use. `undefined` once the trees have changed. */
  #used: Uint8Array | undefined;
  #bounds: PageBounds;

  constructor(fd: number, bounds: PageBounds) {
    this.#fd = fd;
    this.#bounds = bounds;
    this.#window = Buffer.allocUnsafe(WINDOW_PAGES * bounds.pageBytes);
    const pages = Math.min(bounds.lastPage + 1, bounds.filePages);
    this.#used = new Uint8Array(Math.ceil(pages / 8));
  }

  /** Continues with other trees, in which pages may have other uses. */
  follow(bounds: PageBounds): void {
    this.#bounds = bounds;
    this.#used = undefined;
  }

  /** Reads one page and marks it as used. */
  readPage(page: number): Buffer {
    return this.#read(page, 1);
  }

  /** Reads the value of a run, and any bytes that follow on its last page. */
  readRun({ first, pages }: PageRun): Buffer {
    const bytes = this.#read(first, pages);
    if (runLength(bytes) !== pages) throw damaged(first);
    return bytes.subarray(PAGE_HEADER_BYTES);
  }

  /** Checks the header of a run and marks its pages as used. */
  checkRun({ first, pages }: PageRun): void {
    this.#use(first, pages);
    const bytes = Buffer.allocUnsafe(PAGE_HEADER_BYTES);
    this.#fill(bytes, first);
    if (numberOf(bytes) !== first || runLength(bytes) !== pages) throw damaged(first);
  }

  /**
   * Reads pages in ascending order and marks them as used. Calls `visit` with the bytes and offset
   * of each page, which are valid during the call.
   */
  readEach<P extends { readonly page: number }>(
    ascending: readonly P[],
    visit: (page: P, bytes: Buffer, start: number, pageBytes: number) => void,
  ): void {
    const { pageBytes } = this.#bounds;
    for (let at = 0; at < ascending.length;) {
      const end = endOfWindow(ascending, at);
      const first = ascending[at]?.page ?? 0;
      const last = ascending[end - 1]?.page ?? 0;
      for (let each = at; each < end; each += 1) this.#use(ascending[each]?.page ?? 0, 1);
      this.#fill(this.#window.subarray(0, (last - first + 1) * pageBytes), first);
      for (; at < end; at += 1) {
        const wanted = ascending[at];
        if (wanted === undefined) break;
        const start = (wanted.page - first) * pageBytes;
        if (numberOf(this.#window, start) !== wanted.page) throw damaged(wanted.page);
        visit(wanted, this.#window, start, pageBytes);
      }
    }
  }

  /** Checks that a free page is not in use. */
  checkFree(page: number): void {
    if (page <= this.#bounds.lastPage && page >= HEADER_PAGES && !this.#isUsed(page)) return;
    throw new PageFault(`lists page ${page} as free, but uses it`);
  }

  #read(first: number, pages: number): Buffer {
    this.#use(first, pages);
    const bytes = Buffer.allocUnsafe(pages * this.#bounds.pageBytes);
    this.#fill(bytes, first);
    if (numberOf(bytes) !== first) throw damaged(first);
    return bytes;
  }

  #fill(bytes: Buffer, first: number): void {
    const position = first * this.#bounds.pageBytes;
    const length = readSync(this.#fd, bytes, 0, bytes.length, position);
    if (length < bytes.length) throw new PageFault('is truncated');
  }

  /** Marks pages as used. Each page belongs to exactly one tree, once. */
  #use(first: number, pages: number): void {
    const { lastPage, filePages } = this.#bounds;
    const end = first + pages;
    if (!(first >= HEADER_PAGES && end - 1 <= lastPage)) throw damaged(first);
    if (end > filePages) throw new PageFault('is truncated');
    if (this.#used === undefined) return;
    for (let page = first; page < end; page += 1) {
      if (this.#isUsed(page)) throw damaged(page);
      this.#used[page >>> 3] = (this.#used[page >>> 3] ?? 0) | (1 << (page & 7));
    }
  }

  #isUsed(page: number): boolean {
    return ((this.#used?.[page >>> 3] ?? 0) & (1 << (page & 7))) !== 0;
  }
}

/** Returns the index after the last page that one call to the system reads. */
function endOfWindow(ascending: readonly { readonly page: number }[], start: number): number {
  const first = ascending[start]?.page ?? 0;
  let end = start + 1;
  for (let before = first; end < ascending.length; end += 1) {
    const page = ascending[end]?.page ?? 0;
    if (page - before > GAP_PAGES + 1 || page - first >= WINDOW_PAGES) break;
    before = page;
  }
  return end;
}
