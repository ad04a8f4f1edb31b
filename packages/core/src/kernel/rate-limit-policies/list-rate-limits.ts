/** `listRateLimits`: pages through the rate limit policies of the installation. */
import { type ListIdentity, decodeCursor, encodeCursor } from '../lists/cursor.js';
import { ListParameters } from '../lists/account-lists.js';
import { directoryPage } from '../lists/page.js';
import { defineAccountOperation } from '../operation/define-operation.js';
import { accountChecks } from '../operation/orders-of-checks.js';
import { INSTALLATION } from '../../storage/store/key.js';
import { showPolicy } from './policy-document.js';
import { listPolicies } from './rate-limit-store.js';
import { RateLimitPolicyList } from './schema.js';

const identity: ListIdentity = { list: 'rate-limits', tenantId: INSTALLATION };

/**
 * Lists policies from newest to oldest, including disabled ones. Pages reflect concurrent changes.
 */
export const listRateLimits = defineAccountOperation({
  name: 'listRateLimits',
  summary: 'List the rate limit policies, newest first, disabled ones included.',
  example: { parameters: {} },
  command: {
    name: 'rate-limits list',
    columns: ['id', 'name', 'endpoint_type', 'max_requests', 'window_secs', 'enabled'],
  },
  tag: 'RateLimits',
  effect: 'read',
  input: { parameters: ListParameters },
  output: RateLimitPolicyList,
  requires: { role: 'Admin', isInstallation: true },
  checks: accountChecks,
  isHeavy: true,
  handler: async ({ runtime, input }) => {
    const { limit, cursor } = input.parameters;
    const after = cursor === undefined ? undefined : decodeCursor(identity, cursor);
    const found = await runtime.store.read((tx) => listPolicies(tx, { after, limit: limit + 1 }));
    const { items, next_cursor } = directoryPage(found, limit, showPolicy, ({ id }) =>
      encodeCursor(identity, id),
    );
    return { policies: items, next_cursor };
  },
});
