/**
 * Stores receipts of commands.
 *
 * The stored form of receipts of memory commands. Every command stores one, so it is binary.
 */
import type { Namespace } from '../../../kernel/access/namespace.js';
import { eachAs, noteChange } from '../../../kernel/counts/counts.js';
import { compactSize, readCompact, writeCompact } from '../../../storage/store/compact-integer.js';
import { defineFamily } from '../../../storage/store/family.js';
import { uuidAt, writeUuid } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { ValueLayout } from '../../../storage/store/value.js';
import type { RecordAction } from '../documents/record-action.js';

/** A stored receipt. Its subject and idempotency key are parts of its key. */
export interface StoredReceipt {
  /** SHA-256 of the command in normal form, in base64url. */
  readonly fingerprint: string;
  readonly recordId: string;
  readonly revision: number;
  readonly action: RecordAction;
  readonly committedAtMillis: number;
  readonly credentialId: string;
  /** Whether the command became a proposal, whatever was decided of it; absent for no. */
  readonly isProposed?: boolean;
}

/** The actions, in the order of their stored numbers. */
export const ACTIONS = [
  'created',
  'updated',
  'deleted',
  'restored',
  'redacted',
] as const satisfies readonly RecordAction[];

/** In the byte of an action: the command became a proposal. */
const IS_PROPOSED = 0x80;

/** Returns an action as one byte. */
export function actionByte(action: RecordAction, isProposed = false): number {
  return ACTIONS.indexOf(action) | (isProposed ? IS_PROPOSED : 0);
}

/** Reads a byte of {@link actionByte}; no action for one that is none. */
export function actionIn(byte: number | undefined): {
  readonly action: RecordAction | undefined;
  readonly isProposed: boolean;
} {
  const isProposed = byte !== undefined && (byte & IS_PROPOSED) !== 0;
  return { action: ACTIONS[(byte ?? ACTIONS.length) & ~IS_PROPOSED], isProposed };
}

/** Size of a stored fingerprint. */
export const FINGERPRINT_BYTES = 32;
const RECORD_ID_AT = FINGERPRINT_BYTES;
const CREDENTIAL_ID_AT = RECORD_ID_AT + 16;
const ACTION_AT = CREDENTIAL_ID_AT + 16;
const NUMBERS_AT = ACTION_AT + 1;

/** The layout of receipts: ids and action at fixed offsets, then revision and time as integers. */
const receiptLayout: ValueLayout<StoredReceipt> = {
  version: 4,
  encode: (receipt, before, behind) => {
    const { revision, committedAtMillis } = receipt;
    const size = NUMBERS_AT + compactSize(revision) + compactSize(committedAtMillis);
    const bytes = Buffer.allocUnsafe(before + size + behind);
    bytes.write(receipt.fingerprint, before, FINGERPRINT_BYTES, 'base64url');
    writeUuid(bytes, before + RECORD_ID_AT, receipt.recordId);
    writeUuid(bytes, before + CREDENTIAL_ID_AT, receipt.credentialId);
    bytes[before + ACTION_AT] = actionByte(receipt.action, receipt.isProposed);
    const timeAt = writeCompact(bytes, before + NUMBERS_AT, revision);
    writeCompact(bytes, timeAt, committedAtMillis);
    return bytes;
  },
  decode: ({ bytes, start, end }) => {
    const revision = readCompact(bytes, start + NUMBERS_AT);
    const timeAt = start + NUMBERS_AT + compactSize(revision);
    const committedAtMillis = readCompact(bytes, timeAt);
    const { action, isProposed } = actionIn(bytes[start + ACTION_AT]);
    const isWhole = timeAt + compactSize(committedAtMillis) === end;
    if (!isWhole || action === undefined) throw new RangeError('No receipt.');
    return {
      fingerprint: bytes.toString('base64url', start, start + FINGERPRINT_BYTES),
      recordId: uuidAt(bytes, start + RECORD_ID_AT),
      revision,
      action,
      committedAtMillis,
      credentialId: uuidAt(bytes, start + CREDENTIAL_ID_AT),
      ...(isProposed ? { isProposed } : {}),
    };
  },
};

/** Receipts of memory commands, by namespace, subject and idempotency key. */
export const memoryReceipts = defineFamily({
  name: 'memoryReceipts',
  number: 8,
  key: ['digest', 'text', 'text'],
  layout: receiptLayout,
  sealedBy: 'namespace',
  digests: [1, 2],
  owner: 'scope',
  subjectAt: 1,
  exported: { not: 'receipt' },
  erased: 'digested',
  counts: eachAs('receipts'),
});

/** Returns the receipt under an idempotency key of a subject, or `undefined`. */
export function findReceipt(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  subjectId: string,
  idempotencyKey: string,
): StoredReceipt | undefined {
  return memoryReceipts.get(tx, tenantId, digest, subjectId, idempotencyKey);
}

/** Stores the receipt of a command. */
export function insertReceipt(
  tx: WriteTx,
  { tenantId, digest }: Namespace,
  command: { subjectId: string; idempotencyKey: string },
  receipt: StoredReceipt,
): void {
  const { subjectId, idempotencyKey } = command;
  const key = memoryReceipts.put(tx, receipt, tenantId, digest, subjectId, idempotencyKey);
  noteChange(tx, 'receipts', 1, key);
}
