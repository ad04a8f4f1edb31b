/**
 * Agentkeep, embedded: durable identity and scoped memory for AI agents, in process.
 */
export * from './api.js';
export type {
  WebhookAnswer,
  WebhookRequest,
  WebhookSender,
} from './runtime/ports/webhook-sender.js';
export { capabilities } from './access/capability.js';
export { globalCapabilities } from './access/global-capability.js';
export type { AuditOptions } from './administration/audit/audit-options.js';
export { inMemoryStore } from './storage/in-memory-store/in-memory-store.js';
export { Keep } from './keep.js';
export { KEEP_OPENED_CHANNEL, type KeepOptions, type KeepPorts, openKeep } from './open-keep.js';
export { type LmdbStoreOptions, openLmdbStore } from './storage/lmdb-store/open-lmdb-store.js';
export type { PasswordHasher } from './runtime/ports/password-hasher.js';
export type { TokenOptions } from './people/token/token-options.js';
export { operations } from './operations.js';
export type { Clock } from './runtime/ports/clock.js';
export type { Entropy } from './runtime/ports/entropy.js';
export type { WaitingWork } from './runtime/services/waiting-work.js';
export type {
  CommitObserver,
  CommittedWrites,
  Entry,
  KeyRange,
  ReadTx,
  SnapshotTx,
  Store,
  StoreStats,
  WriteTx,
} from './storage/store/store.js';
