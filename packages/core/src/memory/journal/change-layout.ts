/** The stored form of changes. Every memory command appends one, so it is binary and small. */
import { uuidAt, writeUuid } from '../../storage/store/key.js';
import type { ValueLayout } from '../../storage/store/value.js';
import { ACTIONS, type StoredReceipt } from '../record/receipt-layout.js';

/** A stored change of memory. It has neither content nor names. */
export interface StoredChange extends Pick<
  StoredReceipt,
  'recordId' | 'revision' | 'action' | 'committedAtMillis'
> {
  /** The digest of the namespace that the record is in. */
  readonly digest: Uint8Array;
}

const DIGEST_AT = 1;
const RECORD_ID_AT = DIGEST_AT + 32;
const REVISION_AT = RECORD_ID_AT + 16;
const COMMITTED_AT = REVISION_AT + 6;
const SIZE = COMMITTED_AT + 6;

/** The layout of changes: all members at fixed offsets. */
export const changeLayout: ValueLayout<StoredChange> = {
  version: 1,
  encode: ({ action, digest, recordId, revision, committedAtMillis }, before, behind) => {
    const bytes = Buffer.allocUnsafe(before + SIZE + behind);
    bytes[before] = ACTIONS.indexOf(action);
    bytes.set(digest, before + DIGEST_AT);
    writeUuid(bytes, before + RECORD_ID_AT, recordId);
    bytes.writeUIntBE(revision, before + REVISION_AT, 6);
    bytes.writeUIntBE(committedAtMillis, before + COMMITTED_AT, 6);
    return bytes;
  },
  decode: ({ bytes, start, end }) => {
    const action = ACTIONS[bytes[start] ?? ACTIONS.length];
    if (end - start !== SIZE || action === undefined) throw new RangeError('No change.');
    return {
      action,
      digest: Uint8Array.from(bytes.subarray(start + DIGEST_AT, start + RECORD_ID_AT)),
      recordId: uuidAt(bytes, start + RECORD_ID_AT),
      revision: bytes.readUIntBE(start + REVISION_AT, 6),
      committedAtMillis: bytes.readUIntBE(start + COMMITTED_AT, 6),
    };
  },
};
