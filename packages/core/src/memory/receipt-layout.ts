/** The stored form of receipts of memory commands. Every command stores one, so it is binary. */
import { number, text, json } from '../storage/store/fields.js';
import { uuidAt, writeUuid } from '../storage/store/key.js';
import { fieldsLayout } from '../storage/store/layouts.js';
import type { ContentSpan, ValueLayout } from '../storage/store/value.js';
import type { Receipt } from './schema.js';

/** A stored receipt. Its subject and idempotency key are parts of its key. */
export interface StoredReceipt {
  /** SHA-256 of the command in normal form, in base64url. */
  readonly fingerprint: string;
  readonly recordId: string;
  readonly revision: number;
  readonly action: Receipt['action'];
  readonly committedAtMillis: number;
  readonly credentialId: string;
}

/** The actions, in the order of their stored numbers. */
export const ACTIONS = [
  'created',
  'updated',
  'deleted',
] as const satisfies readonly Receipt['action'][];

/** Size of a stored fingerprint. */
export const FINGERPRINT_BYTES = 32;
const RECORD_ID_AT = FINGERPRINT_BYTES;
const CREDENTIAL_ID_AT = RECORD_ID_AT + 16;
const ACTION_AT = CREDENTIAL_ID_AT + 16;
const REVISION_AT = ACTION_AT + 1;
const COMMITTED_AT = REVISION_AT + 8;
const SIZE = COMMITTED_AT + 8;

/** Version 1 was JSON. */
const layout1 = fieldsLayout<StoredReceipt>(1, {
  fingerprint: text,
  recordId: text,
  revision: number,
  action: json<Receipt['action']>(),
  committedAtMillis: number,
  credentialId: text,
});

/** The layout of receipts: all members at fixed places. */
export const receiptLayout: ValueLayout<StoredReceipt> = {
  version: 2,
  encode: (receipt, before, behind) => {
    const bytes = Buffer.allocUnsafe(before + SIZE + behind);
    bytes.write(receipt.fingerprint, before, FINGERPRINT_BYTES, 'base64url');
    writeUuid(bytes, before + RECORD_ID_AT, receipt.recordId);
    writeUuid(bytes, before + CREDENTIAL_ID_AT, receipt.credentialId);
    bytes[before + ACTION_AT] = ACTIONS.indexOf(receipt.action);
    bytes.writeDoubleBE(receipt.revision, before + REVISION_AT);
    bytes.writeDoubleBE(receipt.committedAtMillis, before + COMMITTED_AT);
    return bytes;
  },
  decode: ({ bytes, start, end }) => {
    const action = ACTIONS[bytes[start + ACTION_AT] ?? ACTIONS.length];
    if (end - start !== SIZE || action === undefined) throw new RangeError('No receipt.');
    return {
      fingerprint: bytes.toString('base64url', start, start + FINGERPRINT_BYTES),
      recordId: uuidAt(bytes, start + RECORD_ID_AT),
      revision: bytes.readDoubleBE(start + REVISION_AT),
      action,
      committedAtMillis: bytes.readDoubleBE(start + COMMITTED_AT),
      credentialId: uuidAt(bytes, start + CREDENTIAL_ID_AT),
    };
  },
  earlier: { 1: (content: ContentSpan) => layout1.decode(content) },
};
