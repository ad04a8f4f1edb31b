/** Audit events of changed rate limit policies. */
import type { EventSubject } from '../audit/call-events.js';
import { showPolicy } from './policy-document.js';
import type { RateLimitPolicy } from '../rate-limit/rate-limit-policy.js';

/** A policy before and after a change; a created or deleted policy has only one of them. */
export type PolicyChange =
  | { readonly change: 'created'; readonly before?: never; readonly after: RateLimitPolicy }
  | {
      readonly change: 'updated';
      readonly before: RateLimitPolicy;
      readonly after: RateLimitPolicy;
    }
  | { readonly change: 'deleted'; readonly before: RateLimitPolicy; readonly after?: never };

/** Returns the audit event for a policy that was created, updated or deleted. */
export function policyChanged({ change, before, after }: PolicyChange): EventSubject {
  const { id } = before ?? after;
  return {
    type: 'configuration_changed',
    action: 'configuration_changed',
    resource: `rate_limit:${id}`,
    result: 'success',
    metadata: {
      change,
      before: before === undefined ? null : { ...showPolicy(before) },
      after: after === undefined ? null : { ...showPolicy(after) },
    },
  };
}
