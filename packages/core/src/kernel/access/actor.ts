/**
 * The author of a record, as learning, tools and experiences store it
 * (docs/contract/learning.md#lrn-23).
 */
import type * as v from 'valibot';
import { isSameDocument } from '../../contract/schema/document-digest.js';
import { closed } from '../../contract/schema/document.js';
import { textId } from '../../contract/schema/text.js';
import { uuid } from '../../contract/schema/uuid.js';
import type { ActingCredential } from './principal.js';

/** The subject that wrote a record, and the credential that it acted with. */
export const Actor = closed({ subject_id: textId(), credential_id: uuid() });
export type Actor = v.InferOutput<typeof Actor>;

/** Returns the credential as an actor. */
export function actorOf({ id, spec }: ActingCredential): Actor {
  return { subject_id: spec.subject_id, credential_id: id };
}

/** Returns the actor as text: the id of the credential, a colon and the subject. */
export function actorText({ id, spec }: ActingCredential): string {
  return `${id}:${spec.subject_id}`;
}

/** A document, and who wrote it. */
interface Written {
  readonly actor: Actor;
  readonly document: unknown;
}

/** Returns whether the same subject gives the same document again, with any credential. */
export function isRepeat(stored: Written, given: Written): boolean {
  const isSameSubject = stored.actor.subject_id === given.actor.subject_id;
  return isSameSubject && isSameDocument(stored.document, given.document);
}
