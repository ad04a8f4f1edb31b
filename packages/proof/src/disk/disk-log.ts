/**
 * Reads the log of the shim: every change to the files of a directory, and every answer that was
 * sent, in one order.
 */
import { appendFileSync } from 'node:fs';

const HEAD_BYTES = 32;
const ANSWER = 11;

const at = { kind: 0, flags: 4, inode: 8, offset: 16, length: 24 } as const;

/** One record of the log. */
export type DiskRecord =
  | {
      readonly type: 'write';
      readonly inode: bigint;
      readonly offset: number;
      readonly bytes: Buffer;
      /** Whether the write was durable when the call returned. */
      readonly isDurable: boolean;
    }
  | { readonly type: 'truncate'; readonly inode: bigint; readonly size: number }
  /** A sync makes earlier changes of the file, or of names in the directory, durable. */
  | { readonly type: 'sync-begin' | 'sync-end'; readonly inode: bigint; readonly sync: bigint }
  | { readonly type: 'make-file' | 'make-directory'; readonly inode: bigint; readonly path: string }
  | {
      readonly type: 'make-link';
      readonly inode: bigint;
      readonly target: string;
      readonly path: string;
    }
  | { readonly type: 'rename' | 'hard-link'; readonly from: string; readonly to: string }
  | { readonly type: 'remove'; readonly path: string }
  | { readonly type: 'answer'; readonly bytes: Buffer };

/** Returns the records of a log in order. Their bytes are slices of the log. */
export function readDiskLog(log: Buffer): DiskRecord[] {
  const records: DiskRecord[] = [];
  for (let start = 0; start < log.length;) {
    const end = start + HEAD_BYTES + Number(log.readBigUInt64LE(start + at.length));
    if (end > log.length) throw new Error('The log of the disk shim is truncated.');
    records.push(
      readRecord(log.subarray(start, start + HEAD_BYTES), log.subarray(start + HEAD_BYTES, end)),
    );
    start = end;
  }
  return records;
}

/** Appends a marker to a log, in the form of an answer. */
export function markDiskLog(path: string, mark: string): void {
  const bytes = Buffer.from(mark);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(ANSWER, at.kind);
  head.writeBigUInt64LE(BigInt(bytes.length), at.length);
  appendFileSync(path, Buffer.concat([head, bytes]));
}

function readRecord(head: Buffer, bytes: Buffer): DiskRecord {
  const kind = head.readUInt32LE(at.kind);
  const inode = head.readBigUInt64LE(at.inode);
  const number = head.readBigUInt64LE(at.offset);
  const [one = '', other = ''] = kind >= 5 && kind < ANSWER ? bytes.toString().split('\0') : [];
  switch (kind) {
    case 1: {
      const isDurable = head.readUInt32LE(at.flags) === 1;
      return { type: 'write', inode, offset: Number(number), bytes, isDurable };
    }
    case 2:
      return { type: 'truncate', inode, size: Number(number) };
    case 3:
    case 4:
      return { type: kind === 3 ? 'sync-begin' : 'sync-end', inode, sync: number };
    case 5:
    case 6:
      return { type: kind === 5 ? 'make-file' : 'make-directory', inode, path: one };
    case 7:
      return { type: 'make-link', inode, target: one, path: other };
    case 8:
    case 9:
      return { type: kind === 8 ? 'rename' : 'hard-link', from: one, to: other };
    case 10:
      return { type: 'remove', path: one };
    case ANSWER:
      return { type: 'answer', bytes };
    default:
      throw new Error(`The log of the disk shim has a record of kind ${kind}.`);
  }
}
