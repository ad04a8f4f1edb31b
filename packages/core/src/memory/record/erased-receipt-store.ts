/**
 * What is left of receipts that an erasure removed: keyed digests, so that a late repetition of
 * such a command is refused, and does not bring back what was erased.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { hmacSha256 } from '../../contract/digest.js';
import { copyBytes } from '../../storage/store/bytes.js';
import { keyspace } from '../../storage/store/keyspace.js';
import { jsonLayout } from '../../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
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

/** Keeps the digest of a receipt that is removed. Without a key so far, `newKey` becomes it. */
export function keepReceiptDigest(
  tx: WriteTx,
  tenantId: string,
  name: ReceiptName,
  newKey: string,
): void {
  let key = keys.get(tx, tenantId);
  if (key === undefined) {
    keys.put(tx, newKey, tenantId);
    key = newKey;
  }
  erased.put(tx, null, tenantId, digestOf(key, name));
}

/**
 * Refuses to repeat a command whose receipt was erased.
 *
 * @throws {AgentkeepError} `command_erased`
 */
export function refuseErasedCommand(tx: ReadTx, tenantId: string, name: ReceiptName): void {
  const key = keys.get(tx, tenantId);
  if (key === undefined) return;
  if (erased.has(tx, tenantId, digestOf(key, name))) throw new AgentkeepError('command_erased');
}

function digestOf(key: string, { namespace, subjectId, idempotencyKey }: ReceiptName): Uint8Array {
  const of = namespace === null ? null : Buffer.from(copyBytes(namespace)).toString('hex');
  const text = JSON.stringify([of, subjectId, idempotencyKey]);
  return Buffer.from(hmacSha256(Buffer.from(key, 'base64url'))(text, 'hex'), 'hex');
}
