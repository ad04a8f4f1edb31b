/**
 * Frames: the puts and removals of one commit as bytes that can be kept and applied elsewhere. Each
 * contains the digest of the one before, so frames of one store form a chain.
 */
import { crc32 } from 'node:zlib';
import { sha256Text } from '../../contract/digest.js';
import { asBuffer } from '../store/bytes.js';
import { storeError } from '../store/store-error.js';

/** The digest that the first frame of a store contains. */
const NO_FRAME_DIGEST = '0'.repeat(64);

/** A write: a key as text of one character per byte, and its value; `undefined` is a removal. */
export type FrameWrite = readonly [key: string, value: Uint8Array | undefined];

/** What a frame says besides its writes. */
export interface FrameHead {
  /** 1 for the first frame of a store, and one more for each that follows. */
  readonly position: number;
  /** Time of the commit in Unix milliseconds, never below that of the frame before. */
  readonly timeMs: number;
  /** SHA-256 of the encoded frame before, in lower-case hexadecimal. */
  readonly previous: string;
}

/** The writes of one commit. */
export interface Frame extends FrameHead {
  /** In the order of the commit. A later write of a key replaces an earlier one. */
  readonly writes: readonly FrameWrite[];
}

/** A frame that was written, as the next one refers to it. */
export interface FramePoint {
  /** 0 before the first frame. */
  readonly position: number;
  readonly timeMs: number;
  /** SHA-256 of the encoded frame, in lower-case hexadecimal. */
  readonly digest: string;
}

/** The point before the first frame of a store. */
export const NO_FRAME: FramePoint = { position: 0, timeMs: 0, digest: NO_FRAME_DIGEST };

/*
 * A frame has a version (1 byte), the position and the time (6 each), the digest (32), the writes,
 * and a CRC-32 of all that. A write has the length of its key (2), that of its value plus one, or 0
 * for a removal (4), and both texts. Numbers are big-endian.
 */
const VERSION = 1;
const POSITION_AT = 1;
const TIME_AT = 7;
const PREVIOUS_AT = 13;
const NUMBER_BYTES = 6;
const WRITES_AT = 45;
const LENGTHS_BYTES = 6;
const CHECKSUM_BYTES = 4;

/** Bytes of a buffer that is kept for the next frame. */
const KEPT_BYTES = 1_048_576;

const FIRST_BYTES = 16_384;

/** Encodes one frame at a time into memory that it reuses. */
export class FrameEncoder {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #end = WRITES_AT;

  /** Begins a frame and forgets the writes of the last one. */
  begin(): void {
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = Buffer.allocUnsafe(FIRST_BYTES);
    this.#end = WRITES_AT;
  }

  /** Whether the frame has no writes. */
  get isEmpty(): boolean {
    return this.#end === WRITES_AT;
  }

  /** Adds a write. */
  add(key: string, value: Uint8Array | undefined): void {
    const at = this.#end;
    const valueAt = at + LENGTHS_BYTES + key.length;
    this.#end = valueAt + (value?.length ?? 0);
    this.#require(this.#end + CHECKSUM_BYTES);
    const bytes = this.#bytes;
    bytes.writeUInt16BE(key.length, at);
    bytes.writeUInt32BE(value === undefined ? 0 : value.length + 1, at + 2);
    bytes.write(key, at + LENGTHS_BYTES, 'latin1');
    if (value !== undefined) bytes.set(value, valueAt);
  }

  /** Returns the encoded frame, which is on loan until the next one begins. */
  end({ position, timeMs, previous }: FrameHead): Uint8Array {
    const bytes = this.#bytes;
    bytes[0] = VERSION;
    bytes.writeUIntBE(position, POSITION_AT, NUMBER_BYTES);
    bytes.writeUIntBE(timeMs, TIME_AT, NUMBER_BYTES);
    bytes.write(previous, PREVIOUS_AT, 'hex');
    bytes.writeUInt32BE(crc32(bytes.subarray(0, this.#end)), this.#end);
    return bytes.subarray(0, this.#end + CHECKSUM_BYTES);
  }

  #require(length: number): void {
    if (length <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length));
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }
}

/** Encodes a frame. */
export function encodeFrame({ writes, ...head }: Frame): Uint8Array {
  const encoder = new FrameEncoder();
  for (const [key, value] of writes) encoder.add(key, value);
  return encoder.end(head);
}

/** Returns the digest by which the next frame and the log of a replica refer to a frame. */
export function digestOfFrame(encoded: Uint8Array): string {
  return sha256Text(encoded, 'hex');
}

/** Returns the point of an encoded frame. */
export function pointOfFrame(encoded: Uint8Array): FramePoint {
  const { position, timeMs } = frameHead(encoded);
  return { position, timeMs, digest: digestOfFrame(encoded) };
}

/**
 * Reads what a frame says besides its writes, without a check of them.
 *
 * @throws {AgentkeepError} `storage_inconsistency` for bytes that don't begin as a frame does.
 */
export function frameHead(encoded: Uint8Array): FrameHead {
  const bytes = asBuffer(encoded);
  if (bytes.length < WRITES_AT + CHECKSUM_BYTES || bytes[0] !== VERSION) throw damaged();
  return {
    position: bytes.readUIntBE(POSITION_AT, NUMBER_BYTES),
    timeMs: bytes.readUIntBE(TIME_AT, NUMBER_BYTES),
    previous: bytes.toString('hex', PREVIOUS_AT, WRITES_AT),
  };
}

/** Whether bytes that are no damage are a frame of a later version of this software. */
export function isLaterFrame([version = 0]: Uint8Array): boolean {
  return version > VERSION;
}

/**
 * Decodes a frame. Its values refer to the given bytes.
 *
 * @throws {AgentkeepError} `storage_inconsistency` for bytes that are damaged or no frame.
 */
export function decodeFrame(encoded: Uint8Array): Frame {
  const head = frameHead(encoded);
  const bytes = asBuffer(encoded);
  const end = bytes.length - CHECKSUM_BYTES;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) throw damaged();
  const writes: FrameWrite[] = [];
  for (let at = WRITES_AT; at < end;) {
    if (at + LENGTHS_BYTES > end) throw damaged();
    const keyAt = at + LENGTHS_BYTES;
    const valueAt = keyAt + bytes.readUInt16BE(at);
    const stated = bytes.readUInt32BE(at + 2);
    at = valueAt + Math.max(stated - 1, 0);
    if (at > end) throw damaged();
    const key = bytes.toString('latin1', keyAt, valueAt);
    writes.push([key, stated === 0 ? undefined : bytes.subarray(valueAt, at)]);
  }
  return { ...head, writes };
}

function damaged(): Error {
  return storeError('storage_inconsistency', 'A frame of a commit is damaged.');
}
