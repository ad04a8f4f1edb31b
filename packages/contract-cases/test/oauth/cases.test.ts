/** Cases of connections, without the protocol that redeems them (docs/contract/oauth.md). */
import { formatGrantSecret } from '@agentkeep/core/operator';
import { describe, expect } from 'vitest';
import { outcome, result } from '../harness/answer.js';
import { minimalRecord, scope, sharedScope, ungranted } from '../harness/documents.js';
import { Party, PASSWORD, type UserFixture, withUsers } from '../users/user-fixture.js';

const program = {
  client_id: 'https://notes.example.test/client.json',
  client_name: 'Notes',
  client_host: 'notes.example.test',
};
const usual = { ...program, access: ['read'], grants: [{ mission_id: null, ...scope }] };
const version = { contract_version: 1 };

/** A person of the tenant whose account may read and write in two scopes. */
async function boundPerson(users: UserFixture, username = 'ann') {
  const agent = await users.fixture.agent({ subject_id: username });
  const credential_id = agent.credential.id;
  result(await users.tenantAdmin.create({ username, password: PASSWORD, credential_id }));
  const person = await users.login(username, { tenant_id: 'acme' });
  return { person, agent };
}

function approve(person: Party, members: object = {}) {
  const document = { ...usual, expires_in_days: 7, ...members };
  return person.call('approveConnection', { document });
}

/** Redeems an approval, as the authorization server does. */
async function redeem({ fixture }: UserFixture, grantId: string) {
  const { grants } = fixture.keep;
  const origin = { path: '/oauth/token', ipAddress: null, userAgent: null, endpointType: null };
  const call = { origin, requestId: undefined, traceId: undefined };
  const token = formatGrantSecret('RefreshToken', grantId, 'first');
  await grants.put('RefreshToken', token, { payload: {}, lifeSecs: 86_400 }, call);
  return (await grants.issueToken(grantId, call)).token;
}

/** Connects a program, and returns the party that it is. */
async function connect(users: UserFixture, person: Party, members: object = {}) {
  const { approval_id } = result(await approve(person, members));
  const token = await redeem(users, approval_id);
  const { connections } = result(await person.call('listConnections'));
  return new Party(users.fixture.transport, token, connections[0]?.id ?? '');
}

function read(party: Party, where: object = scope) {
  return party.outcome('queryMemory', {
    document: { ...version, scope: where, filter: {} },
  });
}

