/** `openid-client` as a program that connects, renews and ends (docs/contract/oauth.md). */
import * as client from 'openid-client';
import { expect, test } from 'vitest';
import { allowed, redirectUri, registered, type Served, servedDoor, url } from './served-door.js';

/** Returns what `openid-client` reads of the server before anything else. */
async function configured(here: Served): Promise<client.Configuration> {
  const { client_id } = await registered(here);
  const fetch: client.CustomFetch = (input, init) => here.fetch(input, init);
  return client.discovery(new URL(url), client_id, undefined, client.None(), {
    algorithm: 'oauth2',
    [client.customFetch]: fetch,
  });
}

/** Connects, as ann allows it. */
async function connected(here: Served, program: client.Configuration) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const { pathname, search } = client.buildAuthorizationUrl(program, {
    redirect_uri: redirectUri,
    scope: 'read',
    resource: `${url}/mcp`,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  });
  const answer = await allowed(here.browser, { address: pathname + search, verifier, state });
  const checks = { pkceCodeVerifier: verifier, expectedState: state };
  const tokens = await client.authorizationCodeGrant(program, answer, checks);
  return { token: tokens.access_token, refresh: tokens.refresh_token ?? '' };
}

/** Calls with a token. */
function identity(program: client.Configuration, token: string): Promise<Response> {
  return client.fetchProtectedResource(program, token, new URL(`${url}/api/v1/identity`), 'GET');
}

test('OAU-15, OAU-17, OAU-20 openid-client connects and renews, once for each token', async () => {
  await using here = await servedDoor();
  const program = await configured(here);
  const { token, refresh } = await connected(here, program);
  expect((await identity(program, token)).status).toBe(200);
  const renewed = await client.refreshTokenGrant(program, refresh);
  expect((await identity(program, renewed.access_token)).status).toBe(200);
  const again = client.refreshTokenGrant(program, refresh);
  await expect(again).rejects.toMatchObject({ error: 'invalid_grant' });
});

test('OAU-18 openid-client ends its connection', async () => {
  await using here = await servedDoor();
  const program = await configured(here);
  const { token, refresh } = await connected(here, program);
  await client.tokenRevocation(program, refresh);
  const refused = identity(program, token);
  await expect(refused).rejects.toThrow(client.WWWAuthenticateChallengeError);
});
