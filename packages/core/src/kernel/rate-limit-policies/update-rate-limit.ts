/** `updateRateLimit`: changes the name, limit or state of a rate limit policy. */
import { exampleId } from '../../contract/example-values.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { defineAccountOperation } from '../operation/define-operation.js';
import { accountChecks } from '../operation/orders-of-checks.js';
import { uuid } from '../../contract/schema/uuid.js';
import { changedPolicy, showPolicy } from './policy-document.js';
import { policyChanged } from './policy-event.js';
import { findRateLimitPolicy, putPolicy } from './rate-limit-store.js';
import { RateLimitPolicyDocument, UpdateRateLimitRequest } from './schema.js';
import { changePolicies } from './stored-policies.js';

/** Changes the given members. Equal values change nothing. */
export const updateRateLimit = defineAccountOperation({
  name: 'updateRateLimit',
  summary: 'Change a rate limit policy. Another limit starts its buckets full.',
  example: { id: exampleId, document: { max_requests: 300 } },
  command: {
    name: 'rate-limits update',
    examples: ['agentkeep rate-limits update <policy-id> --enabled false'],
  },
  tag: 'RateLimits',
  input: { id: uuid(), document: UpdateRateLimitRequest },
  whenFull: 'served',
  output: RateLimitPolicyDocument,
  requires: { role: 'Admin', isInstallation: true },
  checks: accountChecks,
  errors: ['target_not_found'],
  handler: async (request) => {
    const { runtime, input, nowMs } = request;
    const policy = await changePolicies(runtime, (tx) => {
      request.confirm(tx);
      const before = findRateLimitPolicy(tx, input.id);
      if (before === undefined) throw new AgentkeepError('target_not_found');
      const after = changedPolicy(before, input.document, nowMs);
      if (after === before) return before;
      putPolicy(tx, after);
      request.record(tx, policyChanged({ change: 'updated', before, after }));
      return after;
    });
    return showPolicy(policy);
  },
});
