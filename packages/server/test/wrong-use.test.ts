/** Wrong use of the API gets an error that names the argument. */
import {
  type Administrator,
  type Agent,
  AgentkeepError,
  type Keep,
  openKeep,
  type ScopedMemory,
} from '@agentkeep/core';
import {
  agentFor,
  bootstrapMaster,
  bootstrapTenant,
  createAdmin,
  examineReplica,
  followReplica,
  isModelFailing,
  promoteReplica,
  restoreReplica,
  storeLevel,
  verifyAudit,
} from '@agentkeep/core/operator';
import { describe, expect, test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { connect, connectAdministrator, logIn, openSession } from '../src/client.js';

type Method = (...args: unknown[]) => unknown;

async function refusal(call: () => unknown): Promise<AgentkeepError> {
  let result: unknown;
  try {
    result = call();
    // Generators run their first step when they are asked for it.
    if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result) {
      result = (result as AsyncGenerator).next();
    }
    await result;
  } catch (error) {
    if (error instanceof AgentkeepError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}

/** Methods that have no required argument. */
const FREE =
  /\.(?:whoAmI|identity|list|listPage|users\.invitations|audit\.(?:query|queryPage|verify)|memory\.(?:changes|query|search)(?:Page)?|access\.(?:scopes|subjects)|memory\.(?:count|embedMissing|embedded)|retention\.get|credentials\.keyRequirement|learning\.(?:policies|contexts)(?:Page)?|signIn\.(?:settings|methods)|tenants\.erasures|session\.refresh|session\.logOut|snapshots\.(?:create|schedule)|stats\.get)$/u;

/** Every method of an agent or administrator and of its clients, by its path. */
function methodsOf(owner: Agent | Administrator): [path: string, method: Method][] {
  const name = owner.constructor.name;
  const parts: [string, object][] = [[name, owner], ...Object.entries(owner)];
  return parts.flatMap(([part, client]) =>
    inheritedBy(client).map(([each, method]): [string, Method] => [
      part === name ? `${name}.${each}` : `${name}.${part}.${each}`,
      method.bind(client),
    ]),
  );
}

/** Methods of an object, those of the classes that its class extends included. */
function inheritedBy(client: object): [name: string, method: Method][] {
  const prototype = Object.getPrototypeOf(client) as Record<string, Method> | null;
  if (prototype === null || prototype === Object.prototype) return [];
  const own = Object.getOwnPropertyDescriptors(prototype);
  const methods = Object.entries(own).flatMap(([name, { value }]): [string, Method][] =>
    name === 'constructor' || value === undefined ? [] : [[name, value]],
  );
  return [...methods, ...inheritedBy(prototype)];
}

/** Nothing is sent for a call that cannot be right. */
const neverSent = () => Promise.reject(new Error('It was sent.'));
const at = { url: 'http://localhost', secret: 'x', fetch: neverSent };
const required = [...methodsOf(connect(at)), ...methodsOf(connectAdministrator(at))].filter(
  ([path]) => !FREE.test(path),
);

test('most methods have a required argument', () => {
  expect(required.length).toBeGreaterThan(60);
});

test.each(required)('%s without arguments names the first of them', async (path, method) => {
  const error = await refusal(() => method());
  expect(error.code).toBe('invalid_request');
  expect(error.members.length).toBeGreaterThan(0);
  for (const { path } of error.members) expect(error.message).toContain(`\`${path}\``);
  const called = /^\w+\.(?<call>\w+\.\w+)$/u.exec(path)?.groups?.['call'] ?? '';
  expect(error.message).toContain(called.replace(/\.(?:query|history)$/u, ''));
});

describe('memory', () => {
  const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
  const memory = connect(at).memory.in(scope);
  const loose = memory as unknown as Record<string, Method>;

  test.each<[string, unknown[], string[]]>([
    ['create', [], ['record']],
    ['create', [{}, { idempotency_key: 'k' }], ['idempotency_key']],
    ['update', [{ recordId: 'r' }, {}], ['target.expectedRevision']],
    [
      'update',
      [{ record_id: 'r', expected_revision: 1 }, {}],
      ['target.recordId', 'target.expectedRevision'],
    ],
    ['delete', [{}], ['target.recordId', 'target.expectedRevision']],
    ['delete', [{ name: undefined }], ['target.name']],
    ['read', [null], ['recordId']],
    ['read', [{}], ['target.name']],
    ['read', ['r', { as_of_millis: 1 }], ['as_of_millis']],
    ['read', [{ name: 'n' }, { revision: 1 }], ['revision']],
    ['historyPage', ['r', { size: 1 }], ['size']],
    ['readersPage', ['r', { size: 1 }], ['size']],
    ['restore', [{ recordId: 'r', expectedRevision: 1 }], ['target.revision']],
    ['redact', [{}], ['target.recordId', 'target.revision']],
    ['query', [{ textcontains: 'x' }], ['textcontains']],
    ['query', [{}, { scan_limit: 1 }], ['scan_limit']],
    ['embedMissing', [{ scope }], ['scope']],
    ['in', [], ['scope']],
  ])('%s(%j) names %j', async (name, args, members) => {
    const error = await refusal(() => loose[name]?.apply(memory, args));
    expect(error.code).toBe('invalid_request');
    expect(error.members.map(({ path }) => path)).toEqual(members);
  });

  test.each<[string, (memory: ScopedMemory) => unknown, string]>([
    [
      'a filter in the spelling of options',
      (each) => each.queryPage({ textcontains: 'x' } as object),
      'memory.queryPage(): unknown option `textcontains`. Did you mean `text_contains`?',
    ],
    [
      'options in the spelling of documents',
      (each) => each.queryPage({}, { scan_limit: 1 } as object),
      'memory.queryPage(): unknown option `scan_limit`. Did you mean `scanLimit`?',
    ],
  ])('%s gets the right one suggested', async (_what, call, message) => {
    expect(await refusal(() => call(memory))).toMatchObject({ message });
  });

  test('the scope of a memory that was given none is asked for with `in()`', () => {
    const unscoped = connect(at).memory;
    expect(() => unscoped.scope).toThrow('Name one with `agent.memory.in(scope)`.');
  });
});

describe('openKeep()', () => {
  const open = openKeep as unknown as (options?: unknown) => Promise<Keep>;

  test.each<[unknown, string[], string]>([
    [undefined, ['options'], 'openKeep(): the argument `options` is missing.'],
    [{}, ['dataDir'], 'openKeep() needs `dataDir`, the directory of its data, or an open `store`.'],
    [
      { datadir: 'x' },
      ['datadir'],
      'openKeep(): unknown option `datadir`. Did you mean `dataDir`?',
    ],
    [
      { dataDir: 7 },
      ['dataDir'],
      'openKeep() needs `dataDir`, the directory of its data, or an open `store`.',
    ],
    [
      { store: testStore(), sessions: { idleSeconds: 1 } },
      ['sessions.idleSeconds'],
      'sessions.idleSeconds must be 0 or an integer from 60 to 86400.',
    ],
    [
      { store: testStore(), tokens: { privateKeyPem: 'x' } },
      ['tokens.privateKeyPem'],
      expect.stringContaining('tokens.privateKeyPem must be the PEM text') as string,
    ],
  ])('with %j names %j', async (options, members, message) => {
    const error = await refusal(() => open(options));
    expect(error).toMatchObject({ code: 'invalid_request', message });
    expect(error.members.map(({ path }) => path)).toEqual(members);
  });
});

test('a keep, its operator and connect() name what is missing', async () => {
  await using keep = await openKeep({ store: testStore() });
  const none = undefined as never;
  const login = { username: 'ann' } as never;
  const calls: [() => unknown, string[]][] = [
    [() => keep.authenticate(none), ['secret']],
    [() => keep.authenticate(7 as never), ['secret']],
    [() => keep.administer(none), ['secret']],
    [() => keep.logIn(none), ['login']],
    [() => keep.logIn(login), ['login.password']],
    [() => keep.openSession(login), ['login.password']],
    [() => agentFor(keep, none), ['options']],
    [() => agentFor(none, none), ['keep']],
    [() => bootstrapTenant(keep, none), ['tenant']],
    [() => bootstrapMaster(keep, none), ['subjectId']],
    [() => createAdmin(keep, none), ['admin']],
    [() => verifyAudit(none), ['keep']],
    [() => restoreReplica(none), ['options']],
    [() => promoteReplica(none), ['options']],
    [() => followReplica(none), ['options']],
    [() => followReplica({ pollMs: 1 } as never), ['pollMs']],
    [() => examineReplica(none), ['location']],
    [() => isModelFailing(none), ['keep']],
    [() => storeLevel.read(none), ['location']],
    [() => storeLevel.of(none), ['keep']],
    [() => storeLevel.raise(none), ['keep']],
    [() => connect(none), ['options']],
    [() => connect({ url: 'http://localhost' }), ['secret']],
    [() => connectAdministrator({ secret: 'x' } as never), ['url']],
    [() => logIn(none), ['login']],
    [() => openSession({ username: 'ann', password: 'x' } as never), ['url']],
  ];
  for (const [call, members] of calls) {
    const error = await refusal(call);
    expect(error.code).toBe('invalid_request');
    expect(error.members.map(({ path }) => path)).toEqual(members);
  }
});
