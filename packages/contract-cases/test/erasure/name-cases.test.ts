/** Cases of names that an erased subject had (docs/contract/erasure.md). */
import { runtimeOf, verifyAuditOfStore, verifyErasureOfStore } from '@agentkeep/core/operator';
import { expect } from 'vitest';
import { outcome, result } from '../harness/answer.js';
import { scope } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';
import { erased, ofSubject, version } from './erasure-kit.js';
import { textsLeftIn } from './search-kit.js';

const password = 'Correct-Horse-7';
const names = {
  subject: 'alice-of-wonderland',
  username: 'alice-the-person',
  first: 'alice@first.example',
  second: 'alice@second.example',
};

/** An account of the subject that had two addresses, with the events that name it. */
async function account(t: Fixture, credentialId: string) {
  const { username, first, second } = names;
  const tenant_id = t.admin.credential.tenant_id;
  const document = { username, password, email: first, credential_id: credentialId };
  const { id } = result(await t.admin.call('createUser', { document }));
  const login = { ...version, username, password, tenant_id };
  result(await t.transport('loginTenant', undefined, { document: login }));
  const wrong = { ...login, password: 'Wrong-Horse-7' };
  await t.transport('loginTenant', undefined, { document: wrong });
  result(await t.admin.call('updateUser', { id, document: { email: second } }));
  await t.admin.call('createUser', { document: { ...document, email: null } });
  return id;
}

async function subjectWithAccount(t: Fixture) {
  const alice = await t.agent({ subject_id: names.subject });
  await alice.created(scope);
  return account(t, alice.id);
}

async function statusOf(t: Fixture, given: { readonly names?: readonly string[] } = {}) {
  await runtimeOf(t.keep).audit.flush();
  const target = { kind: 'subject', subject_id: names.subject } as const;
  const tenantId = t.admin.credential.tenant_id;
  return (await verifyErasureOfStore(t.store, { tenantId, target, ...given })).status;
}

/** An event as an account of the tenant would leave it. */
function loginOf({ admin, clock }: Fixture, userId: string) {
  return {
    id: '01934f2a-7c1b-7000-8000-0000000000f1',
    type: 'login',
    atMillis: clock.now(),
    tenantId: admin.credential.tenant_id,
    userId,
    username: null,
    action: 'login',
    resource: 'authentication',
    result: 'success',
    ipAddress: null,
    userAgent: null,
    metadata: {},
  } as const;
}

async function noted(
  { keep }: Fixture,
  draft: Parameters<ReturnType<typeof runtimeOf>['audit']['changed']>[1],
): Promise<void> {
  const { store, audit } = runtimeOf(keep);
  await store.transact((tx) => {
    audit.changed(tx, draft);
  });
}

// ERA-13
testCase('ERA-C16 no name of an account stays in a log of few events', async (t) => {
  await subjectWithAccount(t);
  const made = await erased(t, ofSubject(names.subject));
  await runtimeOf(t.keep).audit.flush();
  expect(await textsLeftIn(t, Object.values(names))).toEqual([]);
  expect(await verifyAuditOfStore(t.store)).toMatchObject({ status: 'verified' });
  expect(made.pseudonym).not.toBeNull();
  expect(await statusOf(t)).toBe('clean');
});

// ERA-25
testCase('ERA-C17 a name that is still somewhere is found, however it came there', async (t) => {
  const id = await subjectWithAccount(t);
  await erased(t, ofSubject(names.subject));
  const event = { ...loginOf(t, id), username: 'erased-AAAAAAAAAAAAAAAAAAAAAA' };
  await noted(t, { ...event, metadata: { path: '/api/v1/users/other%40example.com' } });
  expect(await statusOf(t)).toBe('clean');
  const given = { names: ['other@example.com'] };
  expect(await statusOf(t, given)).toBe('left');
  // The account is gone, so that nothing may say whose it was.
  await noted(t, { ...loginOf(t, id), username: 'a-name-that-no-erasure-knew' });
  expect(await statusOf(t)).toBe('left');
});

testCase('ERA-C17 so is an address that the subject had before', async (t) => {
  await subjectWithAccount(t);
  await erased(t, ofSubject(names.subject));
  await noted(t, { ...loginOf(t, t.admin.id), resource: `user:${names.first}` });
  expect(await statusOf(t)).toBe('left');
});

testCase('ERA-C16 nor of an account that was deleted before', async (t) => {
  const id = await subjectWithAccount(t);
  expect(outcome(await t.admin.call('deleteUser', { id }))).toMatch(/^20\d/u);
  await erased(t, ofSubject(names.subject));
  await runtimeOf(t.keep).audit.flush();
  expect(await textsLeftIn(t, Object.values(names))).toEqual([]);
});

// ERA-10
testCase('ERA-C16 nor in the credential of a service that may act for it', async (t) => {
  const alice = await t.agent({ subject_id: names.subject });
  await alice.created(scope);
  const service = await t.agent({
    subject_id: 'support',
    capabilities: ['memory_read', 'act_for'],
    act_for: { mode: 'only', ids: ['bob', names.subject] },
  });
  const made = await erased(t, ofSubject(names.subject));
  expect(await statusOf(t)).toBe('clean');
  expect(await textsLeftIn(t, [names.subject])).toEqual([]);
  const { credential } = result(await t.admin.inspect(service.id));
  expect(credential.spec.act_for).toEqual({ mode: 'only', ids: ['bob', made.pseudonym] });
  expect(credential.revoked_at_millis).toBeNull();
});
