/** API keys as proofs (docs/contract/api-keys.md, docs/contract/conventions.md#proofs). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentkeepError, openKeep, operations } from '@agentkeep/core';
import { createAdmin, type Operation } from '@agentkeep/core/operator';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { describe, expect, test } from 'vitest';
import { connect } from '@agentkeep/client';
import { fillPath, routes } from '@agentkeep/client/routes';
import { outcome, refused, result } from '../harness/answer.js';
import { keyHolder, newKeyHolder } from './api-key-fixture.js';
import { minimalRecord, scope, unknownId, ungranted } from '../harness/documents.js';
import { appOf, httpDriver, httpTransport, send } from '../harness/http-driver.js';
import { PASSWORD, sessions, type Sessions, withSessions } from '../sessions/session-fixture.js';
import { allEntries } from '../harness/stored-entries.js';

const DAY_MS = 86_400_000;

/** Makes a key of a new account that is bound to a new credential of the tenant. */
async function boundKey(s: Sessions, username = 'bob', expiresAtMillis: number | null = null) {
  const agent = await s.t.agent({ expires_at_millis: expiresAtMillis });
  const owner = await newKeyHolder(s, username, agent.id);
  const made = await owner.made();
  return { agent, owner, made, caller: owner.with(made.key).caller };
}

describe('a key', () => {
  withSessions('KEY-16 is refused after its end, and then shown as expired', async (s) => {
    const ann = await keyHolder(s, 'ann', 'acme');
    const { key } = await ann.made({ expires_in_days: 1 });
    s.t.clock.advance(DAY_MS - 1);
    expect(await ann.with(key).outcome()).toBe('200');
    s.t.clock.advance(1);
    expect(await ann.with(key).outcome()).toBe(refused.unauthorized);
    const again = await keyHolder(s, 'ann', 'acme');
    expect(await again.keys()).toMatchObject([{ is_active: false }]);
  });

  withSessions('KEY-15 records its use with a precision of a minute', async (s) => {
    const ann = await keyHolder(s, 'ann', 'acme');
    const { key } = await ann.made();
    const lastUsed = async () => (await ann.keys())[0]?.last_used;
    expect(await lastUsed()).toBeNull();
    s.t.clock.advance(1_000);
    expect((await ann.with(key).keys())[0]?.last_used).toBe('2030-01-01T00:00:01.000Z');
    s.t.clock.advance(59_999);
    await ann.with(key).outcome();
    expect(await lastUsed()).toBe('2030-01-01T00:00:01.000Z');
    s.t.clock.advance(1);
    await ann.with(key).outcome();
    expect(await lastUsed()).toBe('2030-01-01T00:01:01.000Z');
  });

  withSessions('CON-34, KEY-8 with a changed character is 401, like an unknown one', async (s) => {
    const ann = await keyHolder(s, 'ann', 'acme');
    const { key } = await ann.made();
    for (const at of [8, 20, 39, 40, 45]) {
      const other = key.charAt(at) === 'a' ? 'b' : 'a';
      const mistyped = key.slice(0, at) + other + key.slice(at + 1);
      expect(await ann.with(mistyped).outcome()).toBe(refused.unauthorized);
    }
    // A key that was never issued, with a valid checksum.
    const unknown = 'ak_live_000000000000000000000000000000004YzvZp';
    const right = await ann.with(unknown).list();
    expect(right.body).toEqual((await ann.with('ak_live_x').list()).body);
    expect(outcome(right)).toBe(refused.unauthorized);
  });

  withSessions('is not a Bearer token, and a session is not a key', async (s) => {
    const ann = await keyHolder(s, 'ann', 'acme');
    const { key } = await ann.made();
    const app = appOf(s.t.keep);
    const sent: Record<string, string>[] = [
      { Authorization: `Bearer ${key}` },
      { 'X-API-Key': ann.caller.token },
      { 'X-API-Key': s.t.admin.token },
      { 'X-API-Key': `${key} ` + key },
      { 'X-API-Key': `${key}, ${key}` },
      { Cookie: `X-API-Key=${key}` },
    ];
    for (const headers of sent) {
      const reply = await send(app, 'GET', routes.listApiKeys.path, { headers });
      expect(outcome(reply)).toBe(refused.unauthorized);
    }
    const query = `${routes.listApiKeys.path}?api_key=${key}`;
    expect(outcome(await send(app, 'GET', query))).toBe(refused.unauthorized);
  });

  withSessions('CON-33, KEY-10 is stored only as a digest', async (s) => {
    const ann = await keyHolder(s, 'ann', 'acme');
    const { key } = await ann.made();
    await ann.with(key).outcome();
    await ann.with(key).keys();
    for (const entry of await allEntries(s.t.store)) {
      const bytes = Buffer.concat([entry.key, entry.value]);
      expect(bytes.includes(key.slice(12))).toBe(false);
    }
  });

  withSessions("KEY-14 has its owner's roles at the time of use", async (s) => {
    const root = await keyHolder(s, 'root');
    const ann = await keyHolder(s, 'ann', 'acme');
    for (const owner of [root, ann]) {
      const { key } = await owner.made();
      const answer = await owner.caller.with(key).call('queryAuditLogs', {});
      expect(outcome(answer)).toBe('200');
    }
  });
});

