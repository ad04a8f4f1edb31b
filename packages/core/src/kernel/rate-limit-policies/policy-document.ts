/** Converts rate limit policies between their stored form and their documents. */
import { timeText } from '../../contract/schema/time.js';
import type { RateLimitPolicy } from '../rate-limit/rate-limit-policy.js';
import type {
  CreateRateLimitRequest,
  RateLimitPolicyDocument,
  UpdateRateLimitRequest,
} from './schema.js';

/** A policy, as responses show it. */
export function showPolicy(policy: RateLimitPolicy): RateLimitPolicyDocument {
  const { endpointType } = policy;
  return {
    id: policy.id,
    name: policy.name,
    endpoint_type: typeof endpointType === 'string' ? endpointType : { ...endpointType },
    max_requests: policy.maxRequests,
    window_secs: policy.windowSecs,
    enabled: policy.enabled,
    created_at: timeText(policy.createdAtMillis),
    updated_at: timeText(policy.updatedAtMillis),
    created_by: policy.createdBy,
    revision: revisionOf(policy),
  };
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
    name: request.name,
    endpointType: request.endpoint_type,
    maxRequests: request.max_requests,
    windowSecs: request.window_secs,
    enabled: request.enabled,
    createdAtMillis: atMillis,
    updatedAtMillis: atMillis,
    createdBy,
  };
}

/** Returns the changed policy, or the same object if the request changes nothing. */
export function changedPolicy(
  policy: RateLimitPolicy,
  change: UpdateRateLimitRequest,
  nowMs: number,
): RateLimitPolicy {
  const next: RateLimitPolicy = {
    ...policy,
    name: change.name ?? policy.name,
    maxRequests: change.max_requests ?? policy.maxRequests,
    windowSecs: change.window_secs ?? policy.windowSecs,
    enabled: change.enabled ?? policy.enabled,
    updatedAtMillis: Math.max(nowMs, policy.updatedAtMillis),
    revision: revisionOf(policy) + 1,
  };
  const isChanged =
    next.name !== policy.name ||
    next.maxRequests !== policy.maxRequests ||
    next.windowSecs !== policy.windowSecs ||
    next.enabled !== policy.enabled;
  return isChanged ? next : policy;
}
