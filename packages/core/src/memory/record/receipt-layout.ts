/** The stored form of receipts of memory commands. Every command stores one, so it is binary. */
import { compactSize, readCompact, writeCompact } from '../../storage/store/compact-integer.js';
import { number, text, json } from '../../storage/store/fields.js';
import { uuidAt, writeUuid } from '../../storage/store/key.js';
import { fieldsLayout } from '../../storage/store/layouts.js';
import type { ContentSpan, ValueLayout } from '../../storage/store/value.js';
import type { Receipt } from '../documents/schema.js';

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
  'restored',
  'redacted',
] as const satisfies readonly Receipt['action'][];

/** Size of a stored fingerprint. */
export const FINGERPRINT_BYTES = 32;
const RECORD_ID_AT = FINGERPRINT_BYTES;
const CREDENTIAL_ID_AT = RECORD_ID_AT + 16;
const ACTION_AT = CREDENTIAL_ID_AT + 16;
const NUMBERS_AT = ACTION_AT + 1;

/** Version 1 was JSON. */
const layout1 = fieldsLayout<StoredReceipt>(1, {
  fingerprint: text,
  recordId: text,
  revision: number,
  action: json<Receipt['action']>(),
  committedAtMillis: number,
  credentialId: text,
});

/** The layout of receipts: ids and action at fixed offsets, then revision and time as integers. */
export const receiptLayout: ValueLayout<StoredReceipt> = {
  version: 3,
  encode: (receipt, before, behind) => {
    const { revision, committedAtMillis } = receipt;
    const size = NUMBERS_AT + compactSize(revision) + compactSize(committedAtMillis);
    const bytes = Buffer.allocUnsafe(before + size + behind);
    bytes.write(receipt.fingerprint, before, FINGERPRINT_BYTES, 'base64url');
    writeUuid(bytes, before + RECORD_ID_AT, receipt.recordId);
    writeUuid(bytes, before + CREDENTIAL_ID_AT, receipt.credentialId);
    bytes[before + ACTION_AT] = ACTIONS.indexOf(receipt.action);
    const timeAt = writeCompact(bytes, before + NUMBERS_AT, revision);
    writeCompact(bytes, timeAt, committedAtMillis);
    return bytes;
  },
  decode: (content) => {
    const { bytes, start, end } = content;
    const revision = readCompact(bytes, start + NUMBERS_AT);
    const timeAt = start + NUMBERS_AT + compactSize(revision);
    const committedAtMillis = readCompact(bytes, timeAt);
    const isWhole = timeAt + compactSize(committedAtMillis) === end;
    return receiptOf(content, isWhole, { revision, committedAtMillis });
  },
  earlier: { 1: (content: ContentSpan) => layout1.decode(content), 2: decodeVersion2 },
};

/** Version 2 had both numbers as doubles. */
function decodeVersion2(content: ContentSpan): StoredReceipt {
  const { bytes, start, end } = content;
  const isWhole = end - start === NUMBERS_AT + 16;
  return receiptOf(content, isWhole, {
    revision: bytes.readDoubleBE(start + NUMBERS_AT),
    committedAtMillis: bytes.readDoubleBE(start + NUMBERS_AT + 8),
  });
}

function receiptOf(
  { bytes, start }: ContentSpan,
  isWhole: boolean,
  { revision, committedAtMillis }: Pick<StoredReceipt, 'revision' | 'committedAtMillis'>,
): StoredReceipt {
  const action = ACTIONS[bytes[start + ACTION_AT] ?? ACTIONS.length];
  if (!isWhole || action === undefined) throw new RangeError('No receipt.');
  return {
    fingerprint: bytes.toString('base64url', start, start + FINGERPRINT_BYTES),
    recordId: uuidAt(bytes, start + RECORD_ID_AT),
    revision,
    action,
    committedAtMillis,
    credentialId: uuidAt(bytes, start + CREDENTIAL_ID_AT),
  };
}
