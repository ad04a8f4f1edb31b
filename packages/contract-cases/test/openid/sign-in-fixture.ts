/** Short forms of the calls by which people sign in. */
import {
  callbackOf,
  PEOPLE_CLIENT,
  PEOPLE_ISSUER,
  peoplePorts,
} from '@agentkeep/testkit/test-sign-in';
import { type Answer, outcome, result } from '../harness/answer.js';
import type { Members } from '../harness/caller.js';
import { Party, type UserFixture, withUsers } from '../users/user-fixture.js';

/** Where the issuer sends browsers. */
export const REDIRECT = 'https://memory.example.test/login/openid/callback';

/** What a sign-in that is not let in answers. */
export const REFUSED = '401 sign_in_refused';

/** Declares a test whose people can sign in by an issuer, on both transports. */
export function withIssuer(title: string, run: (users: UserFixture) => Promise<void>): void {
  withUsers(title, run, peoplePorts);
}

/** A rule for everybody of a group. */
export function ruleFor(group: string, members: Members = {}): Members {
  return { claims: [{ path: ['groups'], value: group }], ...members };
}

/** States settings with one issuer, by default at the present revision. */
export async function state(
  by: Party,
  rules: readonly Members[] = [],
  { issuer = {}, ...members }: Members & { readonly issuer?: Members } = {},
): Promise<Answer<'putSignInSettings'>> {
  const { revision } = result(await by.call('getSignInSettings', { parameters: {} }));
  const usual = { name: 'staff', issuer: PEOPLE_ISSUER, client_id: PEOPLE_CLIENT, rules };
  const document = { expected_revision: revision, issuers: [{ ...usual, ...issuer }], ...members };
  return by.call('putSignInSettings', { parameters: {}, document });
}

/** Begins a sign-in in the tenant. */
export async function begin(
  { fixture }: UserFixture,
  members: Members = {},
): Promise<{ attempt: string; authorization_url: string }> {
  const document = { tenant_id: 'acme', issuer: 'staff', redirect_uri: REDIRECT, ...members };
  return result(await fixture.transport('beginSignIn', undefined, { document }));
}

/** Completes a sign-in. */
export function complete(
  { fixture }: UserFixture,
  attempt: string,
  callback: string,
): Promise<Answer<'completeSignIn'>> {
  return fixture.transport('completeSignIn', undefined, { document: { attempt, callback } });
}

/** Signs a person in from the beginning, and returns the answer. */
export async function signIn(
  users: UserFixture,
  claims: Members,
): Promise<Answer<'completeSignIn'>> {
  const { attempt, authorization_url: url } = await begin(users);
  return complete(users, attempt, callbackOf(url, claims));
}

/** Returns the outcome of a sign-in in short. */
export async function signInOutcome(users: UserFixture, claims: Members): Promise<string> {
  return outcome(await signIn(users, claims));
}

/** Signs a person in, who must be let in. */
export async function signedIn(users: UserFixture, claims: Members): Promise<Party> {
  const session = result(await signIn(users, claims));
  return new Party(users.fixture.transport, session.access_token, session.user_id);
}

/**
 * Returns the reasons of refused sign-ins that somebody may see, oldest first: those of an
 * authority, null for the installation.
 */
export async function reasons(by: Party, authority: string | null = 'acme'): Promise<unknown[]> {
  const events = await by.events({ event_type: 'login_failed' });
  return events
    .filter(({ action, tenant_id }) => action === 'sign_in' && tenant_id === authority)
    .map(({ metadata }) => metadata['reason']);
}
