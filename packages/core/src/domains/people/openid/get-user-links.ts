/** `getUserLinks`: shows who at issuers signs in as an account. */
import { exampleId } from '../../../contract/example-values.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { TenantParameters } from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { readAtOnce } from '../../../storage/store/read-at-once.js';
import { visibleUser } from '../user/managed-user.js';
import { UserLinks } from './schema.js';

/** An account sees its own links. */
export const getUserLinks = defineAccountOperation({
  name: 'getUserLinks',
  summary: 'Show who at issuers signs in as an account.',
  example: { id: exampleId, parameters: {} },
  command: { name: 'people links' },
  tag: 'Sign-in',
  effect: 'read',
  input: { id: uuid(), parameters: TenantParameters },
  output: UserLinks,
  requires: { party: 'self' },
  checks: accountChecks,
  errors: ['target_not_found'],
  handler: (request) => {
    const { runtime, principal, input } = request;
    return readAtOnce(runtime.store, (tx) => {
      const { links } = visibleUser(tx, request, principal, input.id);
      return { links: (links ?? []).map((link) => ({ ...link })) };
    });
  },
});
