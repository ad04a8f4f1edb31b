/** Bounds of proposals, and who may review which. */
import type { Author } from '../documents/author-schema.js';

/** Who made or reviews something. */
export interface Maker extends Author {
  /** The subject of the service whose credential acts for the author; null if none does. */
  readonly service: string | null;
}

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

/**
 * Returns whether an author is the reviewer: by credential, by subject, or by the service that acts
 * for one of them or for both.
 */
export function isOwn(author: Maker, reviewer: Maker): boolean {
  if (author.credential_id === reviewer.credential_id) return true;
  const parties = [author.subject_id, author.service];
  return (
    parties.includes(reviewer.subject_id) ||
    (reviewer.service !== null && parties.includes(reviewer.service))
  );
}
