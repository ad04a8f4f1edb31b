/**
 * The storage port, for packages that implement a store: its types and bounds, the rules that all
 * stores share, and their errors. Importing it does not load LMDB.
 */
export { sha256 } from './contract/digest.js';
export { AgentkeepError } from './contract/errors/agentkeep-error.js';
export { writeStoreDirectory } from './storage/lmdb-store/write-store-directory.js';
export { keyBytes, keyText, ownBytes } from './storage/store/bytes.js';
export { afterKey } from './storage/store/key.js';
export { type AppendedEntry, Overlay } from './storage/store/overlay.js';
export {
  type CommitCounts,
  type CommitObserver,
  type CommittedWrites,
  type Entry,
  type HeldState,
  KEY_BYTES_MAX,
  type KeyRange,
  POSITION_BYTES,
  type ReadTx,
  type SnapshotTx,
  type Store,
  type StoreStats,
  type Supposed,
  VALUE_BYTES_MAX,
  type WriteTx,
} from './storage/store/store.js';
export {
  EPOCH_KEY,
  FIRST_POSITION,
  nextEpoch,
  openEpoch,
  positionOf,
  sealEpoch,
  type StoredEpoch,
} from './storage/store/position.js';
export { storeError } from './storage/store/store-error.js';
export { runReadBody, runWriteBody } from './storage/store/overlay.js';
