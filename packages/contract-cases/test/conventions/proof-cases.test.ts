/**
 * Proofs other than a tenant's credential (CON-C54).
 * `opaque-sessions.test.ts` tests what a valid session may do.
 */
import { randomBytes } from 'node:crypto';
import { operations, type OperationName } from '@agentkeep/core';
import type { Operation } from '@agentkeep/core/operator';
import { expect } from 'vitest';
import { outcome, refused } from '../harness/answer.js';
import { scope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { inBothViews } from '../login-accounts/login-account-fixture.js';
import { callOf } from '@agentkeep/testkit/operations';

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');
const random = (): string => randomBytes(32).toString('base64url');

testCase('CON-C54 a session token that was never issued is 401', async ({ admin }) => {
  for (const prefix of ['akst1', 'aksg1']) {
    const session = admin.with(`${prefix}_${hex(16)}_${hex(16)}_${random()}`);
    expect(outcome(await session.whoAmI())).toBe(refused.unauthorized);
    expect(outcome(await session.create(scope))).toBe(refused.unauthorized);
    expect(outcome(await session.query(scope))).toBe(refused.unauthorized);
  }
});

/** Operations that act with a credential. */
const platformNames = (Object.entries(operations) as [OperationName, Operation][])
  .filter(([, { kind }]) => kind === 'tenant' || kind === 'installation')
  .map(([name]) => name);

inBothViews('CON-C55 an account without a credential is 403 everywhere', async (view) => {
  await view.admins('chief');
  const jwt = await view.jwt('chief');
  const proofs = [jwt, await view.apiKey(jwt), await view.session('chief')];
  for (const name of platformNames) {
    for (const proof of proofs) {
      expect(await view.outcome(name, callOf(name), proof), name).toBe(refused.forbidden);
    }
  }
});

testCase("CON-C56 an installation's credential is no proof here", async ({ admin }) => {
  const global = admin.with(`akg1_${admin.token.slice(4)}`);
  expect(outcome(await global.whoAmI())).toBe(refused.unauthorized);
});
