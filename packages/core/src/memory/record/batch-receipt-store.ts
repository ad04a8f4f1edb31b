/** Receipts of batches in the store. The key of a batch belongs to its subject, not to a scope. */
import { noteChange } from '../../runtime/counts/noted-changes.js';
import { keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { batchReceiptLayout, type StoredBatchReceipt } from './batch-receipt-layout.js';

const receipts = new Subspace(keyspace.memoryBatchReceipts, batchReceiptLayout);

/** The subspace of receipts of batches, by its name in the key space. */
export const batchSubspaces = { memoryBatchReceipts: receipts };

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
  return receipts.get(tx, tenantId, subjectId, idempotencyKey);
}

/** Stores the receipt of a batch. */
export function insertBatchReceipt(
  tx: WriteTx,
  { tenantId, subjectId, idempotencyKey }: BatchKey,
  receipt: StoredBatchReceipt,
): void {
  const key = receipts.put(tx, receipt, tenantId, subjectId, idempotencyKey);
  noteChange(tx, 'receipts', 1, key);
}
