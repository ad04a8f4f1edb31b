/** Bounds of proposals, and who may review which. */
import type { Author } from '../documents/author-schema.js';

/** Proposals of a tenant that wait. */
export const PROPOSALS_MAX = 1_024;
/** Proposals over one scope that wait. */
const PROPOSALS_OF_SCOPE_MAX = 256;
/** How long is kept what was decided of a proposal. */
export const DECISION_KEPT_MS = 30 * 86_400_000;

/** Returns whether another proposal may wait. */
export function mayWait({
  ofTenant,
  ofScopes,
}: {
  readonly ofTenant: number;
  readonly ofScopes: readonly number[];
}): boolean {
  return ofTenant < PROPOSALS_MAX && ofScopes.every((each) => each < PROPOSALS_OF_SCOPE_MAX);
}

/** Returns whether an author is the reviewer, by subject or by credential. */
export function isOwn(author: Author, reviewer: Author): boolean {
  return (
    author.subject_id === reviewer.subject_id || author.credential_id === reviewer.credential_id
  );
}