describe('approvals', () => {
  withUsers('OAU-C1, OAU-1, OAU-4 people in a session approve', async (users) => {
    const { person, agent } = await boundPerson(users);
    const answer = await approve(person);
    expect(answer.status).toBe(201);
    expect(result(answer).redeem_until).toMatch(/Z$/);
    const document = { ...usual, expires_in_days: 7 };
    const byCredential = await agent.call('approveConnection', { document });
    expect(outcome(byCredential)).toBe('403 forbidden');
    expect((await approve(await users.member('bob'))).status).toBe(403);
    const { key } = result(await person.call('createApiKey', { document: { name: 'ci' } }));
    const byKey = new Party(users.fixture.transport, key, person.id);
    expect((await approve(byKey)).status).toBe(403);
    expect(await byKey.outcome('listConnections')).toBe('200');
  });

  withUsers('OAU-C2, OAU-5, OAU-6, OAU-7 no more than the account has', async (users) => {
    const { person } = await boundPerson(users);
    const statuses: number[] = [];
    for (const members of [
      { access: ['learn'] },
      { grants: [ungranted] },
      { grants: [] },
      { expires_in_days: 366 },
      { access: ['read', 'read'] },
      { access: [] },
      { client_id: 'ünicode' },
    ]) {
      statuses.push((await approve(person, members)).status);
    }
    expect(statuses).toEqual([403, 403, 400, 400, 400, 400, 400]);
  });

  withUsers('OAU-6 an account has at most 64 live connections', async (users) => {
    const { person } = await boundPerson(users);
    for (let made = 0; made < 64; made += 1) {
      await redeem(users, result(await approve(person)).approval_id);
    }
    const document = { ...usual, expires_in_days: 7 };
    const another = () => person.outcome('approveConnection', { document });
    expect(await another()).toBe('409 connection_limit');
    const { connections } = result(await person.call('listConnections'));
    expect(connections).toHaveLength(64);
    result(await person.call('endConnection', { id: connections[0]?.id }));
    expect(await another()).toBe('201');
  });

  withUsers('OAU-5 an approval has to be redeemed within ten minutes', async (users) => {
    const { person } = await boundPerson(users);
    const { approval_id } = result(await approve(person));
    users.fixture.clock.advance(600_000);
    await expect(redeem(users, approval_id)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe('connections', () => {
  withUsers('OAU-C3, OAU-2, OAU-3, OAU-8 are listed and ended by their account', async (users) => {
    const { person } = await boundPerson(users);
    const other = (await boundPerson(users, 'bob')).person;
    const by = await connect(users, person, { access: ['read', 'write'] });
    const { connections } = result(await person.call('listConnections'));
    expect(connections).toEqual([
      {
        id: by.id,
        ...program,
        access: ['read', 'write'],
        grants: usual.grants,
        created_at: expect.any(String),
        expires_at: expect.any(String),
      },
    ]);
    expect(result(await other.call('listConnections')).connections).toEqual([]);
    expect(await other.outcome('endConnection', { id: by.id })).toBe('404 not_found');
    expect(await person.outcome('endConnection', { id: by.id })).toBe('200');
    expect(result(await person.call('listConnections')).connections).toEqual([]);
    expect(await person.outcome('endConnection', { id: by.id })).toBe('404 not_found');
    expect(await by.outcome('whoAmI')).toBe('401 unauthorized');
  });

  withUsers('OAU-C4, OAU-7, OAU-9, OAU-10, OAU-11 a program acts within bounds', async (users) => {
    const { person, agent } = await boundPerson(users);
    const by = await connect(users, person);
    const { credential } = result(await by.call('whoAmI'));
    expect(credential).toMatchObject({
      id: by.id,
      spec: { subject_id: 'ann', capabilities: ['memory_read'], grants: usual.grants },
      program: { ...program, account_id: person.id, access: ['read'] },
      acting_service: { subject_id: program.client_host },
    });
    expect(await read(by)).toBe('200');
    expect(await read(by, sharedScope)).toBe('403 forbidden');
    const operation = { type: 'create', record: minimalRecord };
    const command = { ...version, idempotency_key: 'k', scope, operation };
    const write = { document: command };
    expect(await by.outcome('executeMemoryCommand', write)).toBe('403 forbidden');
    const spec = { subject_id: 's', capabilities: ['memory_read'], grants: [] };
    const issue = { document: { ...version, spec } };
    expect(await by.outcome('issueCredential', issue)).toBe('403 forbidden');
    const rotation = { id: by.id, document: { ...version, expected_revision: 1 } };
    const { tenantAdmin } = users;
    expect(await tenantAdmin.outcome('rotateCredential', rotation)).toBe('400 invalid_request');
    const events = await users.chief.events();
    const acting = events.filter(({ metadata }) => metadata['acting_service'] !== undefined);
    expect(acting.length).toBeGreaterThan(0);
    expect(acting[0]?.metadata['acting_service']).toBe(program.client_host);
    expect(agent.credential.id).not.toBe(by.id);
  });

  withUsers('OAU-C5, OAU-10, OAU-11 end with what they stand on', async (users) => {
    const { tenantAdmin, chief } = users;
    const live = async (party: Party) => (await party.outcome('whoAmI')) === '200';
    const start = async (name: string) => {
      const { person, agent } = await boundPerson(users, name);
      return { person, agent, by: await connect(users, person) };
    };
    const inactive = await start('ann');
    result(await chief.update(inactive.person.id, { is_active: false }));
    expect(await live(inactive.by)).toBe(false);
    const revoked = await start('bob');
    const { id } = revoked.agent.credential;
    const document = { ...version, expected_revision: 1 };
    result(await tenantAdmin.call('revokeCredential', { id, document }));
    expect(await live(revoked.by)).toBe(false);
    const narrowed = await start('cleo');
    const authority = { grants: [{ mission_id: null, ...sharedScope }] };
    const change = { id: narrowed.agent.credential.id, document: { ...document, authority } };
    result(await tenantAdmin.call('changeScopeAuthority', change));
    expect(await live(narrowed.by)).toBe(true);
    expect(await read(narrowed.by)).toBe('403 forbidden');
    const blocked = await start('dan');
    const limits = { ...version, expected_revision: 0, is_blocked: true };
    result(await tenantAdmin.call('putSubject', { id: 'dan', document: limits }));
    expect(await live(blocked.by)).toBe(false);
    // The program goes on with the subject that it acts for.
    const undone = { ...limits, expected_revision: 1, is_blocked: false };
    result(await tenantAdmin.call('putSubject', { id: 'dan', document: undone }));
    expect(await live(blocked.by)).toBe(true);
  });

  withUsers('OAU-12 end by administrators, by an incident, and with time', async (users) => {
    const { person } = await boundPerson(users);
    const first = await connect(users, person);
    const document = { ...version, expected_revision: 1 };
    const { tenantAdmin, chief } = users;
    result(await tenantAdmin.call('revokeCredential', { id: first.id, document }));
    expect(await first.outcome('whoAmI')).toBe('401 unauthorized');
    const second = await connect(users, person);
    const incident = { user_id: person.id, reason: 'security_incident' };
    result(await chief.call('revokeAllTokens', { parameters: {}, document: incident }));
    expect(await second.outcome('whoAmI')).toBe('401 unauthorized');
    const again = await users.login('ann', { tenant_id: 'acme' });
    const third = await connect(users, again);
    users.fixture.clock.advance(600_000);
    expect(await third.outcome('whoAmI')).toBe('401 unauthorized');
  });
});
