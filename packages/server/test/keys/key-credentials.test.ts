/** Cases of credentials with keys (docs/contract/key-credentials.md), over HTTP. */
import { connect } from '@agentkeep/client';
import { type Keep, openKeep, type Store } from '@agentkeep/core';
import { bootstrapTenant, createAdmin } from '@agentkeep/core/operator';
import { ManualClock, sharedMemory } from '@agentkeep/core/testing';
import { mcpMount } from '@agentkeep/mcp';
import { holding } from '@agentkeep/testkit/held-answers';
import { testStore } from '@agentkeep/testkit/test-store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createServer } from '../../src/http/create-server.js';
import { type Change, KeyCaller, type Keys, newKeys, publicKey } from './key-caller.js';

const IDENTITY = '/api/v1/identity';
const SCOPE = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
const spec = {
  subject_id: 'robot',
  capabilities: ['memory_read', 'memory_write'],
  grants: [SCOPE],
};
const version = { contract_version: 1 };

interface Issued {
  readonly credential: { readonly id: string; readonly key_thumbprint?: string };
  readonly token: string;
}

/** A served keep with its administrator. */
class Served implements AsyncDisposable {
  readonly clock: ManualClock;
  readonly keep: Keep;
  readonly fetch: ReturnType<typeof createServer>['request'];
  secret = '';

  constructor(keep: Keep, clock: ManualClock) {
    this.keep = keep;
    this.clock = clock;
    this.fetch = holding(createServer(keep, { mcp: mcpMount() }).request);
  }

  static async over(store: Store, clock = new ManualClock()): Promise<Served> {
    return new Served(await openKeep({ store, clock }), clock);
  }

  async post<T>(path: string, document: object, status: number): Promise<T> {
    const answer = await this.fetch(path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...version, ...document }),
    });
    expect(answer.status, await answer.clone().text()).toBe(status);
    return (await answer.json()) as T;
  }

  /** Issues a credential for a key. */
  issue(key: object, members: object = {}, status = 201): Promise<Issued> {
    const document = { spec: { ...spec, ...members }, public_key: key };
    return this.post('/api/v1/key-credentials', document, status);
  }

  /** Issues a credential for new keys; returns its holder. */
  async holder(alg?: 'Ed25519' | 'ES256', members?: object) {
    const keys = await newKeys(alg);
    const { credential, token } = await this.issue(await publicKey(keys), members);
    return { caller: new KeyCaller(this.fetch, keys, token), credential };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.keep.close();
  }
}

let served: Served;

beforeEach(async () => {
  served = await Served.over(testStore());
  // The library takes the time of the machine.
  served.clock.stepTo(Date.now());
  ({ secret: served.secret } = await bootstrapTenant(served.keep, {
    tenantId: 'acme',
    subjectId: 'ops',
  }));
});

afterEach(() => served.keep.close());

async function told(answer: Response): Promise<string> {
  const { error } = (await answer.json()) as { readonly error?: { readonly code: string } };
  return error === undefined ? String(answer.status) : `${answer.status} ${error.code}`;
}

describe('KCR-C1, KCR-10', () => {
  test.each(['Ed25519', 'ES256'] as const)('%s: no secret, a nonce, then calls', async (alg) => {
    const { caller, credential } = await served.holder(alg);
    expect(JSON.stringify(credential)).not.toContain('ak1_');
    expect(caller.token).toBe(`akk1_${credential.id.replaceAll('-', '')}`);
    const first = await caller.send(IDENTITY, await caller.proof('GET', IDENTITY));
    expect(first.headers.get('www-authenticate')).toContain('DPoP error="use_dpop_nonce"');
    const nonce = first.headers.get('dpop-nonce');
    expect(nonce).toMatch(/^[\w-]{22}$/);
    expect(await first.json()).toMatchObject({ dpop_nonce: nonce });
    const answer = await caller.call(IDENTITY);
    expect(answer.status).toBe(200);
    const shown = (await answer.json()) as { readonly credential: object };
    expect(shown.credential).toMatchObject({ key_thumbprint: credential.key_thumbprint });
    const again = await caller.send(IDENTITY, await caller.proof('GET', IDENTITY));
    expect(await told(again)).toBe('200');
  });
});

