/** Cases of subjects that an administrator blocks (docs/contract/delegation.md#dlg-20). */
import { createAdmin } from '@agentkeep/core/operator';
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller } from '../harness/caller.js';
import { scope } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';

const PASSWORD = 'Correct-Horse-7';
const BLOCKED = '403 subject_blocked';
const version = { contract_version: 1 };

function put(caller: Caller, id: string, expected_revision: number, is_blocked: boolean) {
  return caller.call('putSubject', { id, document: { ...version, expected_revision, is_blocked } });
}

/** Logs an account without rights over others in, which acts with a credential. */
async function loggedIn(t: Fixture, credential_id: string) {
  await createAdmin(t.keep, { username: 'root', password: PASSWORD });
  const person = { username: 'pat', password: PASSWORD };
  const made = { ...version, ...person, credential_id };
  result(await t.admin.call('createTenantLoginAccount', { document: made }));
  const document = { ...person, tenant_id: 'acme' };
  return result(await t.transport('authLogin', undefined, { document }));
}

testCase('DLG-C9, DLG-20 a block stops all of a subject, and nothing ends', async (t) => {
  const capabilities = ['memory_read', 'memory_write', 'act_for'];
  const bob = await t.agent({ subject_id: 'bob', capabilities, act_for: { mode: 'all' } });
  const record = result(await bob.create(scope)).receipt;
  const { access_token: session, refresh_token } = await loggedIn(t, bob.id);
  const pat = bob.with(session);
  const document = { ...version, subject_id: 'ann' };
  const { access_token: token } = result(await bob.call('issueSubjectToken', { document }));
  const forAnn = bob.with(token);
  const refresh = () => t.transport('authRefresh', undefined, { document: { refresh_token } });
  const all = async () => [
    outcome(await bob.whoAmI()),
    outcome(await bob.create(scope)),
    outcome(await pat.whoAmI()),
    outcome(await pat.query(scope)),
    outcome(await bob.call('issueSubjectToken', { document })),
    outcome(await refresh()),
    outcome(await forAnn.whoAmI()),
  ];
  expect(await all()).toEqual(Array(7).fill('200'));
  result(await put(t.admin, 'bob', 0, true));
  expect(await all()).toEqual([...Array<string>(6).fill(BLOCKED), refused.unauthorized]);
  const { error } = (await bob.whoAmI()).body as { error: { message: string } };
  expect(error.message).toContain('`bob` is blocked');
  // Other subjects notice nothing, and the proof counts as none where none is needed.
  expect(outcome(await t.admin.whoAmI())).toBe('200');
  expect(outcome(await t.transport('jwks', session, {}))).toBe('200');
  result(await put(t.admin, 'bob', 1, false));
  expect(await all()).toEqual(Array(7).fill('200'));
  expect(result(await bob.read(scope, record.record_id)).record.revision).toBe(1);
});

testCase('DLG-24 a block never shuts out the last administrator', async (t) => {
  const { subject_id } = t.admin.credential.spec;
  expect(outcome(await put(t.admin, subject_id, 0, true))).toBe(refused.forbidden);
  expect(outcome(await put(t.admin, subject_id, 0, false))).toBe('200');
  const second = await t.agent({ subject_id: 'second', capabilities: ['credential_admin'] });
  const both = await Promise.all([
    put(t.admin, 'second', 0, true),
    put(second, subject_id, 1, true),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
});

testCase('DLG-27 a block keeps its reason, which the blocked caller is not told', async (t) => {
  const bob = await t.agent({ subject_id: 'bob' });
  const state = async (expected_revision: number, members: object) => {
    const document = { ...version, expected_revision, ...members };
    return result(await t.admin.call('putSubject', { id: 'bob', document })).subject.reason;
  };
  const reason = 'Its secret leaked; ask Ann.';
  expect(await state(0, { is_blocked: true, reason })).toBe(reason);
  expect(result(await t.admin.call('getSubject', { id: 'bob' })).subject.reason).toBe(reason);
  expect(JSON.stringify((await bob.whoAmI()).body)).not.toContain('leaked');
  // It belongs to its revision.
  expect(await state(1, { is_blocked: false })).toBeNull();
  for (const wrong of ['', 'x'.repeat(257), 7]) {
    const document = { ...version, expected_revision: 2, is_blocked: true, reason: wrong };
    const answer = await t.admin.call('putSubject', { id: 'bob', document });
    expect(outcome(answer)).toBe(refused.invalid);
  }
  const { events } = result(await t.admin.call('queryAudit', { parameters: { limit: 100 } }));
  const changes = events.filter(({ resource }) => resource === 'subject:bob');
  expect(changes.map(({ metadata }) => metadata)).toMatchObject([
    { change: 'unblocked', reason: null, tenant_id: 'acme' },
    { change: 'blocked', reason, tenant_id: 'acme' },
  ]);
});
