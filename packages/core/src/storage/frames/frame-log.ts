/**
 * The frames of a data file, in a tree of their own. A frame is written by the transaction whose
 * writes it contains, so it exists if and only if its commit does. Frames that are elsewhere are
 * removed by later transactions, a few at a time.
 */
import type { Database, RootDatabase } from 'lmdb';
import { sha256Text } from '../../contract/digest.js';
import { asBuffer } from '../store/bytes.js';
import { FrameEncoder, frameHead, type FramePoint, NO_FRAME, pointOfFrame } from './frame.js';
import type { WriteTarget } from '../store/overlay.js';
import { storeError } from '../store/store-error.js';

type Tree = Database<Buffer, Buffer>;

/** The name of the tree, which a data file has once its frames were kept. */
const TREE = 'frames';

const KEY_BYTES = 6;
const DIGEST_BYTES = 32;
const POINT_BYTES = 2 * KEY_BYTES + DIGEST_BYTES;

/** Most frames that one transaction removes, so that none takes long. */
const REMOVED_MAX = 128;

/** Where the frames of a data file begin, and what is known to be elsewhere. */
export interface FrameSpan {
  /** The last frame that is not kept any more. Frames after it are kept. */
  readonly kept: FramePoint;
  /** The last frame that is known to be elsewhere. */
  readonly shipped: FramePoint;
  /** Whether commits up to {@link kept} are in no frame, so that frames alone don't suffice. */
  readonly hasGap: boolean;
}

/** The frames of an open store, for what sends them elsewhere. */
export interface FrameFeed extends FrameSpan {
  /** The frame of the last commit that wrote anything. */
  readonly tip: FramePoint;
  /** Bytes of the frames after {@link FrameSpan.kept}. After an opening an estimate. */
  readonly waitingBytes: number;
  /** Returns the point of a frame, or `undefined` if it is not kept. */
  pointAt(position: number): FramePoint | undefined;
  /**
   * Returns the encoded frames after a position, in order: one, and more up to a number of bytes.
   *
   * @throws {AgentkeepError} `storage_inconsistency` if a frame is missing.
   */
  read(after: number, bytesMax: number): Uint8Array[];
  /** Notes that frames of so many bytes are elsewhere. Later commits remove them. */
  noteShipped(last: FramePoint, bytes: number): void;
  /** Gives up all frames that are kept, which leaves a gap. Later commits remove them. */
  drop(): void;
  /** Notes that a copy of the store stands for the frames before the gap. */
  closeGap(): void;
  /** Calls back after each commit that wrote a frame. Must not throw. */
  onCommit(listener: () => void): void;
}

/** What a transaction changes, once it is committed. */
interface Pending {
  readonly tip: FramePoint;
  readonly bytes: number;
  readonly low: number;
  readonly span: FrameSpan;
}

/** Adds to each transaction what the frames need. */
export interface FrameRecorder {
  /** Begins a transaction, which writes to the returned target. */
  begin(target: WriteTarget): WriteTarget;
  /** Writes what the frames need, inside of the transaction. */
  end(): void;
  /** Ends a transaction, which is committed or has failed. */
  settle(isCommitted: boolean): void;
}

/**
 * Marks a gap in a data file whose frames are not kept while it is open, with the first commit that
 * writes anything, because that is in no frame.
 */
export class FrameGap implements FrameRecorder {
  readonly #tree: Tree;
  #isMarked = false;
  #hasWrites = false;

  private constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Returns `undefined` for a data file that never had frames. */
  static open(root: RootDatabase): FrameGap | undefined {
    const tree = openTree(root, false);
    return tree && new FrameGap(tree);
  }

