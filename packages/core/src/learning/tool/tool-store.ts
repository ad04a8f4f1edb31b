/**
 * Tools in the store: executors of a tenant, and artifacts and developments of a namespace.
 * Decoding verifies the digests in documents.
 */
import type { Namespace } from '../../access/namespace.js';
import { ensureNamespace } from '../../access/namespace-store.js';
import { textDigest } from '../../storage/store/key.js';
import { keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { jsonLayout } from '../../storage/store/layouts.js';
import type { KeySpan } from '../key-span.js';
import { isArtifactSound } from './artifact.js';
import { isDevelopmentSound } from './development.js';
import type { ToolDevelopment, ToolDevelopmentEvent } from './development-schema.js';
import { isExecutorSound } from './executor.js';
import type { ToolArtifact, ToolExecutor } from './schema.js';

const executors = new Subspace(
  keyspace.toolExecutors,
  jsonLayout<ToolExecutor>(1, isExecutorSound),
);
const artifacts = new Subspace(
  keyspace.toolArtifacts,
  jsonLayout<ToolArtifact>(1, isArtifactSound),
);
const developments = new Subspace(
  keyspace.toolDevelopments,
  jsonLayout<ToolDevelopment>(1, isDevelopmentSound),
);
const events = new Subspace(
  keyspace.toolDevelopmentEvents,
  jsonLayout<ToolDevelopmentEvent>(1, ({ record }) => isDevelopmentSound(record)),
);

/** The subspaces of tools, by their names in the key space. */
export const toolSubspaces = {
  toolExecutors: executors,
  toolArtifacts: artifacts,
  toolDevelopments: developments,
  toolDevelopmentEvents: events,
};

/** Returns the executor of a tenant with this id, or `undefined`. */
export function findExecutor(tx: ReadTx, tenantId: string, id: string): ToolExecutor | undefined {
  return executors.get(tx, tenantId, id);
}

/** Stores a new executor. */
export function insertExecutor(tx: WriteTx, executor: ToolExecutor): void {
  executors.put(tx, executor, executor.tenant, executor.profile.id);
}

/** Returns the artifact of a namespace with this id, or `undefined`. */
export function findArtifact(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  id: string,
): ToolArtifact | undefined {
  return artifacts.get(tx, tenantId, digest, id);
}

/** Returns the artifacts after an id, in the order of their keys. */
export function artifactsAfter(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  { after, limit }: KeySpan,
): ToolArtifact[] {
  const start: [Uint8Array, string] | undefined = after === undefined ? undefined : [digest, after];
  return artifacts.values(tx, tenantId, { prefix: [digest], after: start, limit });
}

/** Stores a new artifact. */
export function insertArtifact(tx: WriteTx, namespace: Namespace, artifact: ToolArtifact): void {
  ensureNamespace(tx, namespace);
  artifacts.put(tx, artifact, namespace.tenantId, namespace.digest, artifact.proposal.id);
}

/** Returns the development with this request id, or `undefined`. */
export function findDevelopment(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  requestId: string,
): ToolDevelopment | undefined {
  return developments.get(tx, tenantId, digest, requestId);
}

/** Returns the developments after an id, in the order of their keys. */
export function developmentsAfter(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  { after, limit }: KeySpan,
): ToolDevelopment[] {
  const start: [Uint8Array, string] | undefined = after === undefined ? undefined : [digest, after];
  return developments.values(tx, tenantId, { prefix: [digest], after: start, limit });
}

/** Stores the state of a development. */
export function putDevelopment(
  tx: WriteTx,
  namespace: Namespace,
  development: ToolDevelopment,
): void {
  ensureNamespace(tx, namespace);
  const { id } = development.receipt.request;
  developments.put(tx, development, namespace.tenantId, namespace.digest, id);
}

/** Returns the event of a development with this id, or `undefined`. */
export function findDevelopmentEvent(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  requestId: string,
  eventId: string,
): ToolDevelopmentEvent | undefined {
  return events.get(tx, tenantId, digest, textDigest(requestId), eventId);
}

/** Returns the events of a development after an id, in the order of their keys. */
export function developmentEventsAfter(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  requestId: string,
  { after, limit }: KeySpan,
): ToolDevelopmentEvent[] {
  const prefix: [Uint8Array, Uint8Array] = [digest, textDigest(requestId)];
  const start: [Uint8Array, Uint8Array, string] | undefined =
    after === undefined ? undefined : [...prefix, after];
  return events.values(tx, tenantId, { prefix, after: start, limit });
}

/** Stores a new event of a development. */
export function insertDevelopmentEvent(
  tx: WriteTx,
  { tenantId, digest }: Namespace,
  event: ToolDevelopmentEvent,
): void {
  const { command, record } = event;
  const request = textDigest(record.receipt.request.id);
  events.put(tx, event, tenantId, digest, request, command.event_id);
}
