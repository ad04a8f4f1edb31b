/** The operations on sign-in settings of a tenant. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { timeText } from '../../../contract/schema/time.js';
import { TenantParameters } from '../../../kernel/lists/account-lists.js';
import {
  defineAccountOperation,
  definePublicOperation,
} from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import { requireMayShutOut } from '../../tenancy/credential/administrator-store.js';
import { findAccount } from '../account/account-store.js';
import {
  PutSignInSettingsRequest,
  type SignInIssuerRequest,
  SignInSettings,
} from '../sign-in/schema.js';
import {
  findSignInSettings,
  putSignInSettingsState,
  type StoredSignInIssuer,
  type StoredSignInSettings,
} from '../sign-in/settings-store.js';
import { actorIdOf, requireMayGive } from '../user/managed-user.js';
import { SignInMethods } from './schema.js';
import { takesWayIn, UNSTATED_WAYS } from './sign-in-policy.js';

const KEY_BYTES = 32;

/** Replaces the whole, and ends the sign-ins under way at the commit. */
export const putSignInSettings = defineAccountOperation({
  name: 'putSignInSettings',
  summary: 'State by which issuers people sign in, and whether passwords are allowed.',
  example: {
    parameters: {},
    document: {
      expected_revision: 0,
      allows_passwords: true,
      issuers: [
        {
          name: 'staff',
          issuer: 'https://id.example.com',
          client_id: 'agentkeep',
          client_secret: 'the secret of the client',
          rules: [
            {
              claims: [{ path: ['groups'], value: 'memory' }],
              roles: ['Read'],
              creates_accounts: true,
            },
          ],
        },
      ],
    },
  },
  command: {
    name: 'sign-in put-settings',
    examples: ['agentkeep sign-in put-settings --expected-revision 0 --document settings.json'],
  },
  tag: 'Sign-in',
  input: { parameters: TenantParameters, document: PutSignInSettingsRequest },
  whenFull: 'served',
  output: SignInSettings,
  requires: { role: 'Admin' },
  checks: accountChecks,
  errors: ['revision_conflict'],
  handler: (request) => {
    const { runtime, nowMs, authority } = request;
    const { document } = request.input;
    const key = Buffer.from(runtime.entropy.bytes(KEY_BYTES)).toString('base64url');
    return runtime.store.transact((tx) => {
      const caller = request.confirm(tx);
      for (const { rules } of document.issuers) {
        for (const { roles, credential_id: credentialId } of rules) {
          requireMayGive(tx, request, caller, { roles, credentialId });
        }
      }
      const before = findSignInSettings(tx, authority);
      const revision = before?.revision ?? 0;
      if (revision !== document.expected_revision) throw new AgentkeepError('revision_conflict');
      const stated: StoredSignInSettings = {
        ...{ authority, key, revision: revision + 1 },
        allowsPasswords: document.allows_passwords,
        issuers: document.issuers.map((issuer) => stored(issuer, before?.issuers ?? [])),
        ...{ updatedAtMillis: nowMs, updatedBy: actorIdOf(caller) },
      };
      requireMayShutOut(tx, request, caller, ({ id }) => {
        const account = findAccount(tx, authority, id);
        return account !== undefined && takesWayIn(account, before ?? UNSTATED_WAYS, stated);
      });
      putSignInSettingsState(tx, stated);
      request.record(tx, {
        type: 'configuration_changed',
        action: 'configuration_changed',
        resource: 'sign_in',
        result: 'success',
        metadata: {
          revision: stated.revision,
          allows_passwords: stated.allowsPasswords,
          issuers: stated.issuers.filter((each) => !each.is_blocked).length,
        },
      });
      return showSignInSettings(stated);
    });
  },
});

/** A secret that is left out stays with its client at its issuer, and goes nowhere else. */
function stored(
  { client_secret: given, ...issuer }: SignInIssuerRequest,
  before: readonly StoredSignInIssuer[],
): StoredSignInIssuer {
  const known = before.find(
    (each) => each.issuer === issuer.issuer && each.client_id === issuer.client_id,
  );
  return { ...issuer, client_secret: given === undefined ? (known?.client_secret ?? null) : given };
}

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
    runtime.store.read((tx) => showSignInSettings(findSignInSettings(tx, authority))),
});

/** Returns settings as answers show them; those of an authority that stated none, too. */
function showSignInSettings(stored: StoredSignInSettings | undefined): SignInSettings {
  if (stored === undefined) {
    const never = { updated_at: null, updated_by: null };
    return { revision: 0, allows_passwords: true, issuers: [], ...never };
  }
  return {
    revision: stored.revision,
    allows_passwords: stored.allowsPasswords,
    issuers: stored.issuers.map(({ client_secret, ...issuer }) => ({
      ...issuer,
      has_client_secret: client_secret !== null,
    })),
    updated_at: timeText(stored.updatedAtMillis),
    updated_by: stored.updatedBy,
  };
}

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
    runtime.store.read((tx) => {
      const { tenant_id: authority = INSTALLATION } = input.parameters;
      const { allowsPasswords = true, issuers = [] } = findSignInSettings(tx, authority) ?? {};
      const names = issuers.filter((each) => !each.is_blocked).map(({ name }) => name);
      return { allows_passwords: allowsPasswords, issuers: names };
    }),
});
