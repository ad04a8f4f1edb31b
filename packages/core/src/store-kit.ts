/**
 * What stores are made of, for packages that bring one: the port with its bounds, the rules that
 * all stores share, and the errors that they report.
 * @module
 */
export { AgentkeepError } from './contract/errors/agentkeep-error.js';
export { storeError } from './lmdb-store/failure.js';
export { writeStoreDirectory } from './lmdb-store/write-store-directory.js';
export { keyBytes, keyText, ownBytes } from './store/bytes.js';
export { afterKey } from './store/key.js';
export { Overlay, type WriteTarget } from './store/overlay.js';
export {
  type Entry,
  KEY_BYTES_MAX,
  type KeyRange,
  type ReadTx,
  type Store,
  type StoreStats,
  VALUE_BYTES_MAX,
  type WriteTx,
} from './store/store.js';
export { runReadBody, runWriteBody } from './store/transaction-view.js';
