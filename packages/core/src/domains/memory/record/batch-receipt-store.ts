/** Receipts of batches in the store. The key of a batch belongs to its subject, not to a scope. */
import { eachAs, noteChange } from '../../../kernel/counts/counts.js';
import { defineFamily } from '../../../storage/store/family.js';
import { uuidAt, writeUuid } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { ValueLayout } from '../../../storage/store/value.js';
import { actionByte, actionIn, FINGERPRINT_BYTES, type StoredReceipt } from './receipt-store.js';

/** The outcome of one command of a batch. */
type StoredOutcome = Pick<StoredReceipt, 'recordId' | 'revision' | 'action'>;

/** A stored receipt of a batch. Its subject and idempotency key are parts of its key. */
export interface StoredBatchReceipt extends Pick<
  StoredReceipt,
  'fingerprint' | 'credentialId' | 'committedAtMillis' | 'isProposed'
> {
  /** One for each command, in their order. */
  readonly outcomes: readonly StoredOutcome[];
}

const CREDENTIAL_ID_AT = FINGERPRINT_BYTES;
const COMMITTED_AT = CREDENTIAL_ID_AT + 16;
const OUTCOMES_AT = COMMITTED_AT + 8;

/** Offsets in an outcome. */
const ACTION_AT = 16;
const REVISION_AT = ACTION_AT + 1;
const OUTCOME_BYTES = REVISION_AT + 8;

/** The layout of receipts of batches: members at fixed offsets, then the outcomes. */
const batchReceiptLayout: ValueLayout<StoredBatchReceipt> = {
  version: 2,
  encode: (receipt, before, behind) => {
    const { fingerprint, credentialId, committedAtMillis, outcomes, isProposed } = receipt;
    const size = OUTCOMES_AT + outcomes.length * OUTCOME_BYTES;
    const bytes = Buffer.allocUnsafe(before + size + behind);
    bytes.write(fingerprint, before, FINGERPRINT_BYTES, 'base64url');
    writeUuid(bytes, before + CREDENTIAL_ID_AT, credentialId);
    bytes.writeDoubleBE(committedAtMillis, before + COMMITTED_AT);
    let at = before + OUTCOMES_AT;
    for (const { recordId, action, revision } of outcomes) {
      writeUuid(bytes, at, recordId);
      bytes[at + ACTION_AT] = actionByte(action, isProposed);
      bytes.writeDoubleBE(revision, at + REVISION_AT);
      at += OUTCOME_BYTES;
    }
    return bytes;
  },
  decode: ({ bytes, start, end }) => {
    const outcomes: StoredOutcome[] = [];
    let isProposed = false;
    for (let at = start + OUTCOMES_AT; at < end; at += OUTCOME_BYTES) {
      const { action, ...read } = actionIn(bytes[at + ACTION_AT]);
      if (at + OUTCOME_BYTES > end || action === undefined) throw new RangeError('No receipt.');
      ({ isProposed } = read);
      const revision = bytes.readDoubleBE(at + REVISION_AT);
      outcomes.push({ recordId: uuidAt(bytes, at), revision, action });
    }
    return {
      fingerprint: bytes.toString('base64url', start, start + FINGERPRINT_BYTES),
      credentialId: uuidAt(bytes, start + CREDENTIAL_ID_AT),
      committedAtMillis: bytes.readDoubleBE(start + COMMITTED_AT),
      outcomes,
      ...(isProposed ? { isProposed } : {}),
    };
  },
};

/** Receipts of memory batches, by subject and idempotency key. */
export const memoryBatchReceipts = defineFamily({
  name: 'memoryBatchReceipts',
  number: 64,
  key: ['text', 'text'],
  layout: batchReceiptLayout,
  sealedBy: 'subject',
  digests: [0, 1],
  owner: 'subject',
  exported: { not: 'receipt' },
  erased: 'digested',
  counts: eachAs('receipts'),
});

/** The key of a batch. */
export interface BatchKey {
  readonly tenantId: string;
  readonly subjectId: string;
  readonly idempotencyKey: string;
}

/** Returns the receipt of a batch, or `undefined`. */
export function findBatchReceipt(
  tx: ReadTx,
  { tenantId, subjectId, idempotencyKey }: BatchKey,
): StoredBatchReceipt | undefined {
  return memoryBatchReceipts.get(tx, tenantId, subjectId, idempotencyKey);
}

/** Stores the receipt of a batch. */
export function insertBatchReceipt(
  tx: WriteTx,
  { tenantId, subjectId, idempotencyKey }: BatchKey,
  receipt: StoredBatchReceipt,
): void {
  const key = memoryBatchReceipts.put(tx, receipt, tenantId, subjectId, idempotencyKey);
  noteChange(tx, 'receipts', 1, key);
}
