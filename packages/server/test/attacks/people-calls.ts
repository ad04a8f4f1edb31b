/** Calls of people, and on the accounts of people. */
import { createAdmin } from '@agentkeep/core/operator';
import { outcome, result } from '@agentkeep/contract-cases/answer';
import { scope } from '@agentkeep/contract-cases/documents';
import type { Fixture } from '@agentkeep/contract-cases/fixture';
import { OTHER_PASSWORD, PASSWORD, Party } from '@agentkeep/contract-cases/user-fixture';
import { expect } from 'vitest';
import { callOnConnections } from './connection-calls.js';

const version = { contract_version: 1 };

/** The people of the installation. */
export interface People {
  readonly root: Party;
  readonly chief: Party;
  readonly login: (username: string, members?: object) => Promise<Party>;
}

/** Makes the first people, and signs them in. */
export async function peopleOf(t: Fixture): Promise<People> {
  await createAdmin(t.keep, { username: 'root', password: PASSWORD });
  const tenantId = 'acme';
  await createAdmin(t.keep, { username: 'chief', password: PASSWORD, tenantId });
  const login = async (username: string, members: object = { tenant_id: 'acme' }) => {
    const document = { username, password: PASSWORD, ...members };
    const answer = await t.transport('authLogin', undefined, { document });
    const { access_token, user_id } = result(answer);
    return new Party(t.transport, access_token, user_id);
  };
  return { root: await login('root', {}), chief: await login('chief'), login };
}

const memberOf = async (people: People, username: string): Promise<Party> => {
  result(await people.chief.create({ username, password: PASSWORD }));
  return people.login(username);
};

/** Brings an account to the most that it can have of everything. */
async function fill(t: Fixture, { login }: People, person: Party, username: string): Promise<void> {
  for (let left = 64; left > 0; left -= 1) {
    await person.call('createApiKey', { document: { name: 'k' } });
  }
  for (let index = 0; index < 70; index += 1) {
    const email = `${username}-${String(index)}@x.test`;
    expect(outcome(await person.update(person.id, { email }))).toBe('200');
  }
  for (let left = 31; left > 0; left -= 1) {
    const { token } = await login(username);
    if (left > 20) await t.transport('revokeToken', undefined, { document: { token } });
    const document = { ...version, tenant_id: 'acme', username, password: PASSWORD };
    result(await t.transport('loginTenant', undefined, { document }));
  }
}

/** Calls the operations of people, on an account that has the most of everything. */
export async function callOnPeople(t: Fixture, people: People): Promise<void> {
  const { chief, login } = people;
  await callOnConnections(t, people.login);
  const ann = await memberOf(people, 'ada');
  await fill(t, people, ann, 'ada');
  const { keys } = result(await ann.call('listApiKeys'));
  for (const name of ['deleteApiKey', 'deleteApiKeyAlias'] as const) {
    result(await ann.call(name, { id: keys[name.length % 2]?.id }));
  }
  for (const name of ['createApiKey', 'createApiKeyAlias'] as const) {
    result(await ann.call(name, { document: { name: 'k' } }));
  }
  result(await ann.call('listApiKeysAlias'));
  result(await ann.get(ann.id));
  result(await chief.list({ limit: 1_000 }));
  const managed = result(await chief.call('listUserApiKeys', { id: ann.id }));
  const revoked = { key_id: managed.keys[0]?.id };
  result(await chief.call('revokeUserApiKey', { id: ann.id, document: revoked }));
  const { sessions } = result(await chief.call('listUserSessions', { id: ann.id }));
  expect(sessions.length).toBeGreaterThan(60);
  const ended = { session_id: sessions.at(-1)?.session_id };
  result(await chief.call('endUserSession', { id: ann.id, document: ended }));
  result(await chief.call('revokeAllTokens', { document: { user_id: ann.id } }));
  result(await chief.setRoles(ann.id, ['Read', 'Write']));
  const document = { username: 'ada', password: PASSWORD, tenant_id: 'acme' };
  const { refresh_token } = result(await t.transport('authLogin', undefined, { document }));
  result(await t.transport('authRefresh', undefined, { document: { refresh_token } }));
  const self = await login('ada');
  result(await self.changePassword(PASSWORD, OTHER_PASSWORD));
  result(await chief.reset(ann.id, PASSWORD));
  const again = await login('ada');
  result(await again.call('authLogout'));
  const opaque = { ...version, tenant_id: 'acme', username: 'ada', password: PASSWORD };
  const { session } = result(await t.transport('loginTenant', undefined, { document: opaque }));
  result(await t.transport('logout', session.token, {}));
  await fill(t, people, await login('ada'), 'ada');
  result(await chief.delete(ann.id));
  await callOnInvitations(t, people);
}

/** Invites a person with the most scopes, also after a revocation, and accepts the invitation. */
async function callOnInvitations(t: Fixture, { chief }: People): Promise<void> {
  const scopes = Array.from({ length: 64 }, (_, index) => ({ ...scope, agent_id: `a${index}` }));
  const offer = { role: 'reviewer', scopes };
  const invite = async (username: string) =>
    result(await t.admin.call('inviteUser', { document: { username, ...offer } }));
  await invite('eva');
  const { invitation } = await invite('eva');
  result(await t.admin.call('revokeInvitation', { id: invitation.user.id }));
  const [{ code }] = [await invite('eva'), await invite('eve')];
  result(await chief.call('listInvitations'));
  const document = { code, password: PASSWORD };
  result(await t.transport('acceptInvitation', undefined, { document }));
  result(await t.admin.call('createResetLink', { id: invitation.user.id, document: {} }));
}
