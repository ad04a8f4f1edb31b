/**
 * Who wrote something, as stored records of learning, tools and experiences name it (contract,
 * learning-tools-experiences 1.5).
 */
import type * as v from 'valibot';
import { closed } from '../contract/schema/document.js';
import { textId } from '../contract/schema/text.js';
import { uuid } from '../contract/schema/uuid.js';
import type { ActingCredential } from './principal.js';

/** The subject that wrote something, and the credential that it acted with. */
export const Actor = closed({ subject_id: textId(), credential_id: uuid() });
export type Actor = v.InferOutput<typeof Actor>;

/** Returns the credential as an actor. */
export function actorOf({ id, spec }: ActingCredential): Actor {
  return { subject_id: spec.subject_id, credential_id: id };
}

/** Returns the same as one text: the id of the credential, a colon, the subject. */
export function actorText({ id, spec }: ActingCredential): string {
  return `${id}:${spec.subject_id}`;
}
