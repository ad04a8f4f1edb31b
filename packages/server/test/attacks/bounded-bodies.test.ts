/**
 * The work of one transaction (OWASP API4:2023): no operation touches more entries or needs more
 * round trips in one body than a fixed number, however full the store is. The operations come from
 * the table, so a new one needs a call here.
 */
import { capabilities, inMemoryStore, type OperationName } from '@agentkeep/core';
import { speculative } from '@agentkeep/core/testing';
import { testIssuer } from '@agentkeep/testkit/test-issuer';
import { peoplePorts } from '@agentkeep/testkit/test-sign-in';
import { expect, test } from 'vitest';
import { type Parts, result } from '@agentkeep/contract-cases/answer';
import { createAll } from '@agentkeep/contract-cases/caller';
import {
  minimalRecord,
  openPolicy,
  record,
  scope,
  sharedScope,
  spec,
} from '@agentkeep/contract-cases/documents';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { context as contextOf, proposal } from '@agentkeep/contract-cases/learning-documents';
import { type Fixture, tenant } from '@agentkeep/contract-cases/fixture';
import type { Driver, Transport } from '@agentkeep/contract-cases/transport';
import { OTHER_PASSWORD, PASSWORD } from '@agentkeep/contract-cases/user-fixture';
import { countingStore, type CountingStore } from './counting-store.js';
import { callOf, everyName } from './every-call.js';
import { callOnBranches } from './branch-calls.js';
import { callOnLineage } from './lineage-calls.js';
import { callAsMaster, eraseTenant } from './master-calls.js';
import { callAsOperator } from './operator-calls.js';
import { callOnPeople, type People, peopleOf } from './people-calls.js';
import { ownedBy, referencesIn } from './references.js';
import { callOnSignIns } from './sign-in-calls.js';
import { callOnWebhooks, deafReceivers } from './webhook-calls.js';

/**
 * Entries of one body that writes: a batch of 256 commands, each with a name, two settings of
 * retention and the three marks of erasures of a private scope to look up, a record, a search
 * entry, a change, a name and a scope to store, or four revisions to remove. In a branch, the
 * record and its last revision are looked up and copied too.
 */
const WRITE_ENTRIES_MAX = 6_000;

/** Entries of one body that only reads: a page of 1,000 names with a record each. */
const READ_ENTRIES_MAX = 2_100;

/** These need a store on disk. */
const onDiskOnly: readonly OperationName[] = [
  'createSnapshot',
  'listSnapshots',
  'getSnapshotSchedule',
  'setSnapshotSchedule',
];

/** What was seen of the operations. */
interface Seen {
  readonly succeeded: Set<OperationName>;
  /** Entries of the largest body that only read, and of the largest one that wrote. */
  readonly reads: Map<OperationName, number>;
  readonly writes: Map<OperationName, number>;
}

/** Returns a driver whose transport notes the largest body of each operation. */
function watching({ taken }: CountingStore, seen: Seen): Driver {
  const inProcess = drivers[0]!;
  return {
    name: inProcess.name,
    open: (keep) => {
      const inner = inProcess.open(keep);
      const call: Transport = async (operation, token, parts) => {
        taken();
        const answer = await inner(operation, token, parts);
        const { largestRead, largestWrite } = taken();
        seen.reads.set(operation, Math.max(seen.reads.get(operation) ?? 0, largestRead));
        seen.writes.set(operation, Math.max(seen.writes.get(operation) ?? 0, largestWrite));
        if (answer.status < 300) seen.succeeded.add(operation);
        return answer;
      };
      return call;
    },
  };
}

/** Fills lists beyond the pages that are shown of them. */
async function fillLists(t: Fixture, { root, chief }: People): Promise<void> {
  const agent = await t.agent();
  await createAll(
    agent,
    Array.from({ length: 1_100 }, () => minimalRecord),
  );
  for (let index = 0; index < 2_100; index += 1) {
    const username = `user-${String(index)}`;
    const { id } = result(await chief.create({ username, password: PASSWORD }));
    if (index % 2 === 0) result(await chief.delete(id));
    if (index % 2 === 1) await chief.call('lockAccount', { id: username, document: {} });
  }
  const document = { name: 'p', endpoint_type: 'GeneralApi', max_requests: 1e9, window_secs: 9 };
  for (let left = 251; left > 0; left -= 1) {
    result(await root.call('createRateLimit', { document }));
  }
  for (let revision = 1; revision < 70; revision += 1) {
    result(await t.admin.rotate(agent.id, revision));
  }
  result(await t.admin.inspect(agent.id));
}

