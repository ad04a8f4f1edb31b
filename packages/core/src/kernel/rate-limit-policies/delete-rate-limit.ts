/** `deleteRateLimit`: permanently removes a rate limit policy, even a default one. */
import { exampleId } from '../../contract/example-values.js';
import { succeeded, SuccessResponse } from '../lists/account-lists.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { defineAccountOperation } from '../operation/define-operation.js';
import { accountChecks } from '../operation/orders-of-checks.js';
import { uuid } from '../../contract/schema/uuid.js';
import { policyChanged } from './policy-event.js';
import { findRateLimitPolicy, removePolicy } from './rate-limit-store.js';
import { changePolicies } from './stored-policies.js';

/**
 * Deletes a policy. The newest enabled one of its type that remains applies from then on, if any.
 */
export const deleteRateLimit = defineAccountOperation({
  name: 'deleteRateLimit',
  summary: 'Delete a rate limit policy. A deleted default does not come back.',
  example: { id: exampleId },
  command: { name: 'rate-limits delete' },
  tag: 'RateLimits',
  input: { id: uuid() },
  whenFull: 'served',
  output: SuccessResponse,
  requires: { role: 'Admin', isInstallation: true },
  checks: accountChecks,
  errors: ['target_not_found'],
  handler: async (request) => {
    const { runtime, input } = request;
    await changePolicies(runtime, (tx) => {
      request.confirm(tx);
      const before = findRateLimitPolicy(tx, input.id);
      if (before === undefined) throw new AgentkeepError('target_not_found');
      removePolicy(tx, before.id);
      request.record(tx, policyChanged({ change: 'deleted', before }));
    });
    return succeeded('The rate limit policy is deleted.');
  },
});
