/** Cases of listings of access (docs/contract/access.md). */
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { missionScope, openPolicy, scope, sharedScope, spec } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';

const version = { contract_version: 1 };
const full = { ...scope, mission_id: null };
const shared = { ...sharedScope, mission_id: null };

function scopesPage(caller: Caller, members: Members = {}) {
  return caller.call('listScopes', { parameters: { ...version, ...members } });
}

function subjectsPage(caller: Caller, members: Members = {}) {
  return caller.call('listKnownSubjects', { parameters: { ...version, ...members } });
}

function reach(caller: Caller, members: Members) {
  return caller.call('previewReach', { document: { ...version, ...members } });
}

function holders(caller: Caller, members: Members) {
  return caller.call('listScopeHolders', { document: { ...version, ...members } });
}

/** Walks through pages of one item. */
async function allOf<T>(
  page: (members: Members) => Promise<{ items: T[]; next_cursor: string | null }>,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const next = await page({ limit: 1, ...(cursor === undefined ? {} : { cursor }) });
    items.push(...next.items);
    cursor = next.next_cursor;
  }
  return items;
}

testCase('ACC-C1, ACC-8 scopes are listed once, with counts and the last change', async (t) => {
  const alice = await t.agent();
  const bob = await t.agent({ subject_id: 'bob' });
  const id = await alice.created(scope);
  await alice.created(scope);
  await alice.created(sharedScope);
  t.clock.advance(1_000);
  result(await alice.delete(scope, [id, 1]));
  await bob.created(scope);
  const listed = await allOf(async (members) => result(await scopesPage(t.admin, members)).page);
  const now = t.clock.now();
  expect(listed).toHaveLength(3);
  expect(listed).toEqual(
    expect.arrayContaining([
      {
        scope: full,
        subject_id: 'alice',
        records: 1,
        deleted_records: 1,
        last_change_at_millis: now,
      },
      {
        scope: full,
        subject_id: 'bob',
        records: 1,
        deleted_records: 0,
        last_change_at_millis: now,
      },
      {
        scope: shared,
        subject_id: null,
        records: 1,
        deleted_records: 0,
        last_change_at_millis: now - 1_000,
      },
    ]),
  );
});

testCase('ACC-C2 subjects are known by credentials, private scopes and limits', async (t) => {
  const alice = await t.agent();
  await alice.created(scope);
  await alice.created(missionScope);
  const gone = await t.agent({ subject_id: 'bob' });
  result(await t.admin.call('revokeCredential', { id: gone.id, document: revision(1) }));
  const service = await t.agent({
    subject_id: 'support',
    capabilities: ['memory_read', 'memory_write', 'act_for'],
    act_for: { mode: 'all' },
  });
  const document = { ...version, subject_id: 'zoe' };
  const { access_token } = result(await service.call('issueSubjectToken', { document }));
  await service.with(access_token).created(scope);
  const blocked = { ...version, expected_revision: 0, is_blocked: true };
  result(await t.admin.call('putSubject', { id: 'carl', document: blocked }));
  const none = { live_credentials: 0, ended_credentials: 0, private_scopes: 0, is_blocked: false };
  const listed = await allOf(async (members) => result(await subjectsPage(t.admin, members)).page);
  expect(
    listed.filter(({ subject_id }) => subject_id !== t.admin.credential.spec.subject_id),
  ).toEqual([
    { ...none, subject_id: 'alice', live_credentials: 1, private_scopes: 2 },
    { ...none, subject_id: 'bob', ended_credentials: 1 },
    { ...none, subject_id: 'carl', is_blocked: true },
    { ...none, subject_id: 'support', live_credentials: 1 },
    { ...none, subject_id: 'zoe', private_scopes: 1 },
  ]);
});

testCase('ACC-C3 the reach of a subject, and of a credential that is not issued', async (t) => {
  const writer = await t.agent();
  for (const each of [scope, sharedScope, missionScope]) await writer.created(each);
  await (await t.agent({ subject_id: 'bob' })).created(scope);
  const reader = await t.agent({ capabilities: ['memory_read'], grants: [sharedScope] });
  const before = result(await reach(t.admin, { subject_id: 'alice' })).page;
  expect(before.next_cursor).toBeNull();
  expect(before.items).toHaveLength(3);
  const both = before.items.find((each) => each.scope.visibility === 'shared');
  expect(both).toEqual({
    scope: shared,
    subject_id: null,
    capabilities: ['memory_read', 'memory_write'],
    credential_ids: [writer.id, reader.id].sort(),
  });
  result(await t.admin.call('revokeCredential', { id: writer.id, document: revision(1) }));
  const after = result(await reach(t.admin, { subject_id: 'alice' })).page.items;
  expect(after).toEqual([{ ...both, capabilities: ['memory_read'], credential_ids: [reader.id] }]);
  const count = async () =>
    (await allOf(async (m) => result(await t.admin.list({ ...version, ...m })).page)).length;
  const issued = await count();
  const policy = { ...openPolicy, visibilities: ['private'] };
  const planned = spec({ subject_id: 'bob', scope_policy: policy });
  expect(result(await reach(t.admin, { spec: planned })).page.items).toEqual([
    { scope: full, subject_id: 'bob', capabilities: ['memory_read'], credential_ids: [] },
  ]);
  expect(await count()).toBe(issued);
});

