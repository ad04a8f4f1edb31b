/**
 * Rate limit policies between their stored form and their documents.
 * @module
 */
import { timeText } from '../../contract/schema/time.js';
import type { RateLimitPolicy } from '../../runtime/admission/rate-limit-policy.js';
import type {
  CreateRateLimitRequest,
  RateLimitPolicyDocument,
  UpdateRateLimitRequest,
} from './schema.js';

/** A policy as it is shown. */
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
  };
}

/** Who makes a policy, when, and what was made last before it. */
export interface PolicyOrigin {
  readonly id: string;
  readonly nowMs: number;
  readonly createdBy: string;
  /** All policies so far. */
  readonly others: readonly RateLimitPolicy[];
}

/**
 * The policy that a request asks for. It is the newest one, also when the clock was set back, or is
 * behind that of another server, whose ids are greater then.
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

/** A policy after a request to change it; the same one when the request changes nothing. */
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
  };
  const isChanged =
    next.name !== policy.name ||
    next.maxRequests !== policy.maxRequests ||
    next.windowSecs !== policy.windowSecs ||
    next.enabled !== policy.enabled;
  return isChanged ? next : policy;
}
