/** `updateUser`: changes members of an account, all of them or none. */
import { exampleId } from '../../../contract/example-values.js';
import type { Principal } from '../../../kernel/access/principal.js';
import type { StoredAccount } from '../account/stored-account.js';
import { User } from '../account/schema.js';
import { TenantParameters } from '../../../kernel/lists/account-lists.js';
import { requireStrongPassword } from '../password/require-strong-password.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import type { AccountRequest } from '../../../kernel/operation/requests.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { uuid } from '../../../contract/schema/uuid.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { changeUser } from './change-user.js';
import { isSelf, managedUser, requireGrantable, visibleUser } from './managed-user.js';
import { UpdateUserRequest } from './schema.js';

const input = { id: uuid(), parameters: TenantParameters, document: UpdateUserRequest };

/** An account may change its own e-mail address; other changes need the right to manage it. */
export const updateUser = defineAccountOperation({
  name: 'updateUser',
  summary: 'Change e-mail address, password, activity or roles of an account.',
  example: {
    id: exampleId,
    parameters: {},
    document: { email: 'ann@example.com', is_active: true },
  },
  command: { name: 'people update', examples: ['agentkeep people update <id> --is-active false'] },
  tag: 'Users',
  input,
  // An account can store any number of new addresses over time; the other members end or protect an
  // account.
  whenFull: { of: ({ document }) => (document.email === undefined ? 'served' : 'refused') },
  output: User,
  requires: { party: 'self' },
  checks: accountChecks,
  errors: [
    'weak_password',
    'target_not_found',
    'account_disabled',
    'already_exists',
    'last_admin',
    'login_busy',
  ],
  handler: (request) => {
    const { email, password, is_active: isActive, roles } = request.input.document;
    if (password !== undefined) requireStrongPassword(password);
    return changeUser(request, { email, password, isActive, roles }, (tx, caller) =>
      changeableUser(tx, request, caller),
    );
  },
});

function changeableUser(
  tx: ReadTx,
  request: AccountRequest<typeof input>,
  caller: Principal,
): StoredAccount {
  const { id, document } = request.input;
  const { password, is_active, roles } = document;
  const isHarmless = [password, is_active, roles].every((member) => member === undefined);
  if (isHarmless && isSelf(request, caller, id)) return visibleUser(tx, request, caller, id);
  requireGrantable(request, caller, roles ?? []);
  return managedUser(tx, request, caller, id);
}
