/** Receipts of memory commands in the store. */
import type { Namespace } from '../../../kernel/access/namespace.js';
import { eachAs } from '../../../kernel/counts/each-as.js';
import { noteChange } from '../../../kernel/counts/noted-changes.js';
import { defineFamily } from '../../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { receiptLayout, type StoredReceipt } from './receipt-layout.js';

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
