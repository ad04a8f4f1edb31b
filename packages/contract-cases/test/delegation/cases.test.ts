/** Cases of services that act for subjects (docs/contract/delegation.md). */
import { createHmac, createPublicKey } from 'node:crypto';
import { createAdmin } from '@agentkeep/core/operator';
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { minimalRecord, openPolicy, scope, sharedScope, spec } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';

const PASSWORD = 'Correct-Horse-7';
const all = { mode: 'all' };

/** Issues the credential of a service. */
function service(t: Fixture, act_for: unknown = all, members: Members = {}): Promise<Caller> {
  const capabilities = ['memory_read', 'memory_write', 'act_for'];
  return t.agent({ subject_id: 'support', capabilities, act_for, ...members });
}

const version = { contract_version: 1 };

function ask(caller: Caller, subject_id: unknown, members: Members = {}) {
  return caller.call('issueSubjectToken', { document: { ...version, subject_id, ...members } });
}

/** Returns the caller that acts for a subject. */
async function acting(caller: Caller, subject: string, members?: Members): Promise<Caller> {
  return caller.with(result(await ask(caller, subject, members)).access_token);
}

function put(caller: Caller, id: string, expected_revision: number, members: Members = {}) {
  const document = { ...version, expected_revision, ...members };
  return caller.call('putSubject', { id, document });
}

