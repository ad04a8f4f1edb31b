/**
 * The contents of one file as a disk may hold them after a power loss: all synced contents, and of
 * the rest what the model of the loss keeps.
 */
import type { Random } from '@agentkeep/testkit/random';

/**
 * What survives of changes without a sync: nothing; about half, page by page; or sizes and names
 * without contents.
 */
export type Remnant = 'none' | 'half' | 'metadata';

const PAGE_BYTES = 4_096;
const GROWTH_BYTES = 65_536;

/** Bytes that were written. */
export interface Written {
  readonly offset: number;
  readonly bytes: Buffer;
  /** Whether the call waited for the disk. */
  readonly isDurable: boolean;
}

/** A change of contents without a sync. */
interface Pending {
  /** Position in the log. */
  readonly position: number;
  readonly change: { readonly offset: number; readonly bytes: Buffer } | { readonly size: number };
}

/** A file, or the text of a symbolic link. */
export class FileImage {
  readonly link: string | undefined;
  #bytes = Buffer.alloc(0);
  #size = 0;
  #pending: Pending[] = [];

  constructor(link?: string) {
    this.link = link;
  }

  /** Records written bytes, at a position in the log. */
  write(position: number, { isDurable, ...change }: Written): void {
    if (isDurable) this.#apply(change);
    else this.#pending.push({ position, change });
  }

  /** Records a new size. */
  truncate(position: number, size: number): void {
    this.#pending.push({ position, change: { size } });
  }

  /** Makes all changes before a position in the log durable. */
  sync(before: number): void {
    const reached = this.#pending.filter(({ position }) => position < before);
    this.#pending = this.#pending.filter(({ position }) => position >= before);
    for (const { change } of reached) this.#apply(change);
  }

  /** Returns the contents after a power loss at this moment. */
  contents(remnant: Remnant, random: Random): Buffer {
    const copy = new FileImage(this.link);
    copy.#bytes = Buffer.from(this.#bytes.subarray(0, this.#size));
    copy.#size = this.#size;
    for (const { change } of this.#pending) {
      if (remnant === 'half') copy.#applyHalf(change, random);
      if (remnant === 'metadata') copy.#resize(Math.max(copy.#size, endOf(change)));
    }
    return copy.#bytes.subarray(0, copy.#size);
  }

  #apply(change: Pending['change']): void {
    if ('size' in change) {
      this.#resize(change.size);
      return;
    }
    this.#resize(Math.max(this.#size, endOf(change)));
    change.bytes.copy(this.#bytes, change.offset);
  }

  #applyHalf(change: Pending['change'], random: Random): void {
    if ('size' in change) {
      if (random(2) === 0) this.#resize(change.size);
      return;
    }
    for (let start = change.offset; start < endOf(change);) {
      const end = Math.min(endOf(change), (Math.floor(start / PAGE_BYTES) + 1) * PAGE_BYTES);
      const bytes = change.bytes.subarray(start - change.offset, end - change.offset);
      if (random(2) === 0) this.#apply({ offset: start, bytes });
      start = end;
    }
  }

  #resize(size: number): void {
    if (size > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(size, 2 * this.#bytes.length, GROWTH_BYTES));
      this.#bytes.copy(grown, 0, 0, this.#size);
      this.#bytes = grown;
    }
    if (size < this.#size) this.#bytes.fill(0, size, this.#size);
    this.#size = size;
  }
}

function endOf(change: Pending['change']): number {
  return 'size' in change ? change.size : change.offset + change.bytes.length;
}