test('DLG-20 a key of a blocked subject is refused, and goes on when it is unblocked', async () => {
  const { caller } = await served.holder();
  const { fetch, secret } = served;
  const admin = connect({
    url: 'http://localhost',
    secret,
    fetch: async (to, init) => fetch(to, init),
  });
  const seen = async () => told(await caller.call(IDENTITY));
  expect(await seen()).toBe('200');
  await admin.subjects.pause('robot');
  expect(await seen()).toBe('403 subject_blocked');
  await admin.subjects.resume('robot');
  expect(await seen()).toBe('200');
});

test('KCR-C2 keys of other kinds are refused', async () => {
  const good = await publicKey(await newKeys('ES256'));
  const other = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-384' }, true, [
    'sign',
    'verify',
  ]);
  const large = await crypto.subtle.exportKey('jwk', other.publicKey);
  for (const key of [
    { ...good, d: good['x'] },
    { ...good, y: good['x'] },
    { ...good, crv: 'P-384' },
    { kty: 'EC', crv: 'P-384', x: large.x, y: large.y },
    { ...good, kty: 'OKP' },
    { kty: 'oct', k: 'AAAA' },
    { kty: 'RSA', n: 'AAAA', e: 'AQAB' },
    { ...good, x: `${String(good['x'])}=` },
  ]) {
    await served.issue(key, {}, 400);
  }
});

describe('KCR-C3, KCR-7, KCR-8, KCR-9', () => {
  const refused: readonly (readonly [string, (caller: KeyCaller) => Promise<Change>])[] = [
    ['another key', async () => ({ keys: await newKeys() })],
    ['another key of another kind', async () => ({ keys: await newKeys('ES256') })],
    ['another method', () => Promise.resolve({ htm: 'POST' })],
    ['another path', () => Promise.resolve({ htu: 'http://localhost/api/v1/credentials' })],
    ['another host', () => Promise.resolve({ htu: `http://example.com${IDENTITY}` })],
    ['another port', () => Promise.resolve({ htu: `http://localhost:81${IDENTITY}` })],
    ['no address', () => Promise.resolve({ htu: 'identity' })],
    ['another token', () => Promise.resolve({ token: 'akk1_00000000000000000000000000000000' })],
  ];

  test.each(refused)('a proof of %s is refused', async (_, change) => {
    const { caller } = await served.holder();
    expect((await caller.call(IDENTITY)).status).toBe(200);
    const proof = await caller.proof('GET', IDENTITY, await change(caller));
    const answer = await caller.send(IDENTITY, proof);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(await told(answer)).toBe('401 unauthorized');
  });

  test('a proof that was used, is old, early, or not there is refused', async () => {
    const { caller } = await served.holder();
    await caller.call(IDENTITY);
    const proof = await caller.proof('GET', IDENTITY);
    expect(await told(await caller.send(IDENTITY, proof))).toBe('200');
    expect(await told(await caller.send(IDENTITY, proof))).toBe('401 unauthorized');
    const both = `${await caller.proof('GET', IDENTITY)}, ${await caller.proof('GET', IDENTITY)}`;
    expect(await told(await caller.send(IDENTITY, both))).toBe('401 unauthorized');
    for (const headers of [
      { Authorization: `DPoP ${caller.token}` },
      { Authorization: `Bearer ${caller.token}` },
      { Authorization: `Bearer ${caller.token}`, DPoP: await caller.proof('GET', IDENTITY) },
    ]) {
      expect(await told(await served.fetch(IDENTITY, { headers }))).toBe('401 unauthorized');
    }
    const now = served.clock.now();
    for (const skewMs of [301_000, -301_000]) {
      served.clock.stepTo(now + skewMs);
      const late = await caller.proof('GET', IDENTITY);
      expect(await told(await caller.send(IDENTITY, late))).toBe('401 unauthorized');
    }
  });

  test('a proof that is forged is refused', async () => {
    const { caller } = await served.holder();
    await caller.call(IDENTITY);
    const [head = '', body = '', signature = ''] = (await caller.proof('GET', IDENTITY)).split('.');
    const read = (part: string) =>
      JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
    const written = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const header = read(head);
    for (const each of [
      `${written({ ...header, alg: 'none' })}.${body}.`,
      `${written({ ...header, alg: 'none' })}.${body}.${signature}`,
      `${written({ ...header, alg: 'HS256' })}.${body}.${signature}`,
      `${written({ ...header, typ: 'JWT' })}.${body}.${signature}`,
      `${written({ ...header, jku: 'https://example.com' })}.${body}.${signature}`,
      `${head}.${written({ ...read(body), jti: 'other' })}.${signature}`,
      `${head}.${body}.${signature.slice(2)}`,
      `${head}.${body}`,
    ]) {
      expect(await told(await caller.send(IDENTITY, each))).toBe('401 unauthorized');
    }
  });
});