testCase('ACC-C4 who can reach a scope, also by acting for its subject', async (t) => {
  const alice = await t.agent();
  const bob = await t.agent({ subject_id: 'bob', grants: [sharedScope] });
  const support = await t.agent({
    subject_id: 'support',
    capabilities: ['memory_read', 'act_for'],
    act_for: { mode: 'only', ids: ['alice'] },
    grants: [scope],
  });
  const ofShared = result(await holders(t.admin, { scope: sharedScope })).page.items;
  const held = { capabilities: ['memory_read', 'memory_write'] };
  expect(ofShared).toEqual([
    { credential_id: alice.id, subject_id: 'alice', ...held },
    { credential_id: bob.id, subject_id: 'bob', ...held },
  ]);
  const ofAlice = { scope, subject_id: 'alice' };
  const own = { credential_id: alice.id, subject_id: 'alice', ...held };
  const service = {
    credential_id: support.id,
    subject_id: 'support',
    capabilities: ['memory_read'],
    acts_for: { mode: 'only', ids: ['alice'] },
  };
  const pages = (members: Members) =>
    allOf(async (paging) => result(await holders(t.admin, { ...members, ...paging })).page);
  expect(await pages(ofAlice)).toEqual([own, service]);
  const itself = { credential_id: support.id, subject_id: 'support' };
  expect(await pages({ scope })).toEqual([
    own,
    { ...itself, capabilities: ['memory_read', 'act_for'] },
  ]);
  const blocked = { ...version, expected_revision: 0, is_blocked: true };
  result(await t.admin.call('putSubject', { id: 'alice', document: blocked }));
  expect(await pages(ofAlice)).toEqual([own]);
});

testCase('ACC-C5 only administrators of the tenant see it', async (t) => {
  const agent = await t.agent();
  await agent.created(scope);
  const writer = await t.agent({ subject_id: 'writer', capabilities: ['memory_write'] });
  expect(outcome(await scopesPage(writer))).toBe(refused.forbidden);
  expect(outcome(await subjectsPage(agent))).toBe(refused.forbidden);
  expect(outcome(await holders(agent, { scope }))).toBe(refused.forbidden);
  expect(outcome(await reach(agent, { subject_id: 'alice' }))).toBe(refused.forbidden);
  const foreign = await t.foreignAdmin();
  const own = [foreign.credential.spec.subject_id];
  expect(result(await scopesPage(foreign)).page.items).toEqual([]);
  const known = result(await subjectsPage(foreign)).page.items;
  expect(known.map(({ subject_id }) => subject_id)).toEqual(own);
  expect(result(await holders(foreign, { scope })).page.items).toEqual([]);
  expect(result(await reach(foreign, { subject_id: 'alice' })).page.items).toEqual([]);
  for (const wrong of [{}, { subject_id: 'a', spec: spec({}) }, { subject_id: '' }]) {
    expect(outcome(await reach(t.admin, wrong))).toBe(refused.invalid);
  }
  expect(outcome(await holders(t.admin, { scope: sharedScope, subject_id: 'a' }))).toBe(
    refused.invalid,
  );
  expect(outcome(await scopesPage(t.admin, { cursor: 'AAAA' }))).toBe(refused.invalid);
});

testCase('ACC-C6, ACC-7 others list the scopes that they cover, without branches', async (t) => {
  const alice = await t.agent({ subject_id: 'alice', grants: [scope, sharedScope] });
  await alice.created(scope);
  await alice.created(sharedScope);
  const branch = { ...version, name: 'a branch', scopes: [sharedScope] };
  const made = result(await alice.call('createMemoryBranch', { document: branch })).branch;
  await alice.created({ ...sharedScope, branch: made.id });
  const bob = await t.agent({ subject_id: 'bob', grants: [scope] });
  const all = {
    version: 'company_scopes_v1',
    projects: { mode: 'all' },
    agents: { mode: 'all' },
    missions: { mode: 'all' },
    allow_unassigned_mission: true,
    visibilities: ['private', 'shared'],
  } as const;
  const carol = await t.agent({ subject_id: 'carol', grants: [], scope_policy: all });
  const visibleTo = async (agent: Parameters<typeof scopesPage>[0]) => {
    const { items } = result(await scopesPage(agent)).page;
    return items.map((each) => `${each.scope.visibility} ${each.subject_id ?? ''}`).toSorted();
  };
  expect(await visibleTo(alice)).toEqual(['private alice', 'shared ']);
  expect(await visibleTo(bob)).toEqual([]);
  expect(await visibleTo(carol)).toEqual(['shared ']);
});

function revision(expected_revision: number) {
  return { ...version, expected_revision };
}
