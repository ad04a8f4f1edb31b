/** `createRateLimit`: adds a rate limit policy, which applies at once if it is enabled. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { RATE_LIMIT_POLICIES_MAX } from '../../contract/limits.js';
import { defineAccountOperation } from '../operation/define-operation.js';
import { accountChecks } from '../operation/orders-of-checks.js';
import { newPolicy, showPolicy } from './policy-document.js';
import { policyChanged } from './policy-event.js';
import { listPolicies, putPolicy } from './rate-limit-store.js';
import { CreateRateLimitRequest, RateLimitPolicyDocument } from './schema.js';
import { changePolicies } from './stored-policies.js';

/** Creates a policy. It takes precedence over older ones of its type. */
export const createRateLimit = defineAccountOperation({
  name: 'createRateLimit',
  summary: 'Create a rate limit policy. Of those of a type, the newest enabled one applies.',
  example: {
    document: { name: 'logins', endpoint_type: 'GeneralApi', max_requests: 600, window_secs: 60 },
  },
  command: {
    name: 'rate-limits create',
    examples: [
      `agentkeep rate-limits create --name api --endpoint-type '"GeneralApi"' ` +
        '--max-requests 600 --window-secs 60',
    ],
  },
  tag: 'RateLimits',
  input: { document: CreateRateLimitRequest },
  whenFull: 'served',
  output: RateLimitPolicyDocument,
  requires: { role: 'Admin', isInstallation: true },
  checks: accountChecks,
  errors: ['rate_limit_policy_limit'],
  handler: async (request) => {
    const { runtime, input, nowMs, principal } = request;
    const id = runtime.newId();
    const made = await changePolicies(runtime, (tx) => {
      request.confirm(tx);
      const others = listPolicies(tx);
      if (others.length >= RATE_LIMIT_POLICIES_MAX) {
        throw new AgentkeepError('rate_limit_policy_limit');
      }
      const origin = { id, nowMs, createdBy: principal.id, others };
      const policy = newPolicy(input.document, origin);
      putPolicy(tx, policy);
      request.record(tx, policyChanged({ change: 'created', after: policy }));
      return policy;
    });
    return showPolicy(made);
  },
});