test('KCR-C4 a key replaces a secret, and another key', async () => {
  const { credential, secret } = await served.post<{
    readonly credential: { readonly id: string };
    readonly secret: string;
  }>('/api/v1/credentials', { spec }, 201);
  const path = `/api/v1/credentials/${credential.id}`;
  const replace = async (keys: Keys, expected_revision: number, members: object = {}) =>
    served.post<Issued>(
      `${path}/key`,
      { expected_revision, public_key: await publicKey(keys), ...members },
      200,
    );
  const keys = await newKeys();
  const { token } = await replace(keys, 1, { overlap_seconds: 60 });
  const caller = new KeyCaller(served.fetch, keys, token);
  const bySecret = () => served.fetch(IDENTITY, { headers: { Authorization: `Bearer ${secret}` } });
  expect(await told(await caller.call(IDENTITY))).toBe('200');
  expect(await told(await bySecret())).toBe('200');
  served.clock.advance(60_000);
  expect(await told(await caller.call(IDENTITY))).toBe('200');
  expect(await told(await bySecret())).toBe('401 unauthorized');

  await served.post(`${path}/rotate`, { expected_revision: 2 }, 400);
  const next = await newKeys('ES256');
  await replace(next, 2);
  expect(await told(await caller.call(IDENTITY))).toBe('401 unauthorized');
  const renewed = new KeyCaller(served.fetch, next, token);
  expect(await told(await renewed.call(IDENTITY))).toBe('200');
  await served.post(`${path}/revoke`, { expected_revision: 3 }, 200);
  expect(await told(await renewed.call(IDENTITY))).toBe('401 unauthorized');
});

test('KCR-C5 a proof that was used is refused at another server and after a restart', async () => {
  const memory = sharedMemory();
  await using one = await Served.over(memory.open());
  one.clock.stepTo(Date.now());
  const tenant = { tenantId: 'acme', subjectId: 'ops' };
  ({ secret: one.secret } = await bootstrapTenant(one.keep, tenant));
  await using two = await Served.over(memory.open(), one.clock);
  const { caller } = await one.holder();
  await caller.call(IDENTITY);
  const proof = await caller.proof('GET', IDENTITY);
  expect(await told(await caller.send(IDENTITY, proof))).toBe('200');
  const elsewhere = new KeyCaller(two.fetch, caller.keys, caller.token);
  expect(await told(await elsewhere.send(IDENTITY, proof))).toBe('401 use_dpop_nonce');
  expect(await told(await elsewhere.call(IDENTITY))).toBe('200');
  one.clock.advance(299_000);
  expect(await told(await caller.call(IDENTITY))).toBe('200');
});

test('KCR-C6, KCR-13 a token for a subject counts only with the key of the service', async () => {
  const act = { capabilities: ['memory_read', 'act_for'], act_for: { mode: 'all' } };
  const { caller } = await served.holder('Ed25519', act);
  const answer = await caller.call('/api/v1/identity/subject-token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...version, subject_id: 'ann' }),
  });
  const token = (await answer.json()) as { access_token: string; token_type: string };
  expect(token.token_type).toBe('DPoP');
  const bearer = { headers: { Authorization: `Bearer ${token.access_token}` } };
  expect(await told(await served.fetch(IDENTITY, bearer))).toBe('401 unauthorized');
  const ann = new KeyCaller(served.fetch, caller.keys, token.access_token);
  const shown = (await (await ann.call(IDENTITY)).json()) as {
    readonly credential: { readonly spec: object };
  };
  expect(shown.credential.spec).toMatchObject({ subject_id: 'ann' });
  const thief = new KeyCaller(served.fetch, await newKeys(), token.access_token);
  expect(await told(await thief.call(IDENTITY))).toBe('401 unauthorized');
});

