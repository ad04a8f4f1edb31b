/** Sessions of people of the company, opened in every way. */
import { logIn } from '@agentkeep/client';
import { COMPANY, PASSWORD } from '@agentkeep/example-company/fill-company';
import { callbackOf, PEOPLE_CLIENT, PEOPLE_ISSUER } from '@agentkeep/testkit/test-sign-in';
import type { ServedCompany } from './console-kit.js';

/** Logs a person in with the password, as a program does. */
export function loggedIn({ url }: ServedCompany, username: string) {
  return logIn({ url, tenantId: COMPANY, username, password: PASSWORD });
}

/**
 * Signs a person in by an issuer, to which the owner links the account first. The keep has the
 * ports of the issuer.
 */
export async function signInByIssuer(company: ServedCompany, accountId: string): Promise<void> {
  const { agent } = await loggedIn(company, 'mara');
  const { revision } = await agent.signIn.settings();
  const issuer = { name: 'staff', issuer: PEOPLE_ISSUER, client_id: PEOPLE_CLIENT };
  await agent.signIn.putSettings({ issuers: [{ ...issuer, rules: [] }] }, revision);
  await agent.users.putLinks(accountId, [{ issuer: PEOPLE_ISSUER, sub: accountId }]);
  const redirectUri = 'https://memory.example.test/login/openid/callback';
  const begun = await agent.signIn.begin({ tenantId: COMPANY, issuer: 'staff', redirectUri });
  const callback = callbackOf(begun.authorization_url, { sub: accountId });
  await agent.signIn.complete(begun.attempt, callback);
}