describe("on platform operations a key acts with its owner's bound credential", () => {
  withSessions('CON-58 with its capabilities and grants', async (s) => {
    const { caller, agent } = await boundKey(s);
    expect(result(await caller.whoAmI()).credential.id).toBe(agent.id);
    const id = await caller.created(scope);
    expect(await agent.found(scope)).toEqual([id]);
    expect(outcome(await caller.create(ungranted))).toBe(refused.forbidden);
    expect(outcome(await caller.list())).toBe(refused.forbidden);
  });

  // KEY-19
  withSessions(
    'CON-56, CRD-79, CRD-78, CON-55, CRD-89 and survives its rotation, which ends sessions',
    async (s) => {
      const { caller, agent, owner } = await boundKey(s);
      result(await s.t.admin.rotate(agent.id, 1));
      expect(outcome(await caller.create(scope))).toBe('200');
      expect(await owner.with(caller.token).outcome()).toBe('200');
      expect(await owner.outcome()).toBe(refused.unauthorized);
      expect(outcome(await owner.caller.create(scope))).toBe(refused.unauthorized);
    },
  );

  withSessions(
    'CON-56, CRD-89, CON-55, CON-54 and follows a change of its scopes at once',
    async (s) => {
      const { caller, agent } = await boundKey(s);
      expect(outcome(await caller.query(scope))).toBe('200');
      result(await s.t.admin.rescope(agent.id, 1, { grants: [] }));
      expect(outcome(await caller.query(scope))).toBe(refused.forbidden);
      result(await s.t.admin.rescope(agent.id, 2, { grants: [scope] }));
      expect(outcome(await caller.query(scope))).toBe('200');
    },
  );

  withSessions(
    'CON-47, CRD-79, KEY-19 and is refused everywhere once that is revoked',
    async (s) => {
      const { caller, agent, owner } = await boundKey(s);
      result(await s.t.admin.revoke(agent.id, 1));
      expect(outcome(await caller.query(scope))).toBe(refused.unauthorized);
      expect(outcome(await caller.whoAmI())).toBe(refused.unauthorized);
      expect(await owner.with(caller.token).outcome()).toBe(refused.unauthorized);
    },
  );

  withSessions('CON-47 and is refused everywhere once that has expired', async (s) => {
    const { caller, owner } = await boundKey(s, 'bob', s.t.clock.now() + 1_000);
    s.t.clock.advance(999);
    expect(outcome(await caller.query(scope))).toBe('200');
    s.t.clock.advance(1);
    expect(outcome(await caller.query(scope))).toBe(refused.unauthorized);
    expect(await owner.with(caller.token).outcome()).toBe(refused.unauthorized);
  });

  withSessions('and has no authority there without one', async (s) => {
    const owners = [await newKeyHolder(s, 'bob'), await keyHolder(s, 'root')];
    for (const owner of owners) {
      const { caller } = owner.with((await owner.made()).key);
      expect(outcome(await caller.whoAmI())).toBe(refused.forbidden);
      expect(outcome(await caller.create(scope))).toBe(refused.forbidden);
      expect(outcome(await caller.query(scope))).toBe(refused.forbidden);
    }
  });
});

