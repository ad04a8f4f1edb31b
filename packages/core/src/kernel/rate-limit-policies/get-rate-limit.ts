/** `getRateLimit`: returns one rate limit policy. */
import { exampleId } from '../../contract/example-values.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { defineAccountOperation } from '../operation/define-operation.js';
import { accountChecks } from '../operation/orders-of-checks.js';
import { uuid } from '../../contract/schema/uuid.js';
import { showPolicy } from './policy-document.js';
import { findRateLimitPolicy } from './rate-limit-store.js';
import { RateLimitPolicyDocument } from './schema.js';

/** Returns a policy, even a disabled one. */
export const getRateLimit = defineAccountOperation({
  name: 'getRateLimit',
  summary: 'Show a rate limit policy.',
  example: { id: exampleId },
  command: { name: 'rate-limits show' },
  tag: 'RateLimits',
  effect: 'read',
  input: { id: uuid() },
  output: RateLimitPolicyDocument,
  requires: { role: 'Admin', isInstallation: true },
  checks: accountChecks,
  errors: ['target_not_found'],
  handler: async ({ runtime, input }) => {
    const policy = await runtime.store.read((tx) => findRateLimitPolicy(tx, input.id));
    if (policy === undefined) throw new AgentkeepError('target_not_found');
    return showPolicy(policy);
  },
});
