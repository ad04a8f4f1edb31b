/**
 * Agentkeep, embedded: durable identity and scoped memory for AI agents, in process.
 */
export * from './api.js';
export type {
  WebhookAnswer,
  WebhookRequest,
  WebhookSender,
} from './kernel/ports/webhook-sender.js';
export type { TextEmbedder } from './kernel/ports/text-embedder.js';
export { capabilities } from './kernel/access/capability.js';
export { globalCapabilities } from './kernel/access/capability.js';
export type { AuditOptions } from './kernel/audit-log/audit-options.js';
export { inMemoryStore } from './storage/in-memory-store/in-memory-store.js';
export { Keep } from './keep/keep.js';
export type { KeepOptions, KeepPorts } from './keep/keep-options.js';
export { KEEP_OPENED_CHANNEL, openKeep } from './keep/open-keep.js';
export { type LmdbStoreOptions, openLmdbStore } from './storage/lmdb-store/open-lmdb-store.js';
export type { PasswordHasher } from './kernel/ports/password-hasher.js';
export type { TokenOptions } from './domains/people/token/token-options.js';
export { operations } from './domains.js';
export type { Clock } from './kernel/ports/clock.js';
export type { Entropy } from './kernel/ports/entropy.js';
export type { ReplicationOptions } from './upkeep/replication/replication-options.js';
export type { ReplicationStatus } from './upkeep/replication/shipper.js';
export type { WaitingWork } from './kernel/services/waiting-work.js';
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