describe('tokens', () => {
  testCase('DLG-C1, DLG-15 private memory and authorship are those of the subject', async (t) => {
    const support = await service(t);
    const [one, two] = [await acting(support, 'user-1'), await acting(support, 'user-2')];
    const made = result(await one.create(scope, minimalRecord, 'k'));
    const other = result(await two.create(scope, minimalRecord, 'k'));
    expect(other.receipt.record_id).not.toBe(made.receipt.record_id);
    expect(made.receipt.author).toEqual({ subject_id: 'user-1', credential_id: support.id });
    // A retry in another process of the service, and by the user's own credential.
    const again = result(await (await acting(support, 'user-1')).create(scope, minimalRecord, 'k'));
    expect(again.receipt.record_id).toBe(made.receipt.record_id);
    const own = await t.agent({ subject_id: 'user-1' });
    expect(outcome(await own.create(scope, minimalRecord, 'k'))).toBe('200');
    const { records } = result(await own.query(scope)).page;
    expect(records.map(({ record_id }) => record_id)).toEqual([made.receipt.record_id]);
  });

  testCase('DLG-C2, CRD-99 a selector selects all, a prefix, listed ones or none', async (t) => {
    const cases: readonly (readonly [unknown, readonly string[], readonly string[]])[] = [
      [all, ['user-1', 'ops', ' Ünï '], []],
      [{ mode: 'prefix', prefix: 'user-' }, ['user-', 'user-1'], ['user', 'User-1', 'ann']],
      [{ mode: 'only', ids: ['ann'] }, ['ann'], ['Ann', 'ann ', 'bob']],
      [{ mode: 'only', ids: [] }, [], ['ann']],
      [null, [], ['ann']],
    ];
    for (const [selector, inside, outside] of cases) {
      const caller = await service(t, selector);
      for (const id of inside) expect(outcome(await ask(caller, id))).toBe('200');
      for (const id of outside) expect(outcome(await ask(caller, id))).toBe(refused.forbidden);
    }
    const without = await service(t, null, { capabilities: ['memory_read'] });
    expect(outcome(await ask(without, 'ann'))).toBe(refused.forbidden);
  });

  testCase('DLG-C3, DLG-6, DLG-7, DLG-9 selectors and lifetimes are checked', async (t) => {
    const issue = (act_for: unknown, capabilities = ['act_for']) =>
      t.admin.issue(spec({ capabilities, act_for }));
    const ids = Array.from({ length: 257 }, (_, index) => `user-${index}`);
    expect(outcome(await issue({ mode: 'only', ids: ids.slice(1) }))).toBe('201');
    for (const selector of [
      { mode: 'some' },
      { mode: 'all', ids: [] },
      { mode: 'only', ids },
      { mode: 'only', ids: ['a', 'a'] },
      { mode: 'prefix' },
      { mode: 'prefix', prefix: '' },
    ]) {
      expect(outcome(await issue(selector))).toBe(refused.invalid);
    }
    expect(outcome(await issue(all, ['memory_read']))).toBe(refused.invalid);
    const { credential } = result(await issue(null));
    expect(credential.spec).not.toHaveProperty('act_for');
    const support = await service(t);
    for (const expires_in_seconds of [59, 901, 60.5]) {
      expect(outcome(await ask(support, 'ann', { expires_in_seconds }))).toBe(refused.invalid);
    }
    expect(result(await ask(support, 'ann'))).toMatchObject({ expires_in: 600 });
  });

  testCase('DLG-C4, DLG-13, DLG-20 a token ends with all that it stands for', async (t) => {
    const support = await service(t);
    const ann = await acting(support, 'ann', { expires_in_seconds: 900 });
    const { secret } = result(await t.admin.rotate(support.id, 1, { overlap_seconds: 60 }));
    expect(outcome(await ann.whoAmI())).toBe('200');
    t.clock.advance(60_000);
    expect(outcome(await ann.whoAmI())).toBe(refused.unauthorized);
    const renewed = support.with(secret);
    const bob = await acting(renewed, 'bob', { expires_in_seconds: 900 });

    result(await put(t.admin, 'bob', 0, { is_blocked: true }));
    expect(outcome(await bob.whoAmI())).toBe(refused.unauthorized);
    expect(outcome(await ask(renewed, 'bob'))).toBe(refused.forbidden);
    result(await put(t.admin, 'bob', 1));
    expect(outcome(await bob.whoAmI())).toBe('200');

    t.clock.advance(899_000);
    expect(outcome(await bob.whoAmI())).toBe('200');
    t.clock.advance(1_000);
    expect(outcome(await bob.whoAmI())).toBe(refused.unauthorized);

    const carol = await acting(renewed, 'carol');
    result(await t.admin.rotate(support.id, 2));
    expect(outcome(await carol.whoAmI())).toBe(refused.unauthorized);
    // DLG-8: a change of scopes leaves the selector as it was issued.
    const next = await service(t, { mode: 'only', ids: ['dave'] });
    const { credential } = result(await t.admin.rescope(next.id, 1, { grants: [scope] }));
    expect(credential.spec.act_for).toEqual({ mode: 'only', ids: ['dave'] });
    const dave = await acting(next, 'dave');
    result(await t.admin.revoke(next.id, 2));
    expect(outcome(await dave.whoAmI())).toBe(refused.unauthorized);
  });

  testCase('DLG-C6, DLG-11 only the secret of the service gets tokens', async (t) => {
    const support = await service(t);
    const ann = await acting(support, 'ann');
    expect(outcome(await ask(ann, 'bob'))).toBe(refused.forbidden);
    const person = { username: 'pat', password: PASSWORD, tenant_id: 'acme' };
    await createAdmin(t.keep, { ...person, tenantId: 'acme', credentialId: support.id });
    const login = await t.transport('authLogin', undefined, { document: person });
    const pat = support.with(result(login).access_token);
    expect(outcome(await ask(pat, 'ann'))).toBe(refused.forbidden);
  });

  testCase('DLG-C7, DLG-12 a token of another form is refused', async (t) => {
    const support = await service(t);
    const { access_token: token } = result(await ask(support, 'ann'));
    const [head = '', body = '', signature = ''] = token.split('.');
    const read = (part: string) =>
      JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
    const written = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    expect(read(head)).toEqual({ alg: 'RS256', kid: expect.any(String), typ: 'at+jwt' });
    expect(read(body)).toEqual({
      ...{ iss: 'agentkeep', aud: 'agentkeep', sub: 'ann', tenant_id: 'acme' },
      ...{ client_id: support.id, act: { sub: 'support' }, pin: expect.any(String) },
      ...{ jti: expect.any(String), iat: t.clock.now() / 1_000 },
      exp: t.clock.now() / 1_000 + 600,
    });
    const [key] = result(await t.transport('jwks', undefined, {})).keys;
    const pem = createPublicKey({ key: { ...key! }, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    });
    const symmetric = `${written({ ...read(head), alg: 'HS256' })}.${body}`;
    const forged = [
      `${head}.${written({ ...read(body), sub: 'bob' })}.${signature}`,
      `${written({ ...read(head), alg: 'none' })}.${body}.`,
      `${written({ ...read(head), alg: 'none' })}.${body}.${signature}`,
      `${symmetric}.${createHmac('sha256', pem).update(symmetric).digest('base64url')}`,
      `${written({ ...read(head), typ: 'JWT' })}.${body}.${signature}`,
      `${head}.${written({ ...read(body), act: undefined })}.${signature}`,
    ];
    for (const each of forged) {
      expect(outcome(await support.with(each).whoAmI())).toBe(refused.unauthorized);
    }
    expect(outcome(await support.with(token).whoAmI())).toBe('200');
  });
});

