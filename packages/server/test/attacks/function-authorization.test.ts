/**
 * Function-level authorization (OWASP API5:2023): every operation against every kind of caller
 * without the right to it. The operations come from the table, so new ones are included; the
 * expected refusals follow the contract's text, not the code under test.
 */
import { capabilities, globalCapabilities, type OperationName } from '@agentkeep/core';
import { type AuthenticatedOperation, needsScope } from '@agentkeep/core/operator';
import { describe, expect, test } from 'vitest';
import { outcome, refused, result } from '@agentkeep/contract-cases/answer';
import { missionScope, scope, sharedScope } from '@agentkeep/contract-cases/documents';
import { PASSWORD, type UserFixture, withUsers } from '@agentkeep/contract-cases/user-fixture';
import { callOf, everyName, operationOf } from './every-call.js';

/** An intruder: its proof, and the refusal that the contract requires. */
interface Intruder {
  readonly name: string;
  readonly token: string | undefined;
  /** The expected refusal; `undefined` if it may pass the checks of authority. */
  readonly due: (operation: AuthenticatedOperation, name: OperationName) => string | undefined;
}

const { unauthorized, forbidden } = refused;

const needsSession = (operation: AuthenticatedOperation): boolean =>
  operation.kind === 'account' && operation.requires.party === 'session';

/** The refusal of a tenant's credential without a role on the account surface. */
function dueToTenantCredential(operation: AuthenticatedOperation): string | undefined {
  if (needsSession(operation)) return unauthorized;
  return operation.kind === 'tenant' ? undefined : forbidden;
}

/** The refusal of a delegate: 401 on tenant operations, no role on the account surface. */
function dueToDelegate(operation: AuthenticatedOperation): string | undefined {
  if (needsSession(operation)) return unauthorized;
  if (operation.kind === 'account') return forbidden;
  return operation.kind === 'tenant' ? unauthorized : undefined;
}

/** The refusal of an account with no rights and no credential. */
function dueToAccount(operation: AuthenticatedOperation): string | undefined {
  if (operation.kind !== 'account') return forbidden;
  const { role, party } = operation.requires;
  return role !== undefined || party === 'self' ? forbidden : undefined;
}

/** Returns the capabilities of which the valid call of an operation needs one, if any. */
function capabilitiesOf(name: OperationName, operation: AuthenticatedOperation): readonly string[] {
  if (operation.kind !== 'tenant') return [];
  const { capability = [] } = operation.requires;
  const isChoice = typeof capability === 'object' && 'of' in capability;
  return [isChoice ? capability.of(callOf(name) as never) : capability].flat();
}

/** Capabilities of a credential that is no administrator on the account surface. */
const ordinary = capabilities.filter((each) => each !== 'credential_admin');

/** Returns credentials that each lack one capability of the tenant and hold all others. */
async function incapable(users: UserFixture): Promise<Intruder[]> {
  const grants = [scope, sharedScope, missionScope];
  return Promise.all(
    capabilities.map(async (missing) => {
      const held: readonly string[] = ordinary.filter((each) => each !== missing);
      const { token } = await users.fixture.agent({ capabilities: held, grants });
      return {
        name: `a credential without ${missing}`,
        token,
        due: (operation: AuthenticatedOperation, name: OperationName) => {
          const needed = capabilitiesOf(name, operation);
          const isDenied = needed.length > 0 && !needed.some((each) => held.includes(each));
          return isDenied ? forbidden : dueToTenantCredential(operation);
        },
      };
    }),
  );
}

/** Returns delegates of the installation that each lack one capability. */
async function delegates(users: UserFixture): Promise<Intruder[]> {
  const master = await users.fixture.master();
  return Promise.all(
    globalCapabilities.map(async (missing) => {
      const held = globalCapabilities.filter((each) => each !== missing);
      const { token } = await master.delegate(held);
      return {
        name: `a delegate without ${missing}`,
        token,
        due: (operation: AuthenticatedOperation) => {
          const isDenied =
            operation.kind === 'installation' && [missing, 'master'].includes(operation.requires);
          return isDenied ? forbidden : dueToDelegate(operation);
        },
      };
    }),
  );
}

