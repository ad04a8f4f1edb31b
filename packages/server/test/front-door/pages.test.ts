/** The pages of the front door: their headers, what they show, and when they are there. */
import { describe, expect, test } from 'vitest';
import { createServer } from '../../src/index.js';
import { shown } from '@agentkeep/testkit/form-browser';
import { ann, began, connected, own, registered, servedDoor, url } from './served-door.js';

const paths = [
  ...['/login', '/account', '/oauth/authorize', '/oauth/consent/x'],
  ...['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource'],
];

describe('the front door', () => {
  test('OAU-C13, OAU-15, OAU-19, OPR-108, OPR-109 is there with `public_url` only', async () => {
    await using here = await servedDoor({}, { frontDoor: { publicUrl: url } });
    const closed = createServer(here.keep);
    for (const path of paths) expect((await closed.request(path)).status).toBe(404);
    const register = await here.app.request(`${url}/oauth/register`, { method: 'POST' });
    expect(register.status).toBe(404);
    const challenge = (await closed.request('/api/v1/identity')).headers.get('www-authenticate');
    expect(challenge).toBe('Bearer');
    for (const publicUrl of ['http://keep.example', 'https://keep.example/', 'keep.example']) {
      expect(() => createServer(here.keep, { frontDoor: { publicUrl } })).toThrow(TypeError);
    }
  });

  test('OAU-20, OAU-21 states where programs ask', async () => {
    await using here = await servedDoor();
    const read = async (path: string) => {
      const response = await here.app.request(url + path);
      return (await response.json()) as Readonly<Record<string, unknown>>;
    };
    expect(await read('/.well-known/oauth-authorization-server')).toMatchObject({
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      token_endpoint: `${url}/oauth/token`,
      registration_endpoint: `${url}/oauth/register`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
    expect(await read('/.well-known/oauth-protected-resource')).toMatchObject({
      resource: url,
      authorization_servers: [url],
    });
    const refused = await here.app.request(`${url}/api/v1/identity`, {
      headers: { authorization: 'Bearer x' },
    });
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${url}/.well-known/oauth-protected-resource"`,
    );
  });

  test('OAU-22, OAU-23 sends pages under a strict policy, and cookies that scripts cannot read', async () => {
    await using here = await servedDoor();
    const page = await here.browser.page('/login');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.text).not.toContain('<script');
    const set = page.headers.getSetCookie().join();
    expect(set).toMatch(
      /^__Host-agentkeep_form=[\w-]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const client = await registered(here);
    const consent = shown(
      await here.browser.send(
        await here.browser.page((await began(client.client_id)).address),
        '/login',
        {
          ...ann,
          tenant: 'acme',
        },
      ),
    );
    expect(consent.headers.get('content-security-policy')).toContain(
      "form-action 'self' https://notes.example",
    );
    expect(consent.text).toContain('Read memory');
    // The account may do nothing of these.
    expect(consent.text).not.toContain('value="learn"');
  });

  test('OAU-26 offers the scopes of the account, the private one first, with counts', async () => {
    await using here = await servedDoor();
    const { agent } = await here.keep.logIn({ ...ann, tenantId: 'acme' });
    await agent.memory.in(own).create({ content: { primary: 'likes tea' } });
    const client = await registered(here);
    const login = await here.browser.page((await began(client.client_id)).address);
    const { text } = shown(await here.browser.send(login, '/login', { ...ann, tenant: 'acme' }));
    const labels = [...text.matchAll(/name="scope"[\s\S]*?<\/label/g)].map(([label]) =>
      label.replaceAll(/<\/?bdi>/g, ''),
    );
    expect(labels).toHaveLength(2);
    expect(labels[0]).toMatch(/checked[\s\S]*p \/ a[\s\S]*private to you · 1 record\b/);
    expect(labels[1]).toMatch(/p \/ team[\s\S]*shared · 0 records/);
    expect(labels[1]).not.toContain('checked');
    // The grants of the account say which scopes there are, so no field asks for one.
    expect(text).not.toContain('Another scope');
  });

  test('OAU-26 offers what is stored where a policy decides, and another scope behind it', async () => {
    await using here = await servedDoor();
    const { credential } = await here.admin.credentials.issue({
      subject_id: 'bob',
      capabilities: ['memory_read', 'memory_write'],
      grants: [],
      scope_policy: {
        version: 'company_scopes_v1',
        projects: { mode: 'all' },
        agents: { mode: 'all' },
        missions: { mode: 'all' },
        allow_unassigned_mission: true,
        visibilities: ['private', 'shared'],
      },
    });
    const bob = { username: 'bob', password: 'Correct-Horse-8' };
    await here.admin.loginAccounts.create({ ...bob, credentialId: credential.id });
    const { agent } = await here.keep.logIn({ ...bob, tenantId: 'acme' });
    await agent.memory.in(own).create({ content: { primary: 'likes coffee' } });
    const client = await registered(here);
    const asked = await began(client.client_id);
    const login = await here.browser.page(asked.address);
    const consent = shown(await here.browser.send(login, '/login', { ...bob, tenant: 'acme' }));
    expect(consent.text).toMatch(/private to you · 1 record\b/);
    expect(consent.text).toMatch(/<details[\s\S]*Another scope[\s\S]*Project/);
    expect(consent.text).not.toMatch(/name="project"[^>]*required/);
    const [, value = ''] = /name="scope"\s+value="([^"]*)"/.exec(consent.text) ?? [];
    const scope = value.replaceAll('&quot;', '"').replaceAll('&#34;', '"');
    const choice = { access: 'read', scope, days: '7', answer: 'allow' };
    const arrival = await here.browser.send(consent, consent.target, choice);
    expect('left' in arrival && arrival.left.searchParams.has('code')).toBe(true);
  });

  test('OAU-22 escapes what programs say of themselves', async () => {
    await using here = await servedDoor();
    const client_name = '<script>alert(1)</script>"\'';
    const body = JSON.stringify({ client_name, redirect_uris: ['https://notes.example/callback'] });
    const headers = { 'content-type': 'application/json' };
    const made = await here.app.request(`${url}/oauth/register`, { method: 'POST', headers, body });
    const { client_id } = (await made.json()) as { client_id: string };
    const login = await here.browser.page((await began(client_id)).address);
    const consent = shown(await here.browser.send(login, '/login', { ...ann, tenant: 'acme' }));
    expect(consent.text).not.toContain('<script');
    expect(consent.text).toContain('&lt;script&gt;');
  });

  test('OAU-14, OAU-26 shows the connected programs, and ends them', async () => {
    await using here = await servedDoor();
    await connected(here);
    const page = await here.browser.page('/account');
    expect(page.text).toContain('<strong><bdi>Notes</bdi></strong>');
    const after = shown(await here.browser.send(page, '/account', {}));
    expect(after.text).toContain('No programs are connected.');
    const out = shown(await here.browser.send(after, '/logout', {}));
    expect(out.target).toBe('/login');
    expect((await here.browser.page('/account')).target).toContain('/login');
  });
});
