/**
 * `contract_version` of the operations of the installation (docs/contract/installation.md): another
 * unsigned 32-bit integer is another version, anything else is malformed.
 */
import type { OperationName } from '@agentkeep/core';
import { callOf } from '@agentkeep/testkit/operations';
import { expect } from 'vitest';
import { outcome, type Parts, refused } from '../harness/answer.js';
import { testCase } from '../harness/fixture.js';

const forMasters: readonly OperationName[] = [
  'issueGlobalCredential',
  'listGlobalCredentials',
  'rotateGlobalCredential',
  'revokeGlobalCredential',
  'registerTenant',
  'listTenants',
  'listTenantErasures',
  'issueTenantAdmin',
  'setStorageQuota',
  'getTenantUse',
  'createGlobalLoginAccount',
  'listGlobalLoginAccounts',
  'changePasswordGlobalLoginAccount',
  'disableGlobalLoginAccount',
];
const forTenants: readonly OperationName[] = [
  'changeScopeAuthority',
  'listTenantCredentials',
  'createTenantLoginAccount',
  'listTenantLoginAccounts',
  'changePasswordTenantLoginAccount',
  'disableTenantLoginAccount',
];
const login = { username: 'ann', password: 'Correct-Horse-7' };
const logins = {
  loginTenant: { document: { tenant_id: 'acme', ...login } },
  loginGlobal: { document: login },
} satisfies { readonly [N in OperationName]?: Parts };

const versions = [
  [0, refused.version],
  [2, refused.version],
  [4_294_967_295, refused.version],
  [4_294_967_296, refused.invalid],
  [-1, refused.invalid],
  [1.5, refused.invalid],
] as const;

/** Returns the same call with another version. */
function under(version: number, { document, parameters, ...rest }: Parts): Parts {
  const member = { contract_version: version };
  if (document === undefined) return { ...rest, parameters: { ...Object(parameters), ...member } };
  return { ...rest, document: { ...Object(document), ...member } };
}

testCase(
  'CON-115, CON-80, CON-117 another version has 32 bits; a larger number is malformed',
  async (t) => {
    const expectVersions = async (name: OperationName, parts: Parts = {}, token?: string) => {
      for (const [version, expected] of versions) {
        const answer = await t.transport(name, token, under(version, parts));
        expect(outcome(answer), `${name} under ${version}`).toBe(expected);
      }
    };
    const { token } = await t.master();
    for (const name of forMasters) await expectVersions(name, callOf(name), token);
    for (const name of forTenants) await expectVersions(name, callOf(name), t.admin.token);
    await expectVersions('loginTenant', logins.loginTenant);
    await expectVersions('loginGlobal', logins.loginGlobal);
  },
);
