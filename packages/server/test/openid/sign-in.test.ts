/** People who sign in by an identity provider that is not ours, in process and over HTTP. */
import { afterEach, expect, test } from 'vitest';
import { Browser } from './browser.js';
import { PeopleProvider } from './people-provider.js';
import { codeOf, reasonsOf, REDIRECT, served, type Served, trust } from './sign-in-kit.js';

const groups = ['memory'];

/** Signs the person of a provider in by a program, and returns the tokens. */
async function signIn({ chief }: Served, browser = new Browser()) {
  const request = { issuer: 'staff', redirectUri: REDIRECT, tenantId: 'acme' };
  const { attempt, authorization_url: url } = await chief.signIn.begin(request);
  const back = await browser.reach(url, REDIRECT);
  return chief.signIn.complete(attempt, back.search.slice(1));
}

let provider: PeopleProvider | undefined;
afterEach(async () => {
  await provider?.[Symbol.asyncDispose]();
  provider = undefined;
});

async function running(
  members: { isPublic?: boolean; logoutUri?: string; fetch?: typeof fetch } = {},
) {
  provider = await PeopleProvider.start({ redirectUri: REDIRECT, ...members });
  provider.people.set('u1', { preferred_username: 'ann', groups });
  provider.person = 'u1';
  return provider;
}

test.each([false, true])(
  'OID-22, OID-24, OID-25 the whole sign-in (public client: %s)',
  async (isPublic) => {
    const { issuer } = await running({ isPublic });
    await using here = await served();
    await trust(here, issuer, isPublic ? { client_secret: null } : {});
    const request = { issuer: 'staff', redirectUri: REDIRECT, tenantId: 'acme' };
    const { attempt, authorization_url, expires_in } = await here.chief.signIn.begin(request);
    const asked = new URL(authorization_url).searchParams;
    expect([asked.get('code_challenge_method'), asked.get('response_type')]).toEqual([
      'S256',
      'code',
    ]);
    expect([expires_in, asked.get('scope')]).toEqual([600, 'openid profile email']);
    const back = await new Browser().reach(authorization_url, REDIRECT);
    expect(back.searchParams.get('iss')).toBe(issuer);
    const tokens = await here.chief.signIn.complete(attempt, back.search.slice(1));
    expect(tokens).toMatchObject({ username: 'ann', token_type: 'Bearer' });
    const ann = here.at(tokens.access_token);
    expect((await ann.users.get(tokens.user_id)).roles).toEqual(['Write']);
    await ann.session.refresh({ refreshToken: tokens.refresh_token });
    // A code counts once, at the issuer and here.
    const replay = here.chief.signIn.complete(attempt, back.search.slice(1));
    expect(await codeOf(replay)).toBe('sign_in_refused');
    // In process it is the same.
    const again = await signIn(here);
    expect(again.user_id).toBe(tokens.user_id);
  },
);
