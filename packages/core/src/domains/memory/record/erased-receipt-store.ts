/**
 * What is left of receipts that an erasure removed: keyed digests, so that a late repetition of
 * such a command is refused, and does not bring back what was erased.
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { hmacSha256 } from '../../../contract/digest.js';
import { encodeKey } from '../../../storage/store/key.js';
import { defineFamily } from '../../../storage/store/family.js';
import { jsonLayout } from '../../../storage/store/fields.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { memoryBatchReceipts } from './batch-receipt-store.js';
import { memoryReceipts } from './receipt-store.js';

/** The key of the digests of erased receipts, which an erasure makes. */
export const erasedReceiptKeys = defineFamily({
  name: 'erasedReceiptKeys',
  number: 113,
  key: [],
  layout: jsonLayout<string>(1),
  sealedBy: 'tenant',
  owner: 'tenant',
  exported: { not: 'secret' },
  erased: 'kept',
  counts: null,
});

/** Commands whose receipts were erased, by keyed digest. */
export const erasedReceipts = defineFamily({
  name: 'erasedReceipts',
  number: 114,
  key: ['digest'],
  layout: jsonLayout<null>(1),
  sealedBy: null,
  owner: 'tenant',
  exported: { not: 'receipt' },
  erased: 'kept',
  counts: null,
});

/** What names a receipt in its tenant. The receipts of batches belong to no namespace. */
export interface ReceiptName {
  readonly namespace: Uint8Array | null;
  readonly subjectId: string;
  readonly idempotencyKey: string;
}

/**
 * Keeps the digest of the key of a receipt that is removed. Without a key of digests so far,
 * `newKey` becomes it.
 */
export function keepReceiptDigest(
  tx: WriteTx,
  tenantId: string,
  receiptKey: Uint8Array,
  newKey: string,
): void {
  let key = erasedReceiptKeys.get(tx, tenantId);
  if (key === undefined) {
    erasedReceiptKeys.put(tx, newKey, tenantId);
    key = newKey;
  }
  erasedReceipts.put(tx, null, tenantId, digestOf(key, storedKey(tx, receiptKey)));
}

/**
 * Refuses to repeat a command whose receipt was erased.
 *
 * @throws {AgentkeepError} `command_erased`
 */
export function refuseErasedCommand(tx: WriteTx, tenantId: string, name: ReceiptName): void {
  const key = erasedReceiptKeys.get(tx, tenantId);
  if (key === undefined) return;
  const receiptKey = receiptKeyOf(tenantId, name);
  // It may have been erased before the store was encrypted.
  const isErased = [receiptKey, storedKey(tx, receiptKey)].some((each) =>
    erasedReceipts.has(tx, tenantId, digestOf(key, each)),
  );
  if (isErased) throw new AgentkeepError('command_erased');
}

function receiptKeyOf(
  tenantId: string,
  { namespace, subjectId, idempotencyKey }: ReceiptName,
): Uint8Array {
  const { number, shape } = namespace === null ? memoryBatchReceipts : memoryReceipts;
  const ofNamespace = namespace === null ? [] : [namespace];
  return encodeKey(tenantId, number, shape, [...ofNamespace, subjectId, idempotencyKey]);
}

/** The key as it is stored, which is all that an erasure sees of it. */
function storedKey(tx: WriteTx, receiptKey: Uint8Array): Uint8Array {
  return tx.storedKey?.(receiptKey) ?? receiptKey;
}

function digestOf(key: string, receiptKey: Uint8Array): Uint8Array {
  return Buffer.from(hmacSha256(Buffer.from(key, 'base64url'))(receiptKey, 'hex'), 'hex');
}
