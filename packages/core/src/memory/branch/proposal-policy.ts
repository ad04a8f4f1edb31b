/** Bounds of proposals, and who may review which. */
import type { Author } from '../documents/author-schema.js';

/** Proposals of a tenant that wait. */
export const PROPOSALS_MAX = 1_024;
/** Proposals over one scope that wait. */
const PROPOSALS_OF_SCOPE_MAX = 256;
/** How long is kept what was decided of a proposal. */
export const DECISION_KEPT_MS = 30 * 86_400_000;

/** Proposals that wait in one place: a tenant, or over one scope. */
export interface WaitingCount {
  readonly all: number;
  /** Of the subject that proposes another one. */
  readonly ofSubject: number;
  /** Of the service that acts for it, whatever the subject; of itself where none does. */
  readonly ofService: number;
}

/** Returns whether another proposal may wait. Neither a subject nor a service takes all places. */
export function mayWait({
  ofTenant,
  ofScopes,
}: {
  readonly ofTenant: WaitingCount;
  readonly ofScopes: readonly WaitingCount[];
}): boolean {
  return (
    hasPlace(ofTenant, PROPOSALS_MAX) &&
    ofScopes.every((each) => hasPlace(each, PROPOSALS_OF_SCOPE_MAX))
  );
}

function hasPlace({ all, ofSubject, ofService }: WaitingCount, places: number): boolean {
  return all < places && ofSubject < places / 4 && ofService < places / 2;
}

/** Returns whether an author is the reviewer, by subject or by credential. */
export function isOwn(author: Author, reviewer: Author): boolean {
  return (
    author.subject_id === reviewer.subject_id || author.credential_id === reviewer.credential_id
  );
}
