/** `jwks`: serves the public keys that verify access tokens. */
import { definePublicOperation } from '../../../kernel/operation/define-operation.js';
import { noChecks } from '../../../kernel/operation/orders-of-checks.js';
import { JwkSet } from './schema.js';

/** Shows the public half of every verifying key. */
export const jwks = definePublicOperation({
  name: 'jwks',
  summary: 'Fetch the keys that access tokens are verified with.',
  example: {},
  tag: 'Sessions',
  effect: 'read',
  input: {},
  output: JwkSet,
  checks: noChecks,
  errors: ['storage_inconsistency'],
  async handler({ runtime }) {
    return { keys: [...(await runtime.tokens.publicKeys())] };
  },
});
