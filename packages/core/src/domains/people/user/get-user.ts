/** `getUser`: shows one account to itself and to administrators. */
import { exampleId } from '../../../contract/example-values.js';
import { User } from '../account/schema.js';
import { showUser } from '../account/show-account.js';
import { TenantParameters } from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { visibleUser } from './managed-user.js';

/** Without a role, ids of other accounts give the same error whether they exist or not. */
export const getUser = defineAccountOperation({
  name: 'getUser',
  summary: 'Show one account.',
  example: { id: exampleId, parameters: {} },
  command: { name: 'people show' },
  tag: 'Users',
  effect: 'read',
  input: { id: uuid(), parameters: TenantParameters },
  output: User,
  requires: { party: 'self' },
  checks: accountChecks,
  errors: ['target_not_found'],
  handler: (request) =>
    request.runtime.store.read((tx) =>
      showUser(visibleUser(tx, request, request.principal, request.input.id)),
    ),
});
