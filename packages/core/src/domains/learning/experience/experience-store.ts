/**
 * Experiences in the store: the state of each attempt, and its events in the order of histories.
 * Decoding verifies the digests in documents.
 */
import { ensureNamespace, type Namespace } from '../../../kernel/access/namespace.js';
import { utf8Bytes } from '../../../contract/schema/text.js';
import { textDigest } from '../../../storage/store/key.js';
import { defineFamily } from '../../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { jsonLayout } from '../../../storage/store/fields.js';
import type { KeySpan } from '../key-span.js';
import { isAttemptSound, isEventSound } from './attempt.js';
import type { Experience, ExperienceEvent } from './schema.js';

/** Current state of an attempt, by namespace and attempt id. */
export const experiences = defineFamily({
  name: 'experiences',
  number: 55,
  key: ['digest', 'text'],
  layout: jsonLayout<Experience>(1, isAttemptSound),
  sealedBy: 'namespace',
  owner: 'scope',
  exported: { line: 'attempt' },
  erased: 'removed',
  counts: null,
});

/** Events of an attempt: namespace, SHA-256 of its id, bytes of the event id, event id. */
export const experienceEvents = defineFamily({
  name: 'experienceEvents',
  number: 56,
  key: ['digest', 'digest', 'integer', 'text'],
  layout: jsonLayout<ExperienceEvent>(1, isEventSound),
  sealedBy: 'namespace',
  owner: 'scope',
  exported: { line: 'attempt_event' },
  erased: 'removed',
  counts: null,
});

/** Returns the attempt with this id, or `undefined`. */
export function findAttempt(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  attemptId: string,
): Experience | undefined {
  return experiences.get(tx, tenantId, digest, attemptId);
}

/** Returns the attempts after an id, in the order of their keys. */
export function attemptsAfter(
  tx: ReadTx,
  { tenantId, digest }: Namespace,
  { after, limit }: KeySpan,
): Experience[] {
  const start: [Uint8Array, string] | undefined = after === undefined ? undefined : [digest, after];
  return experiences.values(tx, tenantId, { prefix: [digest], after: start, limit });
}

/** Stores the state of an attempt. */
export function putAttempt(tx: WriteTx, namespace: Namespace, attempt: Experience): void {
  ensureNamespace(tx, namespace);
  const { id } = attempt.receipt.request;
  experiences.put(tx, attempt, namespace.tenantId, namespace.digest, id);
}

/** Returns the event of an attempt with this id, or `undefined`. */
export function findEvent(
  tx: ReadTx,
  namespace: Namespace,
  attemptId: string,
  eventId: string,
): ExperienceEvent | undefined {
  return experienceEvents.get(tx, namespace.tenantId, ...eventKey(namespace, attemptId, eventId));
}

/** Stores a new event. */
export function insertEvent(tx: WriteTx, namespace: Namespace, event: ExperienceEvent): void {
  const key = eventKey(namespace, event.record.receipt.request.id, event.command.event_id);
  experienceEvents.put(tx, event, namespace.tenantId, ...key);
}

/** Returns events of an attempt in the order of their ids: by UTF-8 length, then by bytes. */
export function eventsInOrder(
  tx: ReadTx,
  namespace: Namespace,
  attemptId: string,
  { after, limit }: KeySpan,
): ExperienceEvent[] {
  const prefix: [Uint8Array, Uint8Array] = [namespace.digest, textDigest(attemptId)];
  const start = after === undefined ? undefined : eventKey(namespace, attemptId, after);
  return experienceEvents.values(tx, namespace.tenantId, { prefix, after: start, limit });
}

type EventKey = [Uint8Array, Uint8Array, number, string];

function eventKey({ digest }: Namespace, attemptId: string, eventId: string): EventKey {
  return [digest, textDigest(attemptId), utf8Bytes(eventId), eventId];
}
