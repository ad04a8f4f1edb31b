/**
 * Cases 54 to 56 of the contract of identity and memory: parties that are no tenant credential.
 * There are no accounts yet, so a stand-in plays the one without a credential.
 * @module
 */
import { randomBytes } from 'node:crypto';
import { Keep, type Operation, operations, type OperationName } from '@agentkeep/core';
import { expect } from 'vitest';
import { outcome, type Parts, refused } from './answer.js';
import { minimalRecord, minimalSpec, scope, unknownId } from './documents.js';
import { bothWays } from './fixture.js';
import { minimalGlobalSpec } from './global-caller.js';

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');
const random = (): string => randomBytes(32).toString('base64url');

bothWays('54 a session token that nobody was given is 401', async ({ admin }) => {
  for (const prefix of ['akst1', 'aksg1']) {
    const session = admin.with(`${prefix}_${hex(16)}_${hex(16)}_${random()}`);
    expect(outcome(await session.whoAmI())).toBe(refused.unauthorized);
    expect(outcome(await session.create(scope))).toBe(refused.unauthorized);
    expect(outcome(await session.query(scope))).toBe(refused.unauthorized);
  }
});

const revision = { contract_version: 1, expected_revision: 1 };
/** Operations of the platform; those of the account surface have cases of their own. */
const platformNames = (Object.entries(operations) as [OperationName, Operation][])
  // A login needs no proof, and a logout a session and no credential.
  .filter(([, { surface, access }]) => surface !== 'account' && access === 'authenticated')
  .filter(([name]) => name !== 'logout')
  .map(([name]) => name);

const password = 'Correct-Horse-7';
const account = { contract_version: 1, username: 'ann', password, credential_id: unknownId };
const validParts: { readonly [N in OperationName]?: Parts } = {
  whoAmI: {},
  issueCredential: { document: { contract_version: 1, spec: minimalSpec } },
  listTenantCredentials: { parameters: { contract_version: 1 } },
  inspectCredential: { id: unknownId },
  rotateCredential: { id: unknownId, document: revision },
  revokeCredential: { id: unknownId, document: revision },
  changeScopeAuthority: { id: unknownId, document: { ...revision, authority: { grants: [] } } },
  executeMemoryCommand: {
    document: {
      contract_version: 1,
      idempotency_key: 'k',
      scope,
      operation: { type: 'create', record: minimalRecord },
    },
  },
  readMemoryRecord: { id: unknownId, parameters: { contract_version: 1, ...scope } },
  queryMemory: { document: { contract_version: 1, scope } },
  createTenantLoginAccount: { document: account },
  inspectTenantLoginAccount: { id: unknownId },
  changePasswordTenantLoginAccount: { id: unknownId, document: { ...revision, password } },
  disableTenantLoginAccount: { id: unknownId, document: revision },
  listTenantLoginAccounts: { parameters: { contract_version: 1 } },
  createGlobalLoginAccount: { document: account },
  inspectGlobalLoginAccount: { id: unknownId },
  changePasswordGlobalLoginAccount: { id: unknownId, document: { ...revision, password } },
  disableGlobalLoginAccount: { id: unknownId, document: revision },
  listGlobalLoginAccounts: { parameters: { contract_version: 1 } },
  globalIdentity: {},
  issueGlobalCredential: { document: { contract_version: 1, spec: minimalGlobalSpec } },
  listGlobalCredentials: { parameters: { contract_version: 1 } },
  inspectGlobalCredential: { id: unknownId },
  rotateGlobalCredential: { id: unknownId, document: revision },
  revokeGlobalCredential: { id: unknownId, document: revision },
  registerTenant: { document: { contract_version: 1, tenant_id: 'new', subject_id: 's' } },
  listTenants: { parameters: { contract_version: 1 } },
  inspectTenant: { id: 'acme' },
  issueTenantAdmin: { id: 'acme', document: { contract_version: 1, subject_id: 's' } },
};

bothWays('55 a stand-in for an account without a credential is 403 everywhere', async (t) => {
  const runtime = Keep.runtimeOf(t.keep);
  const unbound = new Keep({
    ...runtime,
    authenticate: (...proof) => {
      const principal = runtime.authenticate(...proof);
      if (principal === undefined) return undefined;
      const presence = { kind: 'api_key', keyId: principal.id } as const;
      return {
        ...principal,
        kind: 'account',
        username: 'ann',
        presence,
        credential: null,
        global: null,
        role: null,
      };
    },
  });
  const transport = t.driver.open(unbound);
  const names = Object.keys(validParts) as OperationName[];
  expect(names.toSorted()).toEqual(platformNames.toSorted());
  for (const name of names) {
    const answer = await transport(name, t.admin.token, validParts[name] ?? {});
    expect(outcome(answer), name).toBe(refused.forbidden);
  }
});

bothWays('56 a global credential is no proof here', async ({ admin }) => {
  const global = admin.with(`akg1_${admin.token.slice(4)}`);
  expect(outcome(await global.whoAmI())).toBe(refused.unauthorized);
});
