/** Whether a command waits for review instead of taking effect (docs/contract/review.md#rev-20). */
import { branchOf, type Namespace } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { requiresReview } from '../retention/retention-store.js';

/** Returns whether the writes of a credential in a namespace are proposals. */
export function awaitsReview(
  tx: ReadTx,
  namespace: Namespace,
  { spec }: ActingCredential,
): boolean {
  if (branchOf(namespace.parts) !== undefined) return false;
  return !spec.capabilities.includes('memory_review') && requiresReview(tx, namespace);
}
