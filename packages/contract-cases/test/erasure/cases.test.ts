/** Cases of erasures (docs/contract/erasure.md). */
import { createHmac, createPublicKey, verify } from 'node:crypto';
import { createAdmin, runtimeOf, verifyAuditOfStore } from '@agentkeep/core/operator';
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { minimalRecord, missionScope, recordOf, scope, sharedScope } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';
import {
  admitted,
  countsOf,
  erased,
  finished,
  ofSubject,
  start,
  version,
  wholeStore,
} from './erasure-kit.js';

async function eventTypes(t: Fixture): Promise<string[]> {
  const login = { username: 'root', password: 'Correct-Horse-7' };
  const { access_token } = result(await t.transport('authLogin', undefined, { document: login }));
  const parameters = { tenant_id: t.admin.credential.tenant_id, limit: 100 };
  const answer = await t.transport('queryAuditLogs', access_token, { parameters });
  return result(answer)
    .events.map(({ event_type }) => event_type)
    .reverse();
}

async function scopesOf(t: Fixture) {
  const parameters = { ...version, limit: 100 };
  return result(await t.admin.call('listScopes', { parameters })).page.items;
}

describe('a subject', () => {
  // ERA-8, ERA-10, ERA-12
  testCase('ERA-C1 loses its memory and credentials, and nobody else does', async (t) => {
    const alice = await t.agent({ subject_id: 'alice-of-wonderland' });
    const bob = await t.agent({ subject_id: 'bob' });
    const id = await alice.created(scope);
    result(await alice.update(scope, [id, 1], recordOf({ primary: 'canary-of-alice' })));
    result(await alice.put(missionScope, 'canary-name'));
    const own = await bob.created(scope);
    const shared = await alice.created(sharedScope);
    const made = await erased(t, ofSubject('alice-of-wonderland'));
    expect(made).toMatchObject({ kind: 'subject', dependents: 0, requested_by: t.admin.id });
    expect(made.steps_done).toBe(made.steps);
    const counts = { memoryRecords: 2, memoryRevisions: 1, credentials: 1 };
    expect(countsOf(made)).toMatchObject(counts);
    expect(outcome(await alice.query(scope))).toBe(refused.unauthorized);
    expect(result(await bob.read(scope, own)).record.record_id).toBe(own);
    expect(result(await bob.read(sharedScope, shared)).record.record_id).toBe(shared);
    const left = (await scopesOf(t)).map(({ subject_id, records }) => ({ subject_id, records }));
    expect(left).toHaveLength(2);
    expect(left).toEqual(
      expect.arrayContaining([
        { subject_id: 'bob', records: 1 },
        { subject_id: null, records: 1 },
      ]),
    );
    const whole = await wholeStore(t);
    for (const canary of ['canary-of-alice', 'canary-name']) expect(whole).not.toContain(canary);
    const { credential } = result(await t.admin.inspect(alice.id));
    expect(credential.spec.subject_id).toBe(made.pseudonym);
    expect(credential.revoked_at_millis).toBe(t.clock.now());
  });

  // MEM-105, ERA-22
  testCase('ERA-C2 is refused, and can begin anew once it is admitted', async (t) => {
    const service = await t.agent({
      subject_id: 'support',
      capabilities: ['memory_read', 'memory_write', 'act_for'],
      act_for: { mode: 'all' },
    });
    const document = { ...version, subject_id: 'zoe' };
    const token = async () =>
      service.with(result(await service.call('issueSubjectToken', { document })).access_token);
    const before = await token();
    result(await before.create(scope, minimalRecord, 'k'));
    const commands = [[scope, { type: 'create', record: minimalRecord }]] as const;
    result(await before.batch(commands, 'b'));
    const { erasure } = result(await start(t.admin, ofSubject('zoe')));
    await finished(t, erasure.id);
    expect(outcome(await t.admin.call('getSubject', { id: 'zoe' }))).toBe('404 subject_not_found');
    await admitted(t, 'zoe');
    const zoe = await token();
    expect(outcome(await zoe.create(scope, minimalRecord, 'k'))).toBe('409 command_erased');
    expect(outcome(await zoe.batch(commands, 'b'))).toBe('409 command_erased');
    const again = result(await zoe.create(scope, minimalRecord, 'k2'));
    expect(result(await zoe.query(scope)).page.records.map(({ record_id }) => record_id)).toEqual([
      again.receipt.record_id,
    ]);
  });

  testCase('ERA-C3 loses its accounts with sessions and names', async (t) => {
    const alice = await t.agent();
    await createAdmin(t.keep, { username: 'root', password: 'Correct-Horse-7' });
    const account = { username: 'alice-the-person', password: 'Correct-Horse-7' };
    const create = { ...version, ...account, credential_id: alice.id };
    result(await t.admin.call('createTenantLoginAccount', { document: create }));
    const login = { ...version, ...account, tenant_id: t.admin.credential.tenant_id };
    result(await t.transport('loginTenant', undefined, { document: login }));
    const made = await erased(t, ofSubject('alice'));
    expect(countsOf(made)).toMatchObject({ accounts: 1, accountNames: 1, sessions: 1 });
    const refusal = outcome(await t.transport('loginTenant', undefined, { document: login }));
    expect(refusal).toMatch(/^401 /u);
  });
});

