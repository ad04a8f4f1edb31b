/** Receipts of batches in the store. The key of a batch belongs to its subject, not to a scope. */
import { eachAs } from '../../../kernel/counts/each-as.js';
import { noteChange } from '../../../kernel/counts/noted-changes.js';
import { defineFamily } from '../../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { batchReceiptLayout, type StoredBatchReceipt } from './batch-receipt-layout.js';

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