const version = { contract_version: 1 };

/** Calls the operations of the administrator of a tenant. */
async function callAsAdmin(t: Fixture): Promise<void> {
  const { id } = await t.agent();
  const revised = (expected_revision: number, members: object = {}): Parts => ({
    id,
    document: { ...version, expected_revision, ...members },
  });
  const limit = { parameters: { ...version, limit: 100 } };
  result(await t.admin.call('listTenantCredentials', limit));
  result(await t.admin.call('listTenantLoginAccounts', limit));
  const authority = { grants: [scope] };
  result(await t.admin.call('changeScopeAuthority', revised(1, { authority })));
  result(await t.admin.call('revokeCredential', revised(2)));
  const service = await t.agent({ capabilities: ['act_for'], act_for: { mode: 'all' } });
  result(await service.call('issueSubjectToken', callOf('issueSubjectToken')));
  result(await t.admin.call('putSubject', callOf('putSubject')));
  const issuer = testIssuer();
  const { id: name, document: trust } = callOf('putTrustedIssuer') as Parts & { document: object };
  const keys = { mode: 'inline', keys: [issuer.key] };
  result(await t.admin.call('putTrustedIssuer', { id: name, document: { ...trust, keys } }));
  result(await t.admin.call('getTrustedIssuer', { id: name }));
  const made = await t.admin.call('issueFederatedCredential', callOf('issueFederatedCredential'));
  const exp = Math.floor(t.clock.now() / 1_000) + 600;
  const claims = { iss: 'https://ci.example.test', aud: 'agentkeep', sub: 'repo:acme/x', exp };
  const assertion = issuer.sign(claims);
  const exchanged = { ...version, credential_id: result(made).credential.id, assertion };
  result(await t.transport('issueFederatedToken', undefined, { document: exchanged }));
  const { public_key } = callOf('issueKeyCredential').document as { readonly public_key: object };
  const keyed = { id: service.id, document: { ...version, expected_revision: 1, public_key } };
  result(await t.admin.call('replaceCredentialKey', keyed as Parts));
  result(await t.admin.call('getSubject', callOf('getSubject')));
  const begun = result(await t.admin.call('startErasure', callOf('startErasure')));
  result(await t.admin.call('getErasure', { id: begun.erasure.id }));
  const document = { ...version, username: 'gus', password: PASSWORD, credential_id: t.admin.id };
  const { account } = result(await t.admin.call('createTenantLoginAccount', { document }));
  const of = { ...revised(1, { password: OTHER_PASSWORD }), id: account.id };
  result(await t.admin.call('changePasswordTenantLoginAccount', of));
  const end = { ...revised(2), id: account.id };
  result(await t.admin.call('disableTenantLoginAccount', end));
}

/** Calls every operation on objects of a tenant. */
async function callOnObjects(t: Fixture, people: People): Promise<void> {
  const owned = await ownedBy(t);
  const held = capabilities.filter((each) => each !== 'credential_admin');
  const agent = await t.agent({ capabilities: held, grants: [scope, sharedScope] });
  const tokens = { agent: agent.token, admin: t.admin.token, person: people.chief.token };
  for (const { operation, by, of, parts } of referencesIn(sharedScope)) {
    await t.transport(operation, tokens[by], parts(owned[of]));
  }
  for (const operation of everyName) {
    await t.transport(operation, agent.token, callOf(operation));
  }
  result(await agent.query(scope, { limit: 1_000 }));
  result(await agent.query(scope, { text_contains: 'nothing has this' }));
}

