/** `getSignInSettings`: shows how the people of an authority sign in. */
import { TenantParameters } from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { readAtOnce } from '../../../storage/store/read-at-once.js';
import { SignInSettings } from '../sign-in/schema.js';
import { findSignInSettings } from '../sign-in/settings-store.js';
import { showSignInSettings } from './show-sign-in-settings.js';

/** Shows no secret of a client. */
export const getSignInSettings = defineAccountOperation({
  name: 'getSignInSettings',
  summary: 'Show by which issuers people sign in, and whether passwords are allowed.',
  example: { parameters: {} },
  command: { name: 'sign-in settings' },
  tag: 'Sign-in',
  effect: 'read',
  input: { parameters: TenantParameters },
  output: SignInSettings,
  requires: { role: 'Admin' },
  checks: accountChecks,
  handler: ({ runtime, authority }) =>
    readAtOnce(runtime.store, (tx) => showSignInSettings(findSignInSettings(tx, authority))),
});