  begin(target: WriteTarget): WriteTarget {
    this.#hasWrites = false;
    if (this.#isMarked) return target;
    return {
      put: (key, value) => {
        this.#hasWrites = true;
        target.put(key, value);
      },
      remove: (key) => {
        this.#hasWrites = true;
        target.remove(key);
      },
    };
  }

  end(): void {
    if (!this.#hasWrites) return;
    const span = storedSpan(this.#tree);
    const { position, timeMs, digest } = tipOf(this.#tree, span);
    // A position that no frame has: nothing that was sent can be taken for the state behind it.
    const kept = { position: position + 1, timeMs, digest: sha256Text(`gap ${digest}`, 'hex') };
    putSpan(this.#tree, { ...span, kept, hasGap: true });
  }

  settle(isCommitted: boolean): void {
    if (isCommitted && this.#hasWrites) this.#isMarked = true;
    this.#hasWrites = false;
  }
}

/** What a tree answers when it appends: whether it did, which its own types leave out. */
interface Appending {
  putSync(key: ReturnType<typeof keyAt>, value: Uint8Array, options: { append: true }): boolean;
}

/** Writes, reads and removes frames. */
export class FrameLog implements FrameFeed, FrameRecorder {
  readonly #tree: Tree;
  readonly #now: () => number;
  readonly #encoder = new FrameEncoder();
  readonly #listeners: (() => void)[] = [];
  #tip: FramePoint;
  #span: FrameSpan;
  /** The span that the data file has. */
  #stored: FrameSpan;
  /** The least position of a frame in the tree. */
  #low: number;
  #waitingBytes: number;
  #pending: Pending | undefined;

  private constructor(tree: Tree, now: () => number) {
    this.#tree = tree;
    this.#now = now;
    this.#stored = storedSpan(tree);
    this.#span = this.#stored;
    this.#low = lowestIn(tree) ?? this.#span.kept.position + 1;
    this.#tip = tipOf(tree, this.#span);
    this.#waitingBytes = this.#tip.position === this.#span.kept.position ? 0 : bytesOf(tree);
  }

  /** Opens the frames of a data file, and makes their tree if there is none. */
  static open(root: RootDatabase, now: () => number): FrameLog {
    const tree = openTree(root, true);
    if (tree === undefined) throw noTree();
    return new FrameLog(tree, now);
  }

  /**
   * Returns the last frame of a data file, or `undefined` if it never had any; with a position,
   * that frame, or `undefined` if it is not kept.
   */
  static pointIn(root: RootDatabase, position?: number): FramePoint | undefined {
    const tree = openTree(root, false);
    if (tree === undefined) return undefined;
    const last = tipOf(tree, storedSpan(tree));
    if (position === undefined || position === last.position) return last;
    const frame = position === 0 ? undefined : tree.get(keyAt(position));
    return frame && pointOfFrame(frame);
  }

  /** Returns whether a data file has commits that are in no frame and in no copy that was sent. */
  static hasGapIn(root: RootDatabase): boolean {
    const tree = openTree(root, false);
    return tree !== undefined && storedSpan(tree).hasGap;
  }

  /** Lets the frames of a data file continue after a point that was reached elsewhere. */
  static continueAfter(root: RootDatabase, point: FramePoint): void {
    const note = FrameLog.elsewhere(root);
    root.transactionSync(() => {
      note(point);
    });
  }

  /**
   * Returns what notes, in a transaction, that frames continue after a point that was reached
   * elsewhere. Frames of the data file itself are removed.
   */
  static elsewhere(root: RootDatabase): (point: FramePoint) => void {
    const tree = openTree(root, true);
    if (tree === undefined) throw noTree();
    return (point) => {
      tree.clearSync();
      putSpan(tree, { kept: point, shipped: point, hasGap: false });
    };
  }

  get tip(): FramePoint {
    return this.#tip;
  }

  get kept(): FramePoint {
    return this.#span.kept;
  }

  get shipped(): FramePoint {
    return this.#span.shipped;
  }

  get hasGap(): boolean {
    return this.#span.hasGap;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Begins the frame of a transaction. What is written to the returned target is in it. */
  begin(target: WriteTarget): WriteTarget {
    const encoder = this.#encoder;
    encoder.begin();
    return {
      put: (key, value) => {
        target.put(key, value);
        encoder.add(key, value);
      },
      remove: (key) => {
        target.remove(key);
        encoder.add(key, undefined);
      },
    };
  }

  /** Writes the frame, and removes frames that are not needed any more. */
  end(): void {
    let tip = this.#tip;
    let bytes = 0;
    if (!this.#encoder.isEmpty) {
      const position = tip.position + 1;
      // A clock that is set back must not change the order of frames.
      const timeMs = Math.max(this.#now(), tip.timeMs);
      const frame = this.#encoder.end({ position, timeMs, previous: tip.digest });
      this.#append(position, frame);
      tip = pointOfFrame(frame);
      bytes = frame.length;
    }
    if (this.#span !== this.#stored) putSpan(this.#tree, this.#span);
    const low = Math.min(this.#low + REMOVED_MAX, this.#span.kept.position + 1);
    for (let at = this.#low; at < low; at += 1) this.#tree.removeSync(keyAt(at));
    this.#pending = { tip, bytes, low: Math.max(low, this.#low), span: this.#span };
  }

  /** Ends a transaction, which is committed or has failed. */
  settle(isCommitted: boolean): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (!isCommitted || pending === undefined) return;
    this.#stored = pending.span;
    this.#low = pending.low;
    if (pending.tip === this.#tip) return;
    this.#tip = pending.tip;
    this.#waitingBytes += pending.bytes;
    for (const listener of this.#listeners) listener();
  }

  /** Positions only grow, so LMDB need not look for the place of a frame, nor divide a page. */
  #append(position: number, frame: Uint8Array): void {
    const tree = this.#tree as unknown as Appending;
    if (tree.putSync(keyAt(position), asBuffer(frame), { append: true })) return;
    throw storeError('storage_inconsistency', `The frame ${String(position)} is not the last one.`);
  }

  pointAt(position: number): FramePoint | undefined {
    for (const known of [this.#tip, this.kept, this.shipped]) {
      if (known.position === position) return known;
    }
    if (position > this.#tip.position) return undefined;
    const frame = this.#tree.get(keyAt(position));
    return frame && pointOfFrame(frame);
  }

  read(after: number, bytesMax: number): Uint8Array[] {
    const frames: Uint8Array[] = [];
    let bytes = 0;
    for (let position = after + 1; position <= this.#tip.position; position += 1) {
      const frame = this.#tree.get(keyAt(position));
      if (frame === undefined || frameHead(frame).position !== position) {
        throw storeError('storage_inconsistency', `The frame ${String(position)} is missing.`);
      }
      bytes += frame.length;
      if (frames.length > 0 && bytes > bytesMax) break;
      frames.push(frame);
    }
    return frames;
  }

  noteShipped(last: FramePoint, bytes: number): void {
    this.#span = { ...this.#span, kept: last, shipped: last };
    const isAll = last.position === this.#tip.position;
    this.#waitingBytes = isAll ? 0 : Math.max(0, this.#waitingBytes - bytes);
  }

  drop(): void {
    this.#span = { ...this.#span, kept: this.#tip, hasGap: true };
    this.#waitingBytes = 0;
  }

  closeGap(): void {
    this.#span = { ...this.#span, shipped: this.#span.kept, hasGap: false };
  }

  onCommit(listener: () => void): void {
    this.#listeners.push(listener);
  }
}

function openTree(root: RootDatabase, create: boolean): Tree | undefined {
  const options: object = { name: TREE, encoding: 'binary', keyEncoding: 'binary', create };
  // openDB returns `undefined` if there is no such database, contrary to its types.
  return root.openDB<Buffer, Buffer>(TREE, options);
}

function noTree(): Error {
  return storeError('store_unavailable', 'The tree of frames cannot be made.');
}

/** The key of a frame; 0 is that of the span. */
function keyAt(position: number): Buffer {
  const key = Buffer.allocUnsafe(KEY_BYTES);
  key.writeUIntBE(position, 0, KEY_BYTES);
  return key;
}

function lowestIn(tree: Tree): number | undefined {
  const [first] = tree.getKeys({ start: keyAt(1), limit: 1 });
  return first?.readUIntBE(0, KEY_BYTES);
}

function tipOf(tree: Tree, { kept }: FrameSpan): FramePoint {
  const [last] = tree.getKeys({ reverse: true, limit: 1 });
  const position = last?.readUIntBE(0, KEY_BYTES) ?? 0;
  if (position <= kept.position) return kept;
  const frame = tree.get(keyAt(position));
  if (frame === undefined) throw storeError('storage_inconsistency', 'The last frame is missing.');
  return pointOfFrame(frame);
}

function bytesOf(tree: Tree): number {
  const { pageSize, treeLeafPageCount, overflowPages } = tree.getStats() as Record<
    'pageSize' | 'treeLeafPageCount' | 'overflowPages',
    number
  >;
  return pageSize * (treeLeafPageCount + overflowPages);
}

function storedSpan(tree: Tree): FrameSpan {
  const bytes = tree.get(keyAt(0));
  if (bytes === undefined) return { kept: NO_FRAME, shipped: NO_FRAME, hasGap: false };
  if (bytes.length !== 2 * POINT_BYTES + 1) {
    throw storeError('storage_inconsistency', 'The span of the frames is damaged.');
  }
  const pointFrom = (start: number): FramePoint => ({
    position: bytes.readUIntBE(start, KEY_BYTES),
    timeMs: bytes.readUIntBE(start + KEY_BYTES, KEY_BYTES),
    digest: bytes.toString('hex', start + 2 * KEY_BYTES, start + POINT_BYTES),
  });
  const hasGap = bytes[2 * POINT_BYTES] === 1;
  return { kept: pointFrom(0), shipped: pointFrom(POINT_BYTES), hasGap };
}

function putSpan(tree: Tree, { kept, shipped, hasGap }: FrameSpan): void {
  const bytes = Buffer.alloc(2 * POINT_BYTES + 1);
  for (const [index, { position, timeMs, digest }] of [kept, shipped].entries()) {
    const start = index * POINT_BYTES;
    bytes.writeUIntBE(position, start, KEY_BYTES);
    bytes.writeUIntBE(timeMs, start + KEY_BYTES, KEY_BYTES);
    bytes.write(digest, start + 2 * KEY_BYTES, 'hex');
  }
  bytes[2 * POINT_BYTES] = hasGap ? 1 : 0;
  tree.putSync(keyAt(0), bytes);
}
