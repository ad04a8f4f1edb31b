/**
 * The slots of a replication log as bytes. A segment has the frames of commits; a claim says which
 * data directory writes the slots after it. Each contains the digest of the slot before.
 */
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, brotliDecompress, constants } from 'node:zlib';
import * as v from 'valibot';
import { sha256Text } from '../../../contract/digest.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import {
  frameHead,
  type FramePoint,
  isLaterFrame,
  pointOfFrame,
} from '../../../storage/frames/frame.js';
import { storeError } from '../../../storage/store/store-error.js';
import { laterLayout, parseLayout } from '../later-layout.js';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Shrinks as deflate does by default, and takes a quarter of its time (docs/adr/0114). */
const COMPRESSION = { [constants.BROTLI_PARAM_QUALITY]: 1 };

/** Most bytes of the output that Node.js asks for at once, each time from the event loop. */
const CHUNK_BYTES_MAX = 1_048_576;

/** Bytes that are compressed in the same turn, because a thread takes longer to begin. */
const AT_ONCE_BYTES_MAX = 65_536;

/** The digest that the first slot contains. */
export const NO_SLOT_DIGEST = '0'.repeat(64);

/** Most bytes of frames that a slot is read with. Writers stay far below. */
const FRAMES_BYTES_MAX = 2 ** 31;

const hexDigest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const name = v.pipe(v.string(), v.minLength(1));
const pointSchema = v.strictObject({ position: count, timeMs: count, digest: hexDigest });

/** Of the head and what follows it. Every version has the same mark, digest, length and JSON. */
const FORMAT = 1;

const common = {
  format: v.literal(FORMAT),
  slot: v.pipe(count, v.minValue(1)),
  /** Raised by each claim. */
  epoch: v.pipe(count, v.minValue(1)),
  /** Frames of one generation form one chain, which begins with a base copy. */
  generation: v.pipe(count, v.minValue(1)),
  /** Id of the store. */
  store: name,
  /** Id of the data directory that wrote the slot. */
  directory: name,
  /** Digest of the slot before. */
  previous: hexDigest,
};
const headSchema = v.variant('kind', [
  v.strictObject({
    ...common,
    kind: v.literal('claim'),
    /** Differs for each attempt, so that a writer recognises its own claim. */
    attempt: name,
    /** The frame after which the directory continues. */
    last: pointSchema,
  }),
  v.strictObject({
    ...common,
    kind: v.literal('segment'),
    first: v.strictObject({ position: count, timeMs: count }),
    last: pointSchema,
    frames: v.pipe(count, v.minValue(1)),
    /** Bytes of the frames before they were compressed. */
    bytes: v.pipe(count, v.maxValue(FRAMES_BYTES_MAX)),
  }),
]);

/** What a slot says besides its frames. */
export type SlotHead = v.InferOutput<typeof headSchema>;

/** A claim. */
export type ClaimHead = Extract<SlotHead, { kind: 'claim' }>;

/** A slot as it was read. */
export interface Slot {
  readonly head: SlotHead;
  /** SHA-256 by which the next slot refers to it, in lower-case hexadecimal. */
  readonly digest: string;
  /** The compressed frames; empty for a claim. */
  readonly body: Uint8Array;
}

/** A slot that is to be created. */
export interface EncodedSlot extends Slot {
  readonly bytes: Uint8Array;
}

/*
 * A slot has a mark (8 bytes), the SHA-256 of what follows (32), the length of its head (4,
 * big-endian), the head as JSON, and the compressed frames, each after its length (4).
 */
const MARK = Buffer.from('AKSLOT1\n');
const DIGEST_AT = MARK.length;
const LENGTH_AT = DIGEST_AT + 32;
const HEAD_AT = LENGTH_AT + 4;

/** Returns the name of a slot in the target. */
export function slotName(slot: number): string {
  return `log/${String(slot).padStart(16, '0')}`;
}

/** Returns the number of a slot by its name. */
export function slotOfName(objectName: string): number {
  const [, digits] = /^log\/(\d{16})$/.exec(objectName) ?? [];
  if (digits === undefined) {
    const detail = `${objectName} in the replication target is no slot of a log.`;
    throw storeError('replica_foreign', detail);
  }
  return Number(digits);
}

/** Encodes a claim. */
export function encodeClaim(head: Omit<ClaimHead, 'format' | 'kind'>): EncodedSlot {
  return encoded({ ...head, format: FORMAT, kind: 'claim' }, new Uint8Array());
}