describe('limits of a subject', () => {
  testCase('DLG-C5, DLG-16 a call may do what both may do', async (t) => {
    const capabilities = [
      ...['memory_write', 'memory_read', 'tool_read', 'tool_admin'],
      ...['policy_admin', 'credential_admin', 'act_for'],
    ];
    const support = await service(t, all, { capabilities });
    const ann = await acting(support, 'ann');
    const { credential: before } = result(await ann.whoAmI());
    expect(before).toMatchObject({
      id: support.id,
      spec: { subject_id: 'ann', capabilities: ['memory_read', 'memory_write', 'tool_read'] },
      acting_service: { subject_id: 'support' },
    });
    expect(before.spec.grants).toEqual(support.credential.spec.grants);
    expect(outcome(await ann.create(sharedScope))).toBe('200');

    const projects = { mode: 'only', ids: ['q'] };
    const limited = ['memory_read', 'tool_admin'];
    const scope_policy = { ...openPolicy, projects };
    result(await put(t.admin, 'ann', 0, { capabilities: limited, scope_policy }));
    const { credential } = result(await ann.whoAmI());
    expect(credential.spec).toMatchObject({ capabilities: ['memory_read'], grants: [] });
    expect(outcome(await ann.query(sharedScope))).toBe(refused.forbidden);
    result(await put(t.admin, 'ann', 1, { capabilities: limited, scope_policy: openPolicy }));
    expect(outcome(await ann.query(sharedScope))).toBe('200');
    expect(outcome(await ann.create(sharedScope))).toBe(refused.forbidden);
    const { credential: own } = result(await support.whoAmI());
    expect(own).not.toHaveProperty('acting_service');
    expect(own.spec.capabilities).toContain('act_for');
  });

  testCase('DLG-14 two policies permit what both permit', async (t) => {
    const agents = { mode: 'only', ids: ['a', 'b'] };
    const capabilities = ['memory_read', 'act_for'];
    const policy = { ...openPolicy, agents, allow_unassigned_mission: true };
    const support = await service(t, all, { capabilities, grants: [], scope_policy: policy });
    const limits = { ...openPolicy, agents: { mode: 'only', ids: ['b', 'c'] } };
    result(await put(t.admin, 'ann', 0, { scope_policy: { ...limits, visibilities: ['shared'] } }));
    const ann = await acting(support, 'ann');
    const outcomes: string[] = [];
    for (const agent_id of ['a', 'b', 'c']) {
      outcomes.push(outcome(await ann.query({ ...sharedScope, agent_id })));
    }
    expect(outcomes).toEqual([refused.forbidden, '200', refused.forbidden]);
    const own = { ...sharedScope, agent_id: 'b', visibility: 'private' };
    expect(outcome(await ann.query(own))).toBe(refused.forbidden);
  });

  testCase('DLG-C8, DLG-5, DLG-18, DLG-19, DLG-21 limits are put, read and listed', async (t) => {
    const get = (id: string) => t.admin.call('getSubject', { id });
    expect(outcome(await get('ann'))).toBe('404 subject_not_found');
    const members = { capabilities: ['memory_write', 'memory_read', 'memory_read'] };
    const { subject } = result(await put(t.admin, 'ann', 0, members));
    expect(subject).toEqual({
      subject_id: 'ann',
      revision: 1,
      is_blocked: false,
      capabilities: ['memory_read', 'memory_write'],
      scope_policy: null,
      reason: null,
      updated_at_millis: t.clock.now(),
      updated_by: t.admin.id,
    });
    expect(outcome(await put(t.admin, 'ann', 0, members))).toBe(refused.stale);
    expect(outcome(await put(t.admin, 'bob', 1))).toBe(refused.stale);
    expect(result(await get('ann')).subject).toEqual(subject);
    result(await put(t.admin, 'a b/ü', 0, { is_blocked: true }));
    const list = async (members: Members = {}) => {
      const parameters = { ...version, ...members };
      return result(await t.admin.call('listSubjects', { parameters })).page;
    };
    const first = await list({ limit: 1 });
    const second = await list({ limit: 1, cursor: first.next_cursor! });
    const ids = [...first.items, ...second.items].map(({ subject_id }) => subject_id);
    expect(ids).toEqual(['a b/ü', 'ann']);
    expect(second.next_cursor).toBeNull();
    const foreign = await t.foreignAdmin();
    expect(outcome(await foreign.call('getSubject', { id: 'ann' }))).toBe('404 subject_not_found');
    const agent = await t.agent();
    const parts = { id: 'ann', document: { ...version, expected_revision: 2 } };
    expect(outcome(await agent.call('getSubject', { id: 'ann' }))).toBe(refused.forbidden);
    expect(outcome(await agent.call('putSubject', parts))).toBe(refused.forbidden);
    const listing = { parameters: version };
    expect(outcome(await agent.call('listSubjects', listing))).toBe(refused.forbidden);
  });
});

testCase('DLG-10, DLG-17, DLG-22 events name the subject and the service', async (t) => {
  const support = await service(t);
  const ann = await acting(support, 'ann');
  result(await ann.create(scope));
  result(await put(t.admin, 'ann', 0, { capabilities: [] }));
  result(await put(t.admin, 'ann', 1, { is_blocked: true }));
  const parameters = { limit: 100 };
  const { events } = result(await t.admin.call('queryAudit', { parameters }));
  expect(events).toContainEqual(
    expect.objectContaining({
      ...{ event_type: 'access_granted', action: 'act_for', resource: 'subject:ann' },
      ...{ username: 'support', user_id: support.id },
      metadata: expect.objectContaining({ lifetime_seconds: 600 }),
    }),
  );
  expect(events).toContainEqual(
    expect.objectContaining({
      ...{ event_type: 'access_granted', action: 'require_permission:memory_write' },
      ...{ username: 'ann', user_id: support.id },
      metadata: expect.objectContaining({ acting_service: 'support' }),
    }),
  );
  const changes = events.filter(({ resource }) => resource === 'subject:ann');
  expect(changes.flatMap(({ metadata }) => metadata['change'] ?? [])).toEqual([
    'blocked',
    'limited',
  ]);
});
