/** The records of a list after a batch of this page. */
import type { SearchMatch } from '@agentkeep/client';
import type { BatchStep } from '../../selection/batch-plan.js';
import type { ExecutedBatch } from '../../selection/use-batch.js';
import type { MemorySearch } from './search-query.js';

type Outcome = ExecutedBatch['receipt']['outcomes'][number];

/** Returns them; `undefined` if only the server knows which they are, and in which order. */
export function settledMatches(
  matches: readonly SearchMatch[],
  { plan, receipt }: ExecutedBatch,
  { hasFilters, order }: Pick<MemorySearch, 'hasFilters' | 'order'>,
): readonly SearchMatch[] | undefined {
  const isOrderKept = order !== 'newest_change' && order !== 'oldest_change';
  const hasUpdates = plan.some(({ change }) => change.type === 'update');
  if (hasUpdates && (hasFilters || !isOrderKept)) return undefined;
  const steps = new Map(plan.map((step, at) => [step.record.record_id, { step, at }]));
  return matches.flatMap((match) => {
    const { step, at = 0 } = steps.get(match.record.record_id) ?? {};
    const outcome = receipt.outcomes[at];
    if (step === undefined || outcome === undefined) return [match];
    return settled(match, step, { outcome, receipt });
  });
}

function settled(
  match: SearchMatch,
  { record, change }: BatchStep,
  { outcome, receipt }: { readonly outcome: Outcome } & Pick<ExecutedBatch, 'receipt'>,
): SearchMatch[] {
  if (change.type === 'delete') return [];
  if (change.type !== 'update') return [match];
  const { committed_at_millis: modified_at_millis, author } = receipt;
  const payload = { ...record.payload, tags: change.record.tags ?? [] };
  const { revision } = outcome;
  return [{ ...match, record: { ...record, payload, revision, modified_at_millis, author } }];
}