describe('a scope', () => {
  testCase('ERA-C4 loses all its records, and can be used again', async (t) => {
    const alice = await t.agent();
    await alice.created(sharedScope);
    result(await alice.create(sharedScope, minimalRecord, 'first'));
    const kept = await alice.created(scope);
    const target = { kind: 'scope', scope: sharedScope };
    const made = await erased(t, target);
    expect(made).toMatchObject({ kind: 'scope', pseudonym: null });
    expect(result(await alice.query(sharedScope)).page.records).toEqual([]);
    expect(result(await alice.read(scope, kept)).record.record_id).toBe(kept);
    const repeated = await alice.create(sharedScope, minimalRecord, 'first');
    expect(outcome(repeated)).toBe('409 command_erased');
    const anew = await alice.created(sharedScope);
    expect(result(await alice.read(sharedScope, anew)).record.record_id).toBe(anew);
    expect(await scopesOf(t)).toHaveLength(2);
    const own = { kind: 'scope', scope, subject_id: 'alice' };
    await erased(t, own);
    expect(outcome(await alice.read(scope, kept))).toMatch(/^404 /u);
  });
});

// ERA-2, ERA-14
testCase('ERA-C5 the certificate is signed, and says what it is about', async (t) => {
  const alice = await t.agent();
  await alice.created(scope);
  const target = ofSubject('alice');
  const made = await erased(t, target);
  const [head = '', body = '', signature = ''] = (made.certificate ?? '').split('.');
  const read = (text: string) =>
    JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;
  expect(read(head)).toMatchObject({ alg: 'RS256', typ: 'agentkeep-erasure+jwt' });
  const { keys } = result(await t.transport('jwks', undefined, {}));
  const key = createPublicKey({ key: keys[0] as never, format: 'jwk' });
  const signed = Buffer.from(`${head}.${body}`);
  expect(verify('sha256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true);
  const tenant_id = t.admin.credential.tenant_id;
  const digest = createHmac('sha256', Buffer.from(made.target_key, 'base64url'))
    .update(JSON.stringify([tenant_id, target]))
    .digest('base64url');
  expect(made.target_digest).toBe(digest);
  expect(read(body)).toMatchObject({
    iss: 'agentkeep',
    jti: made.id,
    tenant_id,
    target: { kind: 'subject', digest, key: made.target_key },
    counts: countsOf(made),
    beyond_reach: [{ kind: 'audit_files' }, ...sharedCopies(t)],
  });
});

function sharedCopies({ store }: Fixture) {
  return store.isShared ? [{ kind: 'database_backups' }] : [];
}

// ERA-3, ERA-17
testCase(
  'ERA-C6, AUD-101, AUD-102 it is for administrators of the tenant, and leaves events',
  async (t) => {
    const agent = await t.agent();
    expect(outcome(await start(agent, ofSubject('alice')))).toBe(refused.forbidden);
    const { erasure } = result(await start(t.admin, ofSubject('nobody-known')));
    await finished(t, erasure.id);
    await createAdmin(t.keep, { username: 'root', password: 'Correct-Horse-7' });
    const events = await eventTypes(t);
    // ERA-13: what was recorded before is still there.
    expect(events).toContain('configuration_changed');
    expect(events.filter((type) => type.startsWith('erasure_'))).toEqual([
      'erasure_requested',
      'erasure_finished',
    ]);
    const foreign = await t.foreignAdmin();
    const missing = '404 erasure_not_found';
    expect(outcome(await foreign.call('getErasure', { id: erasure.id }))).toBe(missing);
    const parameters = version;
    expect(result(await foreign.call('listErasures', { parameters })).page.items).toEqual([]);
    const listed = result(await t.admin.call('listErasures', { parameters })).page.items;
    expect(listed.map(({ id }) => id)).toEqual([erasure.id]);
    for (const wrong of [
      { kind: 'subject' },
      { kind: 'tenant', tenant_id: 'acme' },
      { kind: 'scope', scope: sharedScope, subject_id: 'alice' },
    ]) {
      expect(outcome(await start(t.admin, wrong))).toBe(refused.invalid);
    }
  },
);

// ERA-13
testCase('ERA-C11 the audit log verifies, and names a pseudonym', async (t) => {
  await createAdmin(t.keep, { username: 'root', password: 'Correct-Horse-7' });
  const alice = await t.agent({ subject_id: 'alice-of-wonderland' });
  const bob = await t.agent({ subject_id: 'bob' });
  await alice.created(scope);
  await bob.created(scope);
  const id = 'alice-of-wonderland';
  const document = { ...version, expected_revision: 0, is_blocked: false };
  result(await t.admin.call('putSubject', { id, document }));
  const made = await erased(t, ofSubject(id));
  await runtimeOf(t.keep).audit.flush();
  const report = await verifyAuditOfStore(t.store);
  expect(report).toMatchObject({ status: 'verified', broken_at: null });
  const login = { username: 'root', password: 'Correct-Horse-7' };
  const { access_token } = result(await t.transport('authLogin', undefined, { document: login }));
  const tenant_id = t.admin.credential.tenant_id;
  const eventsOf = async (username: string) => {
    const parameters = { tenant_id, username, limit: 100 };
    return result(await t.transport('queryAuditLogs', access_token, { parameters })).events;
  };
  const [event] = await eventsOf(made.pseudonym ?? '');
  expect(event).toMatchObject({ user_id: alice.id, ip_address: null, user_agent: null });
  expect(await eventsOf('bob')).toHaveLength(1);
  expect(await eventsOf(id)).toEqual([]);
  const everything = await t.transport('queryAuditLogs', access_token, {
    parameters: { tenant_id, limit: 100 },
  });
  expect(JSON.stringify(result(everything))).not.toContain(id);
});
