/** Headers that every answer has, also outside of the API. */
import { describe, expect, test } from 'vitest';
import { shown } from '@agentkeep/testkit/form-browser';
import { ann, began, registered, servedDoor, url } from './served-door.js';

const clientId = 'https://notes.example/client.json';

describe('of pages and OAuth endpoints', () => {
  test('CON-15 a 401 has a challenge', async () => {
    await using here = await servedDoor();
    const login = await here.browser.page('/login');
    const wrong = { ...ann, password: 'wrong', tenant: 'acme' };
    const page = shown(await here.browser.send(login, '/login', wrong));
    const callback = await here.app.request(`${url}/login/openid/callback`);
    const form = 'grant_type=refresh_token&client_id=unknown&refresh_token=x';
    const token = await here.app.request(`${url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form,
    });
    for (const { status, headers } of [page, callback, token]) {
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
  });

  test('CON-14 a 503 says when to come again', async () => {
    const failed = { kind: 'failed', reason: 'status', status: 503 } as const;
    const documentFetcher = { fetch: () => Promise.resolve(failed) };
    await using here = await servedDoor({}, { frontDoor: { publicUrl: url, documentFetcher } });
    const login = await here.browser.page('/login');
    await here.browser.send(login, '/login', { ...ann, tenant: 'acme' });
    const page = shown(await here.browser.open((await began(clientId)).address));
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '1']);
  });

  test('CON-11, OAU-20, OAU-21 only the metadata is cached', async () => {
    await using here = await servedDoor();
    const cached = 'public, max-age=300';
    for (const [path, caching] of [
      ['/.well-known/oauth-authorization-server', cached],
      ['/.well-known/oauth-protected-resource', cached],
      ['/.well-known/jwks.json', 'no-store'],
      ['/login', 'no-store'],
      ['/login/style.css', 'no-store'],
      ['/oauth/authorize', 'no-store'],
      ['/oauth/unknown', 'no-store'],
    ] as const) {
      const { headers } = await here.app.request(url + path);
      expect([path, headers.get('cache-control')]).toEqual([path, caching]);
    }
  });
});

test('OAU-29 names are optional, and addresses with a fragment are refused', async () => {
  await using here = await servedDoor();
  const registration = async (metadata: object) => {
    const response = await here.app.request(`${url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    });
    return [response.status, ((await response.json()) as { error?: string }).error];
  };
  const address = 'https://notes.example/callback';
  expect((await registered(here)).client_id).toMatch(/^akp1\./);
  expect(await registration({ redirect_uris: [address] })).toEqual([201, undefined]);
  expect(await registration({ redirect_uris: [`${address}#x`] })).toEqual([
    400,
    'invalid_redirect_uri',
  ]);
  const mixed = ['https://localhost/callback', 'com.example.notes:/callback'];
  expect(await registration({ redirect_uris: mixed })).toEqual([400, 'invalid_redirect_uri']);
  expect(await registration({ redirect_uris: [address], client_uri: 'notes' })).toEqual([
    400,
    'invalid_client_metadata',
  ]);
});