test('the client proves its key, and acts for subjects with it', async () => {
  for (const alg of ['Ed25519', 'ES256'] as const) {
    const act = {
      subject_id: alg,
      capabilities: ['memory_read', 'memory_write', 'act_for'],
    };
    const { caller } = await served.holder(alg, { ...act, act_for: { mode: 'all' } });
    const privateKey = await crypto.subtle.exportKey('jwk', caller.keys.privateKey);
    const key = { token: caller.token, privateKey };
    let sent = 0;
    const fetch = (url: string, init: RequestInit) => {
      sent += 1;
      return served.fetch(url, init);
    };
    const robot = connect({ url: 'http://localhost', key, fetch });
    expect((await robot.whoAmI()).spec.subject_id).toBe(alg);
    await robot.memory.in(SCOPE).remember('Ships on Mondays.');
    expect(await robot.memory.in(SCOPE).recall('Mondays')).toHaveLength(1);
    // One request more than calls, for the first nonce.
    const calls = sent;
    await robot.whoAmI();
    expect(sent).toBe(calls + 1);
    expect((await robot.for('ann').whoAmI()).spec.subject_id).toBe('ann');
    expect(await robot.for('ann').memory.in(SCOPE).recall('Mondays')).toHaveLength(0);
  }
  expect(() => connect({ url: 'http://localhost', secret: 'x', key: {} as never })).toThrow(
    /either `secret` or `key`/,
  );
});

test('KCR-C7, KCR-18, KCR-19 a tenant accepts keys only', async () => {
  const path = '/api/v1/identity/key-requirement';
  const put = (caller: KeyCaller, expected_revision: number, requires_keys: boolean) =>
    caller.call(path, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...version, expected_revision, requires_keys }),
    });
  const admin = { capabilities: ['credential_admin'], grants: [] };
  const { caller } = await served.holder('Ed25519', admin);
  const bearer = { Authorization: `Bearer ${served.secret}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ ...version, expected_revision: 0, requires_keys: true });
  const locked = await served.fetch(path, { method: 'PUT', headers: bearer, body });
  expect(await told(locked)).toBe('403 forbidden');
  const { credential, secret } = await served.post<{
    readonly credential: { readonly id: string };
    readonly secret: string;
  }>('/api/v1/credentials', { spec }, 201);
  const embedded = await served.keep.authenticate(secret);

  expect(await told(await put(caller, 1, true))).toBe('409 revision_conflict');
  expect(await told(await put(caller, 0, true))).toBe('200');
  expect(await told(await served.fetch(IDENTITY, { headers: bearer }))).toBe('401 unauthorized');
  await expect(served.keep.authenticate(secret)).rejects.toMatchObject({ code: 'unauthorized' });
  expect((await embedded.whoAmI()).id).toBe(credential.id);
  expect(await told(await caller.call(IDENTITY))).toBe('200');
  const post = (to: string, document: object) =>
    caller.call(to, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...version, ...document }),
    });
  expect(await told(await post('/api/v1/credentials', { spec }))).toBe('403 forbidden');
  const rotate = `/api/v1/credentials/${credential.id}/rotate`;
  expect(await told(await post(rotate, { expected_revision: 1 }))).toBe('403 forbidden');

  const person = { username: 'pat', password: 'Correct-Horse-7', tenantId: 'acme' };
  const shown = (await (await caller.call(IDENTITY)).json()) as {
    readonly credential: { readonly id: string };
  };
  await createAdmin(served.keep, { ...person, credentialId: shown.credential.id });
  const { agent } = await served.keep.logIn(person);
  expect(await agent.credentials.keyRequirement()).toMatchObject({ requires_keys: true });
  await agent.credentials.setKeyRequirement({ requiresKeys: false }, 1);
  expect(await told(await served.fetch(IDENTITY, { headers: bearer }))).toBe('200');
});

test('KCR-14 one proof serves the messages of a request to MCP and the pages of a stream', async () => {
  const { caller } = await served.holder('Ed25519', { capabilities: ['memory_read'] });
  const scope = new URLSearchParams({ ...version, ...SCOPE } as never).toString();
  const path = '/api/v1/memory/changes';
  const proved = await caller.call(IDENTITY);
  expect(proved.status).toBe(200);
  const proof = await caller.proof('GET', path);
  const stream = await caller.send(`${path}?${scope}`, proof, {
    headers: { Accept: 'text/event-stream' },
  });
  expect(stream.status).toBe(200);
  await stream.body?.cancel();

  const call = {
    method: 'tools/call',
    params: { name: 'recall', arguments: { text: 'tea', scopes: [SCOPE] } },
  };
  const answer = await caller.call('/mcp', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify([1, 2].map((id) => ({ jsonrpc: '2.0', id, ...call }))),
  });
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(text).not.toContain('unauthorized');
  expect(text).toMatch(/"id":1\b[\s\S]*"id":2\b|"id":2\b[\s\S]*"id":1\b/);
});
