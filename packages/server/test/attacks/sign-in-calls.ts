/** Calls of the operations by which people sign in. */
import { result } from '@agentkeep/contract-cases/answer';
import type { Fixture } from '@agentkeep/contract-cases/fixture';
import type { Party } from '@agentkeep/contract-cases/user-fixture';
import {
  callbackOf,
  logoutToken,
  PEOPLE_CLIENT,
  PEOPLE_ISSUER,
} from '@agentkeep/testkit/test-sign-in';

/** Calls the operations by which people sign in, with as many sessions as they can have. */
export async function callOnSignIns(t: Fixture, chief: Party): Promise<void> {
  const rules = [{ claims: [{ path: ['sub'], value: 'u1' }], creates_accounts: true }];
  const issuer = { name: 'staff', issuer: PEOPLE_ISSUER, client_id: PEOPLE_CLIENT, rules };
  const settings = { expected_revision: 0, issuers: [issuer] };
  result(await chief.call('putSignInSettings', { parameters: {}, document: settings }));
  result(await chief.call('getSignInSettings', { parameters: {} }));
  const begin = { tenant_id: 'acme', issuer: 'staff', redirect_uri: 'https://x.test/back' };
  const claims = { sub: 'u1', sid: 's1', preferred_username: 'sue' };
  let id = '';
  for (let count = 0; count < 40; count += 1) {
    const begun = result(await t.transport('beginSignIn', undefined, { document: begin }));
    const callback = callbackOf(begun.authorization_url, claims);
    const document = { attempt: begun.attempt, callback };
    id = result(await t.transport('completeSignIn', undefined, { document })).user_id;
  }
  for (const stated of [{ sid: 's1' }, { sub: 'u1' }]) {
    const logout_token = logoutToken(t.clock.now(), stated);
    const document = { tenant_id: 'acme', issuer: 'staff', logout_token };
    result(await t.transport('receiveIssuerLogout', undefined, { document }));
  }
  const { links } = result(await chief.call('getUserLinks', { id, parameters: {} }));
  const more = [...links, { issuer: PEOPLE_ISSUER, sub: 'u2', follows_rules: false }];
  result(await chief.call('putUserLinks', { id, parameters: {}, document: { links: more } }));
}