/** Encodes a segment of at least one frame. The frames must form a chain. */
export async function encodeSegment(
  head: Pick<SlotHead, 'slot' | 'epoch' | 'generation' | 'store' | 'directory' | 'previous'>,
  frames: readonly Uint8Array[],
): Promise<EncodedSlot> {
  const [first, last] = [frames[0], frames.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('A segment needs a frame.');
  const { position, timeMs } = frameHead(first);
  const body = Buffer.concat(frames.flatMap((frame) => [lengthOf(frame), frame]));
  const segment: SlotHead = {
    ...head,
    format: FORMAT,
    kind: 'segment',
    first: { position, timeMs },
    last: pointOfFrame(last),
    frames: frames.length,
    bytes: body.length,
  };
  return encoded(segment, await compressed(body));
}

function compressed(body: Uint8Array): Buffer | Promise<Buffer> {
  if (body.length <= AT_ONCE_BYTES_MAX) return brotliCompressSync(body, { params: COMPRESSION });
  const chunkSize = Math.max(constants.Z_MIN_CHUNK, Math.min(body.length, CHUNK_BYTES_MAX));
  return compress(body, { params: COMPRESSION, chunkSize });
}

/**
 * Decodes a slot, whose frames stay compressed.
 * @throws {AgentkeepError} `replica_damaged`; `store_incompatible` if a later version wrote it.
 */
export function decodeSlot(slot: number, bytes: Uint8Array): Slot {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const digest = all.subarray(DIGEST_AT, LENGTH_AT).toString('hex');
  const isWhole =
    all.length > HEAD_AT &&
    all.subarray(0, DIGEST_AT).equals(MARK) &&
    sha256Text(all.subarray(LENGTH_AT), 'hex') === digest;
  if (!isWhole) throw damagedSlot(slot, 'its bytes are not those that were written');
  const bodyAt = HEAD_AT + all.readUInt32BE(LENGTH_AT);
  const layout = { schema: headSchema, known: { format: FORMAT } };
  try {
    const head = parseLayout(all.toString('utf8', HEAD_AT, bodyAt), layout, namedSlot(slot));
    return { head, digest, body: all.subarray(bodyAt) };
  } catch (cause) {
    if (cause instanceof AgentkeepError) throw cause;
    throw damagedSlot(slot, 'its head has no known form', cause);
  }
}

/**
 * Returns the encoded frames of a slot, after a check that they are the chain that it states; none
 * of a claim.
 * @throws {AgentkeepError} `replica_damaged`; `store_incompatible` if a later version wrote it.
 */
export async function framesOf({ head, body }: Slot): Promise<Uint8Array[]> {
  if (head.kind === 'claim') return [];
  const frames = await unpacked(head, body);
  // The digest of the slot holds, so this is no damage.
  if (frames.some(isLaterFrame)) throw laterLayout(namedSlot(head.slot));
  let before: FramePoint | undefined;
  for (const frame of frames) {
    const { position, previous } = frameHead(frame);
    const isNext =
      before === undefined
        ? position === head.first.position
        : position === before.position + 1 && previous === before.digest;
    if (!isNext) throw damagedSlot(head.slot, `the frame ${position} does not follow`);
    before = pointOfFrame(frame);
  }
  if (before?.position !== head.last.position || before.digest !== head.last.digest) {
    throw damagedSlot(head.slot, 'its last frame is not the one that it states');
  }
  return frames;
}

async function unpacked(
  { slot, bytes, frames: count }: Extract<SlotHead, { kind: 'segment' }>,
  body: Uint8Array,
): Promise<Uint8Array[]> {
  const all = await decompress(body, { maxOutputLength: bytes }).catch((cause: unknown) => {
    throw damagedSlot(slot, 'its frames cannot be unpacked', cause);
  });
  const frames: Uint8Array[] = [];
  for (let at = 0; at < all.length;) {
    const end = at + 4 <= all.length ? at + 4 + all.readUInt32BE(at) : Infinity;
    if (end > all.length) throw damagedSlot(slot, 'its last frame is cut');
    frames.push(all.subarray(at + 4, end));
    at = end;
  }
  if (frames.length !== count) throw damagedSlot(slot, `it has ${frames.length} frames`);
  return frames;
}

/** Makes the error for a slot that does not verify. */
export function damagedSlot(slot: number, why: string, cause?: unknown): Error {
  const detail = `The object ${slotName(slot)} of the replication target is damaged: ${why}.`;
  return storeError('replica_damaged', detail, cause);
}

function namedSlot(slot: number): string {
  return `${slotName(slot)} of the replication target`;
}

function encoded(head: SlotHead, body: Uint8Array): EncodedSlot {
  const text = Buffer.from(JSON.stringify(head));
  const rest = Buffer.concat([lengthOf(text), text, body]);
  const digest = sha256Text(rest, 'hex');
  const bytes = Buffer.concat([MARK, Buffer.from(digest, 'hex'), rest]);
  return { head, digest, body, bytes };
}

function lengthOf(bytes: Uint8Array): Uint8Array {
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(bytes.length);
  return length;
}
