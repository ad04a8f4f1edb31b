/** Converts rate limit policies between their stored form and their documents. */
import { shownAs, storedAs } from '../../contract/schema/member-names.js';
import { timeText } from '../../contract/schema/time.js';
import type { RateLimitPolicy } from '../rate-limit/rate-limit-policy.js';
import {
  type CreateRateLimitRequest,
  RateLimitPolicyDocument,
  type UpdateRateLimitRequest,
} from './schema.js';

/** A policy, as responses show it. */
export function showPolicy(policy: RateLimitPolicy): RateLimitPolicyDocument {
  const { endpointType } = policy;
  return shownAs(RateLimitPolicyDocument, policy, {
    endpoint_type: typeof endpointType === 'string' ? endpointType : { ...endpointType },
    created_at: timeText(policy.createdAtMillis),
    updated_at: timeText(policy.updatedAtMillis),
    revision: revisionOf(policy),
  });
}

/** Returns the revision of a policy. */
export function revisionOf({ revision }: RateLimitPolicy): number {
  return revision ?? 1;
}

/** The creator of a policy, its time of creation and the policies before it. */
export interface PolicyOrigin {
  readonly id: string;
  readonly nowMs: number;
  readonly createdBy: string;
  /** All existing policies. */
  readonly others: readonly RateLimitPolicy[];
}

/**
 * Returns the policy for a create request. Its id is the greatest, even if the clock was set back
 * or is behind the clock of another server.
 */
export function newPolicy(request: CreateRateLimitRequest, origin: PolicyOrigin): RateLimitPolicy {
  const { id, nowMs, createdBy, others } = origin;
  const earliest = ({ createdAtMillis, id: other }: RateLimitPolicy): number =>
    other < id ? createdAtMillis : createdAtMillis + 1;
  const atMillis = others.reduce((latest, other) => Math.max(latest, earliest(other)), nowMs);
  return {
    id,
    ...storedAs(request),
    createdAtMillis: atMillis,
    updatedAtMillis: atMillis,
    createdBy,
  };
}

/** Returns the changed policy, or the same object if the request changes nothing. */
export function changedPolicy(
  policy: RateLimitPolicy,
  change: Omit<UpdateRateLimitRequest, 'expected_revision'>,
  nowMs: number,
): RateLimitPolicy {
  const stated = storedAs(change);
  const changed = (Object.keys(stated) as (keyof typeof stated)[]).filter(
    (name) => stated[name] !== undefined && stated[name] !== policy[name],
  );
  if (changed.length === 0) return policy;
  return {
    ...policy,
    ...Object.fromEntries(changed.map((name) => [name, stated[name]])),
    updatedAtMillis: Math.max(nowMs, policy.updatedAtMillis),
    revision: revisionOf(policy) + 1,
  };
}
