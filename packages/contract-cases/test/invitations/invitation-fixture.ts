/** Short forms of the calls of invitations. */
import { type Answer, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import type { Fixture } from '../harness/fixture.js';
import { PASSWORD, type Party, type UserFixture } from '../users/user-fixture.js';

/** A scope that people share. */
export const desk = { project_id: 'support', agent_id: 'desk', visibility: 'shared' } as const;

/** Invites a reviewer of {@link desk}, unless other members are given. */
export function invite(
  by: Party,
  members: object = {},
  parameters: object = {},
): Promise<Answer<'inviteUser'>> {
  const email = 'username' in members ? null : 'ann@x.test';
  const document = { username: 'ann@x.test', email, role: 'reviewer', scopes: [desk], ...members };
  return by.call('inviteUser', { document, parameters });
}

/** Accepts an invitation, without a proof. */
export function accept(
  { fixture }: UserFixture,
  code: string,
  password: string = PASSWORD,
): Promise<Answer<'acceptInvitation'>> {
  return fixture.transport('acceptInvitation', undefined, { document: { code, password } });
}

/** Returns a SuperAdmin of the tenant who may issue credentials. */
export async function inviter(users: UserFixture): Promise<Party> {
  const { chief, tenantAdmin } = users;
  const document = { username: 'boss', password: PASSWORD, credential_id: tenantAdmin.id };
  const { id } = result(await tenantAdmin.create(document));
  result(await chief.setRoles(id, ['SuperAdmin']));
  return users.login('boss', { tenant_id: 'acme' });
}

/** Invites a person by the first administrator. Returns the code. */
export async function codeFor(
  { transport, admin }: Fixture,
  username: string,
  members: Members,
): Promise<string> {
  const document = { username, ...members };
  return result(await transport('inviteUser', admin.token, { document, parameters: {} })).code;
}

/** Sets the password of an invited person, and signs her in. */
export async function enter(
  { transport, admin }: Fixture,
  username: string,
  code: string,
): Promise<Caller> {
  const accepted = { document: { code, password: PASSWORD } };
  result(await transport('acceptInvitation', undefined, accepted));
  const document = { username, password: PASSWORD, tenant_id: 'acme' };
  const session = result(await transport('authLogin', undefined, { document }));
  return admin.with(session.access_token);
}