describe('over HTTP', () => {
  test('SES-C29 two proofs are 401 on every authenticated route, good or bad', async () => {
    const s = await sessions(httpDriver);
    await using t = s.t;
    const ann = await keyHolder(s, 'ann', 'acme');
    const { key } = await ann.made();
    const app = appOf(t.keep);
    const bearers = [ann.caller.token, s.t.admin.token, 'x'].map((token) => `Bearer ${token}`);
    const guarded = Object.values<Operation>(operations)
      .filter(({ kind }) => kind !== 'public')
      .map(({ name }) => routes[name as keyof typeof operations]);
    expect(guarded.length).toBeGreaterThan(15);
    for (const { method, path } of guarded) {
      for (const Authorization of [...bearers, 'Basic YTpi', '']) {
        for (const apiKey of [key, 'ak_live_x', '']) {
          const headers = { Authorization, 'X-API-Key': apiKey };
          const reply = await send(app, method, fillPath(path, unknownId), { headers });
          expect(outcome(reply), `${method} ${path}`).toBe(refused.unauthorized);
        }
      }
    }
    expect(await ann.with(key).outcome()).toBe('200');
  });

  test('the body is closed, typed and bounded', async () => {
    const s = await sessions(httpDriver);
    await using t = s.t;
    const ann = await keyHolder(s, 'ann', 'acme');
    const app = appOf(t.keep);
    const post = async (body: string, type: Record<string, string>) => {
      const headers = { Authorization: `Bearer ${ann.caller.token}`, ...type };
      return outcome(await send(app, 'POST', routes.createApiKey.path, { headers, body }));
    };
    const json = { 'Content-Type': 'application/json' };
    const long = (bytes: number) => {
      const document = (pad: number) => `{"name":"ci"${' '.repeat(pad)}}`;
      return document(bytes - document(0).length);
    };
    expect(await post('{"name":"ci"}', json)).toBe('201');
    expect(await post('{"name":"ci"}', { 'Content-Type': 'text/plain' })).toBe(refused.invalid);
    expect(await post('{"name":"ci","x":1}', json)).toBe(refused.invalid);
    expect(await post('{"name":"ci","name":"ci"}', json)).toBe(refused.invalid);
    expect(await post('{"name":', json)).toBe(refused.invalid);
    expect(await post('', json)).toBe(refused.invalid);
    expect(await post(long(65_536), json)).toBe('201');
    expect(await post(long(65_537), json)).toBe(refused.tooLarge);
    expect(await ann.keys()).toHaveLength(2);
  });
});

test('a key works through both clients, with the same errors', async () => {
  const s = await sessions(httpDriver);
  await using t = s.t;
  const app = appOf(t.keep);
  const { caller, owner } = await boundKey(s);
  const remote = (secret: string) =>
    connect({ url: 'http://localhost', secret, fetch: app.request });
  const embedded = (secret: string) => t.keep.authenticate(secret);
  for (const open of [remote, embedded]) {
    const person = await open((await s.logIn()).access_token);
    const made = await person.keys.create('laptop', { expiresInDays: 30 });
    await person.keys.create('phone');
    const names: string[] = [];
    for await (const { name } of person.keys.list({ limit: 1 })) names.push(name);
    expect(names.slice(0, 2)).toEqual(['phone', 'laptop']);
    const agent = await open(caller.token);
    await agent.memory.in(scope).create({ ...minimalRecord }, { idempotencyKey: open.name });
    const { keys, next_cursor } = await agent.keys.listPage();
    expect([keys.length, next_cursor]).toEqual([1, null]);
    const forbidden = agent.keys.create('more');
    await expect(forbidden).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(/^This operation is for an account in a session/),
    });
    await person.keys.delete(made.id);
    await expect(person.keys.delete(made.id)).rejects.toMatchObject({ kind: 'not_found' });
  }
  await expect(embedded('ak_live_x')).rejects.toThrow(new AgentkeepError('unauthorized'));
  const held = await embedded(caller.token);
  const [only] = await owner.keys();
  await owner.remove(only?.id);
  await expect(held.keys.listPage()).rejects.toThrow(new AgentkeepError('unauthorized'));
});

test('keys and their last use survive a restart, deleted ones do not', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'agentkeep-keys-'));
  try {
    const clock = new ManualClock();
    const open = () => openKeep({ dataDir, clock, passwords: quickPasswords });
    let made: { id: string; key: string }[];
    {
      await using keep = await open();
      await createAdmin(keep, { username: 'root', password: PASSWORD });
      const document = { username: 'root', password: PASSWORD };
      const login = await httpTransport(appOf(keep))('authLogin', undefined, { document });
      const person = await keep.authenticate(result(login).access_token);
      made = [await person.keys.create('kept'), await person.keys.create('gone')];
      await person.keys.delete(made[1]?.id ?? '');
      clock.advance(5_000);
      await keep.authenticate(made[0]?.key ?? '');
    }
    await using keep = await open();
    const gone = keep.authenticate(made[1]?.key ?? '');
    await expect(gone).rejects.toThrow(new AgentkeepError('unauthorized'));
    const agent = await keep.authenticate(made[0]?.key ?? '');
    clock.advance(1);
    const { keys } = await agent.keys.listPage();
    expect(keys).toMatchObject([{ name: 'kept', last_used: '2030-01-01T00:00:05.000Z' }]);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
