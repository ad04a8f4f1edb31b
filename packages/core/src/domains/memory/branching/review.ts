/** Who may merge and reject which proposals (docs/contract/review.md). */
import { serviceOf } from '../../../kernel/ports/known-callers.js';
import { scopeOfParts } from '../../../kernel/access/covered-scope.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { KeyedBranch } from '../branch/branch-store.js';
import { isOwn } from '../branch/proposal-policy.js';
import { type Author, authorOf } from '../documents/author-schema.js';
import { awaitsReview } from '../writing/change-write.js';

/** Who reviews, and how the service behind a credential is found. */
export interface Reviewing {
  readonly runtime: Pick<Runtime, 'ports'>;
  readonly credential: ActingCredential;
}

/**
 * Requires that a credential may review what an author made.
 *
 * @throws {AgentkeepError} `forbidden`
 */
export function requireReviewer(
  tx: ReadTx,
  { author }: { readonly author: Author },
  { credential, runtime }: Reviewing,
): void {
  if (!credential.spec.capabilities.includes('memory_review')) throw forbidden(NO_REVIEWER);
  const { tenantId } = credential;
  // A service chooses for whom it acts, so what it does is its own too.
  const withService = (each: Author) => ({
    ...each,
    service: serviceOf.of(runtime)(tx, tenantId, each.credential_id),
  });
  if (isOwn(withService(author), withService(authorOf(credential)))) throw forbidden(OWN_PROPOSAL);
}

/**
 * Requires that a credential may merge a branch over scopes that is no proposal.
 *
 * @throws {AgentkeepError} `forbidden`
 */
export function requireMerger(
  tx: ReadTx,
  scopes: KeyedBranch['scopes'],
  credential: ActingCredential,
): void {
  if (!credential.spec.capabilities.includes('memory_write')) throw forbidden(NO_WRITER);
  const isReviewed = scopes.some((parts) =>
    awaitsReview(tx, namespaceOf(credential, scopeOfParts(parts)), credential),
  );
  if (isReviewed) throw forbidden(REVIEW_REQUIRED);
}

/**
 * Requires that a branch was made by the subject of a credential: only its maker submits it, and
 * withdraws it from review.
 *
 * @throws {AgentkeepError} `forbidden`
 */
export function requireAuthor(
  { author }: { readonly author: Author },
  { spec }: ActingCredential,
): void {
  if (author.subject_id !== spec.subject_id) throw forbidden(FOREIGN_BRANCH);
}

const FOREIGN_BRANCH =
  'A branch is submitted and withdrawn by who made it. A reviewer merges or rejects it.';
const NO_REVIEWER =
  'The credential lacks the capability `memory_review`, which merges and rejects proposals.';
const OWN_PROPOSAL =
  'Nobody reviews an own proposal, nor does a service that made it for a subject. ' +
  'Another subject has to do it.';
const REVIEW_REQUIRED =
  'Changes of this scope have to be reviewed. Submit the branch as a proposal instead.';
const NO_WRITER =
  'The credential lacks the capability `memory_write`. Submit the branch as a proposal instead.';

function forbidden(message: string): AgentkeepError {
  return new AgentkeepError('forbidden', { message });
}
