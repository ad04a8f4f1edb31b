/** What keys of records and of search entries tell, as texts of one character per byte. */
import type { Namespace } from '../../../kernel/access/namespace.js';
import { keyText } from '../../../storage/store/bytes.js';
import { encodeKey } from '../../../storage/store/key.js';
import { memoryRecords, memoryScan } from './memory-store.js';

const UUID_BYTES = 16;
const DIGEST_BYTES = 32;

/** Returns what the keys of all search entries of a namespace start with, as {@link keyText}. */
export function entriesName({ tenantId, digest }: Namespace): string {
  return keyText(encodeKey(tenantId, memoryScan.number, memoryScan.shape, [digest]));
}

/** Returns where the record id starts in a written key if a search entry may be under it, or -1. */
export function idInEntryKey(key: string): number {
  const idAt = key.length - UUID_BYTES;
  return key.charCodeAt(idAt - DIGEST_BYTES - 1) === memoryScan.number ? idAt : -1;
}

/** Returns where the record id starts in a written key if a record may be under it, or -1. */
export function idInRecordKey(key: string): number {
  const idAt = key.length - UUID_BYTES;
  const subspaceAt = idAt - DIGEST_BYTES - 1;
  return key.charCodeAt(subspaceAt) === memoryRecords.number ? idAt : -1;
}

/** Returns {@link entriesName} of the namespace of a record's key. */
export function entriesNameOfRecord(key: string): string {
  const digestAt = key.length - UUID_BYTES - DIGEST_BYTES;
  const number = String.fromCharCode(memoryScan.number);
  return key.slice(0, digestAt - 1) + number + key.slice(digestAt, -UUID_BYTES);
}
