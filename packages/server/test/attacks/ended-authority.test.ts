/**
 * A caller whose authority ends between the headers and the last byte of its request: nothing is
 * answered or stored with the authority that it began with (docs/contract/conventions.md#con-166).
 */
import { capabilities, type OperationName, type Store } from '@agentkeep/core';
import { createAdmin, recoverMaster } from '@agentkeep/core/operator';
import { storeOver } from '@agentkeep/core/testing';
import { callOn } from '@agentkeep/testkit/calls-on';
import { testStore } from '@agentkeep/testkit/test-store';
import { describe, expect, test } from 'vitest';
import { fillPath, routes } from '@agentkeep/client/routes';
import { outcome, type Parts, refused, result } from '@agentkeep/contract-cases/answer';
import { type Caller, createAll, type Members } from '@agentkeep/contract-cases/caller';
import { missionScope, recordOf, scope, sharedScope } from '@agentkeep/contract-cases/documents';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { type Fixture, tenant } from '@agentkeep/contract-cases/fixture';
import { PASSWORD } from '@agentkeep/contract-cases/user-fixture';
import { callOf, everyName, operationOf } from './every-call.js';
import type { Owned } from './reference.js';
import { answerInParts, type RawServer, rawServer, requestOf } from './raw-server.js';
import { loggedIn, ownedBy, resourcesOf } from './references.js';

/** Bytes of the body that arrive before the authority ends. */
const EARLY_BYTES = 20;

const SECRET_TEXT = 'written-after-the-end';
const LIFE_MS = 1_000;

/** A served tenant whose next read can be awaited. */
interface Watched extends AsyncDisposable {
  readonly at: RawServer;
  readonly t: Fixture;
  /** Resolves after the next read of the store. */
  readonly nextRead: () => Promise<void>;
}

/** A store that counts its reads and lets a test act after one. */
function storeWithHook() {
  const inner: Store = testStore();
  const hook = {
    reads: 0,
    afterRead: undefined as (() => unknown) | undefined,
    store: storeOver(inner, {
      read: async (body) => {
        const found = await inner.read(body);
        hook.reads += 1;
        await hook.afterRead?.();
        return found;
      },
    }),
  };
  return hook;
}

