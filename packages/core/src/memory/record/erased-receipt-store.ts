/**
 * What is left of receipts that an erasure removed: keyed digests, so that a late repetition of
 * such a command is refused, and does not bring back what was erased.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { hmacSha256 } from '../../contract/digest.js';
import { encodeKey } from '../../storage/store/key.js';
import { keyspace } from '../../storage/store/keyspace.js';
import { jsonLayout } from '../../storage/store/layouts.js';
import type { WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';

const keys = new Subspace(keyspace.erasedReceiptKeys, jsonLayout<string>(1));
const erased = new Subspace(keyspace.erasedReceipts, jsonLayout<null>(1));

/** The subspaces of erased receipts, by their names in the key space. */
export const erasedReceiptSubspaces = { erasedReceiptKeys: keys, erasedReceipts: erased };

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
  let key = keys.get(tx, tenantId);
  if (key === undefined) {
    keys.put(tx, newKey, tenantId);
    key = newKey;
  }
  erased.put(tx, null, tenantId, digestOf(key, storedKey(tx, receiptKey)));
}

/**
 * Refuses to repeat a command whose receipt was erased.
 *
 * @throws {AgentkeepError} `command_erased`
 */
export function refuseErasedCommand(tx: WriteTx, tenantId: string, name: ReceiptName): void {
  const key = keys.get(tx, tenantId);
  if (key === undefined) return;
  const receiptKey = receiptKeyOf(tenantId, name);
  // It may have been erased before the store was encrypted.
  const isErased = [receiptKey, storedKey(tx, receiptKey)].some((each) =>
    erased.has(tx, tenantId, digestOf(key, each)),
  );
  if (isErased) throw new AgentkeepError('command_erased');
}

function receiptKeyOf(
  tenantId: string,
  { namespace, subjectId, idempotencyKey }: ReceiptName,
): Uint8Array {
  const { memoryReceipts: ofScope, memoryBatchReceipts: ofBatch } = keyspace;
  const { number, shape } = namespace === null ? ofBatch : ofScope;
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
