/**
 * Showing a login account, stated once for both views.
 *
 * @module
 */
import { findAccount } from '../account/account-store.js';
import { showLoginAccount } from '../account/show-account.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { AuthenticatedOperation } from '../../runtime/operation.js';
import { uuid } from '../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { LoginAccountView } from './login-account-view.js';
import { LoginAccountResponse } from './schema.js';

/** What showing an account reads. */
export interface InspectInput {
  readonly id: ReturnType<typeof uuid>;
}

type Inspect = AuthenticatedOperation<InspectInput, typeof LoginAccountResponse>;

/** Everything but the name of the operation; unknown and foreign ids are both `forbidden`. */
export function inspectLoginAccount({
  tag,
  requires,
}: LoginAccountView): Omit<Inspect, 'name' | 'access' | 'summary'> {
  return {
    tag,
    effect: 'read',
    input: { id: uuid() },
    output: LoginAccountResponse,
    requires,
    checks: ['id', 'authority'],
    errors: ['invalid_request', 'forbidden'],
    handler: ({ runtime, authority, input }) =>
      runtime.store.read((tx) => {
        const account = findAccount(tx, authority, input.id);
        if (account === undefined) throw new AgentkeepError('forbidden');
        return { contract_version: CONTRACT_VERSION, account: showLoginAccount(tx, account) };
      }),
  };
}
