/** Whatever is refused leaves an event that says what, from where and why. */
import { inMemoryStore, openKeep } from '@agentkeep/core';
import { bootstrapTenant, createAdmin } from '@agentkeep/core/operator';
import { quickPasswords } from '@agentkeep/core/testing';
import { FormBrowser } from '@agentkeep/testkit/form-browser';
import { mcpMount } from '@agentkeep/mcp';
import { describe, expect, test } from 'vitest';
import { ConsoleLinks } from '../../src/console/console-links.js';
import { createServer } from '../../src/index.js';

const url = 'https://keep.example';
const root = { username: 'root', password: 'Correct-Horse-7' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const FROM = { 'x-forwarded-for': '203.0.113.9' };

async function served() {
  const keep = await openKeep({ store: inMemoryStore(), passwords: quickPasswords });
  await createAdmin(keep, root);
  const { secret, credential } = await bootstrapTenant(keep, {
    tenantId: 'acme',
    subjectId: 'ops',
  });
  const links = new ConsoleLinks();
  const app = createServer(keep, {
    frontDoor: { publicUrl: url, clientRegistration: true },
    console: { links },
    mcp: mcpMount({ url: `${url}/mcp` }),
  });
  const send = async (path: string, init: RequestInit = {}) =>
    app.request(url + path, { ...init, headers: { ...FROM, ...(init.headers as object) } });
  const post = (path: string, body: string, headers: object = {}) =>
    send(path, { method: 'POST', body, headers: { ...FORM, ...headers } });
  /** The events of refusals, the oldest first: what was refused, where, and why. */
  const refusals = async () => {
    const { administrator } = await keep.logIn(root);
    const events = [];
    for await (const event of administrator.audit.query({ ipAddress: '203.0.113.9' })) {
      const { event_type: type, resource, result, metadata } = event;
      if (result === 'success') continue;
      events.push([type, resource, result, metadata['reason'] ?? metadata['required']]);
    }
    return events.toReversed();
  };
  const close = () => keep.close();
  return {
    keep,
    app,
    links,
    secret,
    credential,
    send,
    post,
    refusals,
    [Symbol.asyncDispose]: close,
  };
}

describe('AUD-48 a 403', () => {
  test.each(['/login', '/account', '/logout'])('of a forged form at %s', async (path) => {
    await using t = await served();
    expect((await t.post(path, 'username=root&password=x')).status).toBe(403);
    expect(await t.refusals()).toEqual([['permission_denied', path, 'forbidden', 'origin']]);
  });

  test('of a forged form names the account whose session the browser has', async () => {
    await using t = await served();
    const browser = new FormBrowser(t.app, url);
    await browser.send(await browser.page('/login'), '/login', root);
    const cookie = `__Host-agentkeep_session=${browser.cookies.get('__Host-agentkeep_session')?.value ?? ''}`;
    expect((await t.post('/account', 'connection=x', { cookie })).status).toBe(403);
    const { administrator } = await t.keep.logIn(root);
    const { events } = await administrator.audit.queryPage({ eventType: 'permission_denied' });
    expect(events).toMatchObject([
      { username: 'root', action: 'require_permission:origin', ip_address: '203.0.113.9' },
    ]);
  });

  test('of a consent for another browser', async () => {
    await using t = await served();
    const client = await t.send('/oauth/register', {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ client_name: 'Notes', redirect_uris: ['https://notes.example/cb'] }),
    });
    const { client_id } = (await client.json()) as { client_id: string };
    const browser = new FormBrowser(t.app, url);
    await browser.send(await browser.page('/login'), '/login', root);
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id, redirect_uri: 'https://notes.example/cb' },
      ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256', resource: url },
    });
    const page = await browser.page(`/oauth/authorize?${query.toString()}`);
    expect(page.target).toMatch(/^\/oauth\/consent\//);
    const answer = await browser.post(page.target, 'answer=allow', FROM);
    expect(answer).toMatchObject({ status: 403 });
    expect(await t.refusals()).toEqual([['permission_denied', page.target, 'forbidden', 'origin']]);
  });

  test('of the door of the console, and of MCP for another host', async () => {
    await using t = await served();
    const door = await t.send('/console/session', { method: 'POST', body: '{}' });
    expect(door.status).toBe(403);
    const mcp = await t.send('/mcp', {
      ...{ method: 'POST', body: '{}' },
      headers: { authorization: `Bearer ${t.secret}`, origin: 'https://evil.example' },
    });
    expect(mcp.status).toBe(403);
    const { administrator } = await t.keep.logIn(root);
    const { events } = await administrator.audit.queryPage({ eventType: 'permission_denied' });
    expect(events.map(({ resource, tenant_id: of }) => [resource, of])).toEqual([
      ['/mcp', 'acme'],
      ['/console/session', null],
    ]);
  });

  test('of an operation is one event, not two', async () => {
    await using t = await served();
    const headers = { authorization: `Bearer ${t.secret}` };
    expect((await t.send('/api/v1/rate-limits', { headers })).status).toBe(403);
    const { administrator } = await t.keep.logIn(root);
    const { events } = await administrator.audit.queryPage({ eventType: 'permission_denied' });
    expect(events).toHaveLength(1);
    expect(events[0]?.metadata).not.toHaveProperty('count');
  });
});

