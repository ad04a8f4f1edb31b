/** `getSignInMethods`: says which ways to sign in there are, for pages that offer them. */
import { TenantParameters } from '../../../kernel/lists/account-lists.js';
import { definePublicOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import { readAtOnce } from '../../../storage/store/read-at-once.js';
import { findSignInSettings } from '../sign-in/settings-store.js';
import { SignInMethods } from './schema.js';

/** Answers for an unknown tenant as for one that stated nothing. */
export const getSignInMethods = definePublicOperation({
  name: 'getSignInMethods',
  summary: 'Say whether passwords are allowed, and which issuers people sign in by.',
  example: { parameters: { tenant_id: 'acme' } },
  command: { name: 'sign-in methods' },
  tag: 'Sign-in',
  effect: 'read',
  ignoresProof: true,
  input: { parameters: TenantParameters },
  output: SignInMethods,
  checks: accountChecks,
  handler: ({ runtime, input }) =>
    readAtOnce(runtime.store, (tx) => {
      const { tenant_id: authority = INSTALLATION } = input.parameters;
      const { allowsPasswords = true, issuers = [] } = findSignInSettings(tx, authority) ?? {};
      const names = issuers.filter((each) => !each.is_blocked).map(({ name }) => name);
      return { allows_passwords: allowsPasswords, issuers: names };
    }),
});
