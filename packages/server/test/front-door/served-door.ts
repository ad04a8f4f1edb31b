/** A server with a front door, its people, and a program that connects. */
import { connect } from '@agentkeep/client';
import { inMemoryStore, type KeepOptions, openKeep, type ScopeInput } from '@agentkeep/core';
import type { Store } from '@agentkeep/core/store';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { quickPasswords } from '@agentkeep/core/testing';
import * as oauth from 'oauth4webapi';
import { createServer, type ServerOptions } from '../../src/index.js';
import { FormBrowser, left, shown } from '@agentkeep/testkit/form-browser';

/** The address of the server. */
export const url = 'https://keep.example';

/** Where the program waits for answers. */
export const redirectUri = 'https://notes.example/callback';

/** The private scope of ann, and one that she shares. */
export const own: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
const team: ScopeInput = { project_id: 'p', agent_id: 'team', visibility: 'shared' };

/** What ann logs in with. */
export const ann = { username: 'ann', password: 'Correct-Horse-7' };

/** Ports of the keep. */
type Ports = Partial<Omit<KeepOptions, 'dataDir'>> & { readonly store?: Store };

/** A server with a front door. */
export type Served = Awaited<ReturnType<typeof servedDoor>>;

/** Opens a server with a tenant, an administrator, and the account of ann. */
export async function servedDoor(ports: Ports = {}, server: ServerOptions = {}) {
  const keep = await openKeep({ store: inMemoryStore(), passwords: quickPasswords, ...ports });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const door = { publicUrl: url, clientRegistration: true };
  const app = createServer(keep, { frontDoor: door, ...server });
  const fetch = (input: string, init?: object) =>
    Promise.resolve(app.request(input, init as RequestInit));
  const admin = connect({ url, secret, fetch });
  const { credential } = await admin.credentials.issue({
    subject_id: 'ann',
    capabilities: ['memory_read', 'memory_write', 'procedure_propose'],
    grants: [team, own].map((each) => ({ mission_id: null, ...each })),
  });
  const account = await admin.loginAccounts.create({ ...ann, credentialId: credential.id });
  const browser = new FormBrowser(app, url);
  const close = () => keep.close();
  const made = { adminSecret: secret, credential };
  return { keep, app, fetch, admin, ...made, account, browser, [Symbol.asyncDispose]: close };
}

/** Registers a program. */
export async function registered({ fetch }: Pick<Served, 'fetch'>): Promise<oauth.Client> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Notes', redirect_uris: [redirectUri] }),
  });
  const client = (await response.json()) as oauth.Client;
  if (response.status !== 201) throw new Error(JSON.stringify(client));
  return client;
}

/** Reads the metadata of the authorization server, as a program does. */
export async function discovered({ fetch }: Pick<Served, 'fetch'>) {
  const issuer = new URL(url);
  const response = await oauth.discoveryRequest(issuer, {
    algorithm: 'oauth2',
    [oauth.customFetch]: fetch,
  });
  return oauth.processDiscoveryResponse(issuer, response);
}

/** What a program has to remember between its request and the answer. */
export interface Began {
  readonly address: string;
  readonly verifier: string;
  readonly state: string;
}

/** Returns the address at which a program asks, and what it remembers. */
export async function began(
  clientId: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Began> {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    scope: 'read write',
    resource: `${url}/mcp`,
    state,
    ...more,
  });
  return { address: `/oauth/authorize?${query.toString()}`, verifier, state };
}

/** Logs ann in, and allows what a program asks for. Returns the answer for the program. */
export async function allowed(browser: FormBrowser, { address }: Began): Promise<URL> {
  const first = await browser.open(address);
  const consent =
    'left' in first || first.target.startsWith('/oauth/consent')
      ? shown(first)
      : shown(await browser.send(first, '/login', { ...ann, tenant: 'acme' }));
  const choice = { access: 'read', scope: '0', days: '7', answer: 'allow' };
  return left(await browser.send(consent, consent.target, choice));
}

/** Redeems the code of an answer. */
export async function redeemed(
  here: Pick<Served, 'fetch'>,
  client: oauth.Client,
  { verifier, state }: Began,
  answer: URL,
) {
  const as = await discovered(here);
  const params = oauth.validateAuthResponse(as, client, answer, state);
  const response = await oauth.authorizationCodeGrantRequest(
    ...([as, client, oauth.None(), params, redirectUri, verifier] as const),
    { [oauth.customFetch]: here.fetch },
  );
  return oauth.processAuthorizationCodeResponse(as, client, response);
}

/** Connects a program for ann. */
export async function connected(here: Served) {
  const client = await registered(here);
  const began_ = await began(client.client_id);
  const answer = await allowed(here.browser, began_);
  const tokens = await redeemed(here, client, began_, answer);
  return { client, tokens, code: answer.searchParams.get('code') ?? '', began: began_ };
}
