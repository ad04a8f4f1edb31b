/** Records and revisions at the end of stored keys: namespace, record, revision. */
import { uuidAt, writeUuid } from '../../../storage/store/key.js';

const DIGEST_BYTES = 32;
const UUID_BYTES = 16;
const INTEGER_BYTES = 8;

/** A record as a key names it. */
export interface KeyedRecord {
  readonly digest: Uint8Array;
  readonly recordId: string;
}

/** A revision as a key names it. */
export interface RevisedKey extends KeyedRecord {
  readonly revision: number;
}

/** The bytes that a revision takes in a key. */
export const REVISED_KEY_BYTES = DIGEST_BYTES + UUID_BYTES + INTEGER_BYTES;

/** Returns a revision as it stands in a key; {@link revisionInKey} reads it. */
export function revisedKeyBytes({ digest, recordId, revision }: RevisedKey): Buffer {
  const bytes = Buffer.alloc(REVISED_KEY_BYTES);
  bytes.set(digest);
  const at = writeUuid(bytes, DIGEST_BYTES, recordId);
  bytes.writeBigUInt64BE(BigInt(revision), at);
  return bytes;
}

/** Returns the record of a key that ends with a namespace and a record id. */
export function recordInKey(key: Uint8Array): KeyedRecord {
  const idAt = key.length - UUID_BYTES;
  const digest = Uint8Array.from(key.subarray(idAt - DIGEST_BYTES, idAt));
  return { digest, recordId: uuidAt(key, idAt) };
}

/** Returns the record and the revision of a key that ends with a revision. */
export function revisionInKey(key: Uint8Array): RevisedKey {
  const at = key.length - INTEGER_BYTES;
  const revision = Number(Buffer.from(key.subarray(at)).readBigUInt64BE());
  return { ...recordInKey(key.subarray(0, at)), revision };
}