describe('the token endpoint', () => {
  const basic = (id: string, secret: string) =>
    `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const exchange = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:agentkeep:oauth:token-type:subject',
    subject_token: 'ann',
  }).toString();

  test('AUD-34 a wrong secret by Basic is an event', async () => {
    await using t = await served();
    const wrong = `${t.secret.slice(0, -4)}AAAA`;
    for (const authorization of [basic(t.credential.id, wrong), basic('x', 'y'), 'Basic %']) {
      expect((await t.post('/oauth/token', exchange, { authorization })).status).toBe(401);
    }
    const { administrator } = await t.keep.logIn(root);
    const { events } = await administrator.audit.queryPage({ eventType: 'token_refresh_failed' });
    const counted = events.map(({ metadata }) => metadata['count'] ?? 1);
    expect(counted.reduce((sum: number, count) => sum + Number(count), 0)).toBe(3);
    expect(events[0]).toMatchObject({
      ...{ ip_address: '203.0.113.9', result: 'unauthorized' },
      metadata: { endpoint: '/oauth/token' },
    });
  });

  test('OAU-32, FED-23, AUD-78 each other refusal is an event with its reason', async () => {
    await using t = await served();
    for (const form of ['grant_type=password', 'grant_type=', 'x=1&x=2', exchange]) {
      expect((await t.post('/oauth/token', form)).status).toBeGreaterThanOrEqual(400);
    }
    expect((await t.post('/oauth/token', '{}', { 'content-type': 'text/plain' })).status).toBe(400);
    const noted = await t.refusals();
    expect(noted.map(([, , , reason]) => reason).toSorted()).toEqual([
      // The first of a reason, and one that counts the two others.
      ...['invalid_client', 'invalid_request', 'invalid_request', 'unsupported_grant_type'],
    ]);
  });

  test('a form that is none takes a token of the rate limit', async () => {
    await using t = await served();
    const { administrator } = await t.keep.logIn(root);
    const endpointType = { Custom: '/oauth/token' };
    const bucket = { name: 'Tokens', endpointType, maxRequests: 2, windowSecs: 3_600 };
    await administrator.rateLimits.create(bucket);
    const ask = async () => (await t.post('/oauth/token', 'grant_type=password')).status;
    expect([await ask(), await ask(), await ask()]).toEqual([400, 400, 429]);
  });
});

test('AUD-78, AUD-111 refusals with different reasons from one address stay apart', async () => {
  await using t = await served();
  const link = t.links.issue(root);
  const own = { origin: url, 'x-agentkeep-console': '1', 'content-type': 'application/json' };
  const follow = (text: string) => t.post('/console/session', JSON.stringify({ link: text }), own);
  expect((await follow(link)).status).toBe(200);
  for (const text of [link, 'wrong', link, 'other']) expect((await follow(text)).status).toBe(401);
  expect(await t.refusals()).toEqual([
    ['permission_denied', '/console/session', 'unauthorized', 'console_link_used'],
    ['permission_denied', '/console/session', 'unauthorized', 'console_link_unknown'],
    ['permission_denied', '/console/session', 'unauthorized', 'console_link_used'],
    ['permission_denied', '/console/session', 'unauthorized', 'console_link_unknown'],
  ]);
});
