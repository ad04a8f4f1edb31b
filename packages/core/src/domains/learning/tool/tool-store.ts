/**
 * Tools in the store: executors of a tenant, and artifacts and developments of a namespace.
 * Decoding verifies the digests in documents.
 */
import { ensureNamespace, type Namespace } from '../../../kernel/access/namespace.js';
import { textDigest } from '../../../storage/store/key.js';
import { defineFamily } from '../../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { jsonLayout } from '../../../storage/store/fields.js';
import type { KeySpan } from '../key-span.js';
import { isArtifactSound } from './artifact.js';
import { isDevelopmentSound } from './development.js';
import type { ToolDevelopment, ToolDevelopmentEvent } from './development-schema.js';
import { isExecutorSound } from './executor.js';
import type { ToolArtifact, ToolExecutor } from './schema.js';

/** Executors of tools, by id. */
export const toolExecutors = defineFamily({
  name: 'toolExecutors',
  number: 50,
  key: ['text'],
  layout: jsonLayout<ToolExecutor>(1, isExecutorSound),
  sealedBy: 'tenant',
  owner: 'tenant',
  exported: { line: 'executor' },
  erased: 'kept',
  counts: null,
  traces: { isOf: 'others' },
});

/** Artifacts, by namespace and id. */
export const toolArtifacts = defineFamily({
  name: 'toolArtifacts',
  number: 51,
  key: ['digest', 'text'],
  layout: jsonLayout<ToolArtifact>(1, isArtifactSound),
  sealedBy: 'namespace',
  owner: 'scope',
  exported: { line: 'artifact' },
  erased: 'removed',
  counts: null,
});

/** Current state of a development, by namespace and request id. */
export const toolDevelopments = defineFamily({
  name: 'toolDevelopments',
  number: 52,
  key: ['digest', 'text'],
  layout: jsonLayout<ToolDevelopment>(1, isDevelopmentSound),
  sealedBy: 'namespace',
  owner: 'scope',
  exported: { line: 'development' },
  erased: 'removed',
  counts: null,
});

/** Events of a development: namespace, SHA-256 of the request id, event id. */
export const toolDevelopmentEvents = defineFamily({
  name: 'toolDevelopmentEvents',
  number: 53,
  key: ['digest', 'digest', 'text'],
  layout: jsonLayout<ToolDevelopmentEvent>(1, ({ record }) => isDevelopmentSound(record)),
  sealedBy: 'namespace',
  owner: 'scope',
  exported: { line: 'development_event' },
  erased: 'removed',
  counts: null,
});

/** Returns the executor of a tenant with this id, or `undefined`. */
export function findExecutor(tx: ReadTx, tenantId: string, id: string): ToolExecutor | undefined {
  return toolExecutors.get(tx, tenantId, id);
}

/** Stores a new executor. */
export function insertExecutor(tx: WriteTx, executor: ToolExecutor): void {
  toolExecutors.put(tx, executor, executor.tenant, executor.profile.id);
}

/** Returns the artifact of a namespace with this id, or `undefined`. */
export function findArtifact(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  id: string,
): ToolArtifact | undefined {
  return toolArtifacts.get(tx, tenantId, digest, id);
}

/** Returns the artifacts after an id, in the order of their keys. */
export function artifactsAfter(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  { after, limit }: KeySpan,
): ToolArtifact[] {
  const start: [Uint8Array, string] | undefined = after === undefined ? undefined : [digest, after];
  return toolArtifacts.values(tx, tenantId, { prefix: [digest], after: start, limit });
}

/** Stores a new artifact. */
export function insertArtifact(tx: WriteTx, namespace: Namespace, artifact: ToolArtifact): void {
  ensureNamespace(tx, namespace);
  toolArtifacts.put(tx, artifact, namespace.tenantId, namespace.digest, artifact.proposal.id);
}

/** Returns the development with this request id, or `undefined`. */
export function findDevelopment(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  requestId: string,
): ToolDevelopment | undefined {
  return toolDevelopments.get(tx, tenantId, digest, requestId);
}

/** Returns the developments after an id, in the order of their keys. */
export function developmentsAfter(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  { after, limit }: KeySpan,
): ToolDevelopment[] {
  const start: [Uint8Array, string] | undefined = after === undefined ? undefined : [digest, after];
  return toolDevelopments.values(tx, tenantId, { prefix: [digest], after: start, limit });
}

/** Stores the state of a development. */
export function putDevelopment(
  tx: WriteTx,
  namespace: Namespace,
  development: ToolDevelopment,
): void {
  ensureNamespace(tx, namespace);
  const { id } = development.receipt.request;
  toolDevelopments.put(tx, development, namespace.tenantId, namespace.digest, id);
}

/** Returns the event of a development with this id, or `undefined`. */
export function findDevelopmentEvent(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  requestId: string,
  eventId: string,
): ToolDevelopmentEvent | undefined {
  return toolDevelopmentEvents.get(tx, tenantId, digest, textDigest(requestId), eventId);
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
  return toolDevelopmentEvents.values(tx, tenantId, { prefix, after: start, limit });
}

/** Stores a new event of a development. */
export function insertDevelopmentEvent(
  tx: WriteTx,
  { tenantId, digest }: Namespace,
  event: ToolDevelopmentEvent,
): void {
  const { command, record } = event;
  const request = textDigest(record.receipt.request.id);
  toolDevelopmentEvents.put(tx, event, tenantId, digest, request, command.event_id);
}
