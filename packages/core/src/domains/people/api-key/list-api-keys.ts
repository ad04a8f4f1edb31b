/** `listApiKeys`: a page of the API keys of the calling account. */
import { useLog } from '../../../kernel/services/use-log.js';
import { aliasOf, defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { ListParameters } from '../../../kernel/lists/account-lists.js';
import { apiKeyPage } from './key-page.js';
import { ApiKeyList } from './schema.js';

/** Newest first; keys that have ended are included. */
export const listApiKeys = defineAccountOperation({
  name: 'listApiKeys',
  summary: 'List the API keys of the calling account, newest first.',
  example: { parameters: {} },
  command: {
    name: 'keys list',
    columns: ['id', 'name', 'prefix', 'is_active', 'expires_at', 'last_used'],
  },
  tag: 'Keys',
  effect: 'read',
  input: { parameters: ListParameters },
  output: ApiKeyList,
  requires: { party: 'account' },
  checks: accountChecks,
  isHeavy: true,
  handler: async ({ runtime, principal, authority, input, nowMs }) => {
    const owner = { authority, accountId: principal.id };
    // Shows the use by this very call. A full disk must not fail a list.
    await useLog
      .of(runtime)
      .flush()
      .catch(() => undefined);
    return runtime.store.read((tx) => apiKeyPage(tx, owner, input.parameters, nowMs));
  },
});

/** The same under a second path. */
export const listApiKeysAlias = aliasOf(listApiKeys, 'listApiKeysAlias');