/** Calls with the longest lists that documents may have. */
async function callWithLongLists(t: Fixture): Promise<void> {
  const numbered = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index));
  const projects = numbered(256, (index) => `p${index}`);
  const scope_policy = { ...openPolicy, projects: { mode: 'only', ids: projects } };
  const policy = result(await t.admin.issue(spec({ scope_policy }))).credential;
  const grants = numbered(600, (index) => ({ ...scope, project_id: `p${index}` }));
  const change = { ...version, expected_revision: 1, authority: { grants } };
  result(await t.admin.call('changeScopeAuthority', { id: policy.id, document: change }));
  const agent = await t.agent({ capabilities, grants: [sharedScope] });
  const tagged = record({ tags: numbered(5_000, (index) => `tag-${index}`) });
  const { receipt } = result(await agent.create(sharedScope, tagged));
  result(await agent.update(sharedScope, [receipt.record_id, 1], tagged));
  const tools = Object.fromEntries(numbered(128, (index) => [`tool-${index}`, 'v1']));
  const context = { ...version, id: 'wide', context: contextOf({ tools }) };
  result(await agent.call('registerLearningContext', { document: context }));
  const source_refs = numbered(128, (index) => `trace-${index}`);
  const wide = proposal({ id: 'wide', source_refs });
  const document = { ...version, scope: sharedScope, proposal: wide };
  result(await agent.call('proposeProcedure', { document }));
  const everywhere = await t.admin.appoint(
    spec({ capabilities: ['memory_write'], scope_policy: openPolicy }),
  );
  const puts = numbered(256, (index) => {
    const operation = { type: 'put', name: 'n', record: minimalRecord };
    return [{ ...sharedScope, project_id: `p${index}` }, operation] as const;
  });
  result(await everywhere.batch(puts));
  await callOnHistories(t);
}

/** Deletes many records with long histories at once, and asks for one. */
async function callOnHistories(t: Fixture): Promise<void> {
  result(await t.admin.setRetention({ revisions_max: 10_000 }));
  result(await t.admin.setRetention({ deleted_days: 0 }, 0, scope));
  result(await t.admin.retention(scope));
  const agent = await t.agent();
  const target = { record: minimalRecord };
  const names = Array.from({ length: 256 }, (_, index) => `long ${index}`);
  const all = (operation: (name: string) => object) =>
    agent.batch(names.map((name) => [scope, operation(name)] as const));
  for (let revision = 1; revision <= 12; revision += 1) {
    result(await all((name) => ({ type: 'put', name, ...target })));
  }
  const id = result(await agent.readNamed(scope, 'long 0')).record.record_id;
  const updates = (from: number) =>
    agent.batch(
      Array.from({ length: 256 }, (_, index) => {
        const change = { type: 'update', record_id: id, expected_revision: from + index };
        return [scope, { ...change, ...target }] as const;
      }),
    );
  for (let from = 12; from < 2_000; from += 256) result(await updates(from));
  result(await agent.revisions(scope, id, { limit: 100 }));
  expect((await agent.readAt(scope, id, { as_of_millis: 0 })).status).toBe(404);
  result(await agent.readAt(scope, id, { revision: 12 }));
  await callOnBranches(t, names);
  await callOnLineage(t);
  result(await all((name) => ({ type: 'remove', name })));
}

/** Calls the operations that nothing above has called, by their rows. */
async function callOthers(t: Fixture, { root }: People, { succeeded }: Seen): Promise<void> {
  const admin = await t.agent({ capabilities, grants: [scope, sharedScope] });
  for (const name of everyName.filter((each) => !succeeded.has(each))) {
    for (const { token } of [admin, root]) await t.transport(name, token, callOf(name));
  }
}

test('no operation touches more than a fixed number of entries in one body', async () => {
  // It refuses bodies that would need too many round trips to PostgreSQL.
  const counting = countingStore(speculative(inMemoryStore()));
  const seen: Seen = { succeeded: new Set(), reads: new Map(), writes: new Map() };
  await using t = await tenant(watching(counting, seen), counting.store, {
    ...peoplePorts,
    webhookSender: deafReceivers,
  });
  const people = await peopleOf(t);
  await fillLists(t, people);
  await callOnPeople(t, people);
  await callOnSignIns(t, people.chief);
  await callAsAdmin(t);
  await callOnObjects(t, people);
  await callWithLongLists(t);
  const asMaster = await callAsMaster(t);
  await callAsOperator(people);
  await callOthers(t, people, seen);
  // Days pass, in which sessions of people end.
  await callOnWebhooks(t);
  await eraseTenant(asMaster);

  const missing = everyName.filter((name) => !seen.succeeded.has(name));
  expect(missing).toEqual(onDiskOnly);
  const above = (largest: Seen['reads'], most: number) =>
    [...largest].filter(([, entries]) => entries > most);
  expect(above(seen.reads, READ_ENTRIES_MAX)).toEqual([]);
  expect(above(seen.writes, WRITE_ENTRIES_MAX)).toEqual([]);
});