async function watched(): Promise<Watched> {
  const hook = storeWithHook();
  const at = await rawServer({}, {}, hook.store);
  return {
    at,
    t: at.t,
    nextRead: () =>
      new Promise((resolve) => {
        hook.afterRead = () => {
          resolve();
        };
      }),
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

/** Sends a call with a proof; its authority ends when the server has proved it by the headers. */
async function endedBetween(
  { at, nextRead }: Watched,
  name: OperationName,
  { token, parts, end }: { token: string; parts: Parts; end: () => Promise<unknown> },
): Promise<string> {
  const { method, path } = routes[name];
  const body = JSON.stringify(parts.document);
  const proof = token.startsWith('ak_live_')
    ? `X-API-Key: ${token}`
    : `Authorization: Bearer ${token}`;
  const head = requestOf(
    `${method} ${fillPath(path, String(parts.id))}`,
    `${proof}\nContent-Type: application/json\nContent-Length: ${body.length}\nConnection: close\n`,
  );
  const proved = nextRead();
  // A short body lacks one byte.
  const early = Math.min(EARLY_BYTES, body.length - 1);
  const bytes = [head + body.slice(0, early), body.slice(early)] as const;
  const answer = await answerInParts(at.server, bytes, async () => {
    await proved;
    await end();
  });
  expect(answer.body).not.toContain(SECRET_TEXT);
  return outcome({ status: answer.status, body: JSON.parse(answer.body) });
}

const proved = everyName.filter((name) => operationOf(name).kind !== 'public');
const withBody = proved.filter((name) => operationOf(name).input.document !== undefined);
const reads = withBody.filter((name) => operationOf(name).effect === 'read');
const kindOf = (name: OperationName): string => operationOf(name).kind;

/** Every capability, in the scopes of the valid calls. */
const powers = { capabilities, grants: [scope, sharedScope, missionScope] };

/** Ways in which the authority of an agent ends, with the answer that is due. */
const endings: readonly (readonly [
  title: string,
  members: Members,
  end: (t: Fixture, agent: Caller) => unknown,
  due: string,
])[] = [
  [
    'is revoked',
    {},
    async (t, { id }) => result(await t.admin.revoke(id, 1)),
    refused.unauthorized,
  ],
  [
    'is rotated',
    {},
    async (t, { id }) => result(await t.admin.rotate(id, 1)),
    refused.unauthorized,
  ],
  [
    'loses its grants',
    {},
    async (t, { id }) => result(await t.admin.rescope(id, 1, { grants: [] })),
    refused.forbidden,
  ],
  [
    'expires',
    { expires_at_millis: LIFE_MS },
    (t) => {
      t.clock.advance(LIFE_MS);
    },
    refused.unauthorized,
  ],
];

/** Reads of those who administer credentials, and need no grant. */
const withoutGrants: readonly OperationName[] = [
  'exportMemory',
  'listScopeHolders',
  'previewReach',
];

/** Returns what ends the authority to read. */
const endingsOf = (name: OperationName) =>
  endings.filter(([title]) => title !== 'loses its grants' || !withoutGrants.includes(name));

/** Returns the call of a read, with what {@link ownedBy} made. */
const readOf = (name: OperationName, owned: Owned): Parts =>
  callOn(name, sharedScope, resourcesOf(owned, sharedScope));

describe('a read', () => {
  test.each(reads)('%s ends with the authority of its caller', async (name) => {
    await using w = await watched();
    const { t } = w;
    const parts = readOf(name, await ownedBy(t));
    const writer = await t.agent();
    const record = recordOf({ primary: SECRET_TEXT });
    for (const [title, members, end, due] of endingsOf(name)) {
      const agent = await t.agent({ ...powers, ...later(t, members) });
      expect(outcome(await agent.call(name, parts)), title).toBe('200');
      const ended = await endedBetween(w, name, {
        token: agent.token,
        parts,
        end: async () => {
          await end(t, agent);
          await writer.created(sharedScope, record);
        },
      });
      expect(ended, title).toBe(due);
    }
  });

  test('queryMemory ends between two slices', async () => {
    const slices = storeWithHook();
    await using t = await tenant(drivers[0]!, slices.store);
    const agent = await t.agent();
    const content = { primary: 'x'.repeat(60_000) };
    await createAll(await t.agent(), Array(20).fill(recordOf(content)));
    slices.reads = 0;
    expect(outcome(await agent.query(scope))).toBe('200');
    // The proof, and more than one slice.
    expect(slices.reads).toBeGreaterThan(2);
    slices.afterRead = async () => {
      if (slices.reads !== 2) return;
      slices.afterRead = undefined;
      result(await t.admin.revoke(agent.id, 1));
    };
    slices.reads = 0;
    expect(outcome(await agent.query(scope))).toBe(refused.unauthorized);
  });

  test.each(['queryMemory', 'selectProcedure'] as const)(
    '%s ends with the session or key of a person',
    async (name) => {
      await using w = await watched();
      const { t } = w;
      const parts = readOf(name, await ownedBy(t));
      const { id: credentialId } = await t.agent(powers);
      const person = { username: 'bea', password: PASSWORD, tenantId: 'acme', credentialId };
      await createAdmin(t.keep, { ...person, role: 'Admin' });
      const bea = await loggedIn(t, 'bea', 'acme');
      const key = result(await bea.call('createApiKey', { document: { name: 'k' } }));
      const byKey = { token: key.key, end: () => bea.call('deleteApiKey', { id: key.id }) };
      const bySession = { token: bea.token, end: () => bea.call('authLogout') };
      for (const each of [byKey, bySession]) {
        expect(await endedBetween(w, name, { ...each, parts })).toBe(refused.unauthorized);
      }
    },
  );
});

test.each(withBody.filter((name) => kindOf(name) === 'tenant'))(
  '%s is refused to a credential that is revoked while its body is under way',
  async (name) => {
    await using w = await watched();
    const { token, id } = await w.t.agent(powers);
    const end = async () => result(await w.t.admin.revoke(id, 1));
    const document = Object(callOf(name).document) as Members;
    // In a private scope an attempt of another reporter is no valid document.
    const shared = 'scope' in document ? { scope: sharedScope } : {};
    const parts = { ...callOf(name), document: { ...document, ...shared } };
    expect(await endedBetween(w, name, { token, parts, end })).toBe(refused.unauthorized);
  },
);

test.each(withBody.filter((name) => kindOf(name) === 'installation'))(
  '%s is refused to a master that is recovered while its body is under way',
  async (name) => {
    await using w = await watched();
    const { token } = await w.t.master();
    const end = () => recoverMaster(w.t.keep, 1);
    const parts = callOf(name);
    expect(await endedBetween(w, name, { token, parts, end })).toBe(refused.unauthorized);
  },
);

test.each(withBody.filter((name) => kindOf(name) === 'account'))(
  '%s is refused to a person who logs out while the body is under way',
  async (name) => {
    await using w = await watched();
    await createAdmin(w.t.keep, { username: 'root', password: PASSWORD });
    const document = { username: 'root', password: PASSWORD };
    const login = result(await w.t.transport('authLogin', undefined, { document }));
    const token = login.access_token;
    const end = async () => result(await w.t.transport('authLogout', token, { document: {} }));
    const parts = callOf(name);
    expect(await endedBetween(w, name, { token, parts, end })).toBe(refused.unauthorized);
  },
);

/** Replaces a duration by the time at which it ends. */
function later(t: Fixture, members: Members): Members {
  const { expires_at_millis: duration } = members;
  if (duration === undefined) return members;
  return { ...members, expires_at_millis: t.clock.now() + Number(duration) };
}
