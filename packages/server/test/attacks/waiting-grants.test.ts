/** What accounts leave at the front door is bounded, and displaces nothing of others. */
import { connect } from '@agentkeep/client';
import { formatGrantSecret } from '@agentkeep/core/operator';
import { ManualClock } from '@agentkeep/core/testing';
import { FormBrowser } from '@agentkeep/testkit/form-browser';
import { expect, test } from 'vitest';
import {
  allowed,
  ann,
  began,
  own,
  redeemed,
  registered,
  type Served,
  servedDoor,
  url,
} from '../front-door/served-door.js';

const LEFT = 40;
const KEPT = 16;

const bob = { username: 'bob', password: 'Correct-Horse-7' };

/** Logs an account in. */
async function loggedIn({ app }: Served, account: typeof ann): Promise<FormBrowser> {
  const browser = new FormBrowser(app, url);
  await browser.send(await browser.page('/login'), '/login', { ...account, tenant: 'acme' });
  return browser;
}

/** Returns the id of the request that a program begins in a browser. */
async function requestOf(browser: FormBrowser, clientId: string): Promise<string> {
  const { target } = await browser.page((await began(clientId)).address);
  return target.split('/').at(-1) ?? '';
}

test('OAU-C17, OAU-25 only the newest requests of an account wait', async () => {
  await using here = await servedDoor();
  const { client_id } = await registered(here);
  await here.admin.loginAccounts.create({ ...bob, credentialId: here.credential.id });
  const other = await requestOf(await loggedIn(here, bob), client_id);
  const flooding = await loggedIn(here, ann);
  const begun: string[] = [];
  for (let count = 0; count < LEFT; count += 1) begun.push(await requestOf(flooding, client_id));
  const states = await Promise.all(begun.map((id) => here.keep.grants.requestState(id)));
  expect(states.filter((state) => state === 'waiting')).toHaveLength(KEPT);
  expect(states.slice(-KEPT)).toEqual(Array.from({ length: KEPT }, () => 'waiting'));
  expect(await here.keep.grants.requestState(other)).toBe('waiting');
  expect((await flooding.page(`/oauth/consent/${begun[0] ?? ''}`)).status).toBe(404);
  expect((await flooding.page(`/oauth/consent/${begun.at(-1) ?? ''}`)).status).toBe(200);
});

test('OAU-C17, OAU-6 only the newest approvals of an account can be redeemed', async () => {
  const clock = new ManualClock();
  await using here = await servedDoor({ clock });
  const { tokens } = await here.keep.logIn({ ...ann, tenantId: 'acme' });
  const approve = async (): Promise<string> => {
    const answer = await here.fetch(`${url}/api/v1/connections`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens.access_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        ...{ client_id: 'notes', client_name: null, client_host: 'notes.example' },
        ...{ access: ['read'], grants: [{ mission_id: null, ...own }], expires_in_days: 1 },
      }),
    });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { readonly approval_id: string }).approval_id;
  };
  const approvals: string[] = [];
  for (let count = 0; count < LEFT; count += 1) approvals.push(await approve());
  const origin = { path: '/oauth/token', ipAddress: null, userAgent: null, endpointType: null };
  const call = { origin, requestId: undefined, traceId: undefined };
  const redeem = async (id: string): Promise<boolean> => {
    const token = formatGrantSecret('RefreshToken', id, 'first');
    const entry = { payload: {}, lifeSecs: 60 };
    return here.keep.grants.put('RefreshToken', token, entry, call).then(
      () => true,
      () => false,
    );
  };
  const redeemable: boolean[] = [];
  for (const id of approvals) redeemable.push(await redeem(id));
  expect(redeemable).toEqual(approvals.map((_, at) => at >= LEFT - KEPT));
  // What was redeemed waits no longer, so that it gives way to nothing.
  for (let count = 0; count < LEFT; count += 1) await approve();
  const agent = connect({ url, secret: tokens.access_token, fetch: here.fetch });
  expect(await agent.connections.list()).toHaveLength(KEPT);
});

test('OAU-25 programs go on to connect beside a person who answers nothing', async () => {
  await using here = await servedDoor();
  const client = await registered(here);
  const flooding = await loggedIn(here, ann);
  const asked = await began(client.client_id);
  for (let count = 0; count < LEFT; count += 1) await requestOf(flooding, client.client_id);
  const tokens = await redeemed(here, client, asked, await allowed(here.browser, asked));
  expect(tokens.access_token).toMatch(/^ey/);
});