/** Returns a credential with every capability but no grant. */
async function ungranted(users: UserFixture): Promise<Intruder> {
  const { token } = await users.fixture.agent({ capabilities: ordinary, grants: [] });
  return {
    name: 'a credential without a grant',
    token,
    due: (operation) => {
      if (operation.kind !== 'tenant') return dueToTenantCredential(operation);
      const { capability } = operation.requires;
      const isDenied = needsScope(operation) || capability === 'credential_admin';
      return isDenied ? forbidden : undefined;
    },
  };
}

/**
 * Returns people: without rights, with an API key only, with rights in a tenant, in opaque
 * sessions.
 */
async function people(users: UserFixture): Promise<Intruder[]> {
  const reader = await users.member('reader');
  const { key } = result(await reader.call('createApiKey', { document: { name: 'k' } }));
  const admin = await users.member('admin', { roles: ['Admin'] });
  const { transport } = users.fixture;
  await users.person('rita');
  const document = { contract_version: 1, username: 'rita', password: PASSWORD };
  const { session } = result(await transport('loginGlobal', undefined, { document }));
  return [
    { name: 'an account without rights', token: reader.token, due: dueToAccount },
    {
      name: 'an API key',
      token: key,
      due: (operation) => {
        if (needsSession(operation)) return unauthorized;
        const isLogin = operation.kind === 'account' && operation.requires.party === 'login';
        return isLogin ? forbidden : dueToAccount(operation);
      },
    },
    {
      name: 'an administrator of a tenant',
      token: admin.token,
      due: (operation) =>
        operation.kind !== 'account' || operation.requires.isInstallation === true
          ? forbidden
          : undefined,
    },
    {
      name: 'an opaque session of the installation',
      token: session.token,
      due: (operation) => (operation.kind === 'tenant' ? forbidden : dueToAccount(operation)),
    },
  ];
}

async function intrudersOf(users: UserFixture): Promise<Intruder[]> {
  const nobody = (name: string, token?: string): Intruder => ({
    name,
    token,
    due: () => unauthorized,
  });
  return [
    nobody('nobody'),
    nobody('a made-up secret', `ak1_${'0'.repeat(32)}_${'A'.repeat(43)}`),
    nobody('a made-up key', `ak_live_${'0'.repeat(38)}`),
    ...(await incapable(users)),
    ...(await delegates(users)),
    await ungranted(users),
    ...(await people(users)),
  ];
}

/** Whether an operation ends a session, so that it must come last. */
const endsSession = (name: string): boolean => name === 'authLogout' || name === 'logout';

describe('every operation is refused to callers without the right to it', () => {
  // CON-20, CON-61, CON-73, CON-51
  withUsers('by proof, side, capability, grant and role', async (users) => {
    const intruders = await intrudersOf(users);
    const refusals = new Map<string, number>();
    for (const name of everyName.filter((each) => !endsSession(each))) {
      const operation = operationOf(name);
      if (operation.kind === 'public') continue;
      for (const { name: who, token, due } of intruders) {
        const expected = due(operation, name);
        if (expected === undefined) continue;
        const answer = await users.fixture.transport(name, token, callOf(name));
        expect(outcome(answer), `${name} by ${who}`).toBe(expected);
        refusals.set(name, (refusals.get(name) ?? 0) + 1);
      }
    }
    // Made-up proofs account for three refusals; each operation must refuse some other caller too.
    const spared = [...refusals].filter(([, count]) => count < 4).map(([name]) => name);
    expect(spared).toEqual([]);
  });
});

test('CON-23 every operation needs a proof, except those that create or end one', () => {
  const open = everyName.filter((name) => operationOf(name).kind === 'public');
  expect(open.toSorted()).toEqual([
    'acceptInvitation',
    'authLogin',
    'authRefresh',
    'beginSignIn',
    'completeSignIn',
    'getHealth',
    'getSignInMethods',
    'issueFederatedToken',
    'jwks',
    'loginGlobal',
    'loginTenant',
    'receiveIssuerLogout',
    'revokeToken',
  ]);
});
