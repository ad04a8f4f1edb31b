/** `createResetLink`: makes a link by which the person of an account sets a new password, once. */
import { exampleId } from '../../../contract/example-values.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { timeText } from '../../../contract/schema/time.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { SECRET_BYTES, verifierOf } from '../../../kernel/access/secret.js';
import { TenantParameters } from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { showUser } from '../account/show-account.js';
import { isActiveAccount } from '../account/stored-account.js';
import { putResetLink } from '../invitation/reset-link-store.js';
import { CreateResetLinkRequest, ResetLink } from '../invitation/schema.js';
import { codeOf } from '../invitation/show-invitation.js';
import { allowsPasswords } from '../sign-in/settings-store.js';
import { managedUser } from '../user/managed-user.js';

const HOUR_MS = 3_600_000;

/** Changes nothing of the account until the link is used. */
export const createResetLink = defineAccountOperation({
  name: 'createResetLink',
  summary: 'Make a link that sets a new password of an account, once.',
  example: { id: exampleId, parameters: {}, document: {} },
  tag: 'Users',
  input: { id: uuid(), parameters: TenantParameters, document: CreateResetLinkRequest },
  output: ResetLink,
  requires: { role: 'Admin' },
  checks: accountChecks,
  errors: ['target_not_found', 'account_disabled', 'passwords_not_allowed'],
  handler: async (request) => {
    const { runtime, nowMs, authority, input } = request;
    const bytes = runtime.entropy.bytes(SECRET_BYTES);
    const expiresAtMillis = nowMs + input.document.valid_hours * HOUR_MS;
    return runtime.store.transact((tx) => {
      const account = managedUser(tx, request, request.confirm(tx), input.id);
      if (!isActiveAccount(account)) {
        const message = 'This account is not active, so no link sets its password.';
        throw new AgentkeepError('account_disabled', { message });
      }
      if (!allowsPasswords(tx, authority)) throw new AgentkeepError('passwords_not_allowed');
      putResetLink(tx, {
        ...{ authority, accountId: account.id, revision: account.revision, expiresAtMillis },
        verifier: verifierOf({ kind: 'aki1', bytes }),
      });
      const expires = timeText(expiresAtMillis);
      request.record(tx, {
        type: 'user_updated',
        action: 'user_updated',
        resource: `user:${account.id}`,
        result: 'success',
        metadata: { reset_link: 'created', expires_at: expires },
      });
      return { user: showUser(account), ...codeOf(account.id, bytes), expires_at: expires };
    });
  },
});
