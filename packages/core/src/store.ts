/**
 * What stores are made of, for packages that bring one: the port with its bounds, the rules that
 * all stores share, and the errors that they report.
 * @module
 */
export { sha256 } from './contract/digest.js';
export { AgentkeepError } from './contract/errors/agentkeep-error.js';
export { storeError } from './storage/lmdb-store/failure.js';
export { writeStoreDirectory } from './storage/lmdb-store/write-store-directory.js';
export { keyBytes, keyText, ownBytes } from './storage/store/bytes.js';
export { afterKey } from './storage/store/key.js';
export { Overlay, type WriteTarget } from './storage/store/overlay.js';
export {
  type Entry,
  KEY_BYTES_MAX,
  type KeyRange,
  type ReadTx,
  type Store,
  type StoreStats,
  VALUE_BYTES_MAX,
  type WriteTx,
} from './storage/store/store.js';
export { runReadBody, runWriteBody } from './storage/store/transaction-view.js';
