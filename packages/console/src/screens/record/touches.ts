/** Who touched a record, from its revisions: what they did to it, and when. */
import type { MemoryRevision } from '@agentkeep/client';

/** One change of a record. */
export interface Touch {
  readonly atMillis: number;
  readonly subjectId: string;
  readonly credentialId: string;
  readonly revision: number;
  readonly deed: 'created' | 'changed' | 'deleted' | 'redacted';
}

type Touched = Pick<
  MemoryRevision,
  'revision' | 'modified_at_millis' | 'payload' | 'author' | 'redacted'
>;

/** Returns the changes that revisions show, the newest first. */
export function touchesOf(revisions: readonly Touched[]): readonly Touch[] {
  return revisions
    .flatMap((each) => [writingOf(each), ...redactionOf(each)])
    .toSorted((a, b) => b.atMillis - a.atMillis || b.revision - a.revision);
}

function writingOf({ revision, modified_at_millis, payload, author, redacted }: Touched): Touch {
  const isGone = payload === null && redacted === null;
  return {
    atMillis: modified_at_millis,
    subjectId: author.subject_id,
    credentialId: author.credential_id,
    revision,
    deed: isGone ? 'deleted' : revision === 1 ? 'created' : 'changed',
  };
}

function redactionOf({ revision, redacted }: Touched): readonly Touch[] {
  if (redacted === null) return [];
  const { at_millis: atMillis, author } = redacted;
  const by = { subjectId: author.subject_id, credentialId: author.credential_id };
  return [{ atMillis, ...by, revision, deed: 'redacted' }];
}
