/** Many people who sign in at once through one issuer that takes its time. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { logIn } from '@agentkeep/server/client';
import { testIssuer } from '@agentkeep/testkit/test-issuer';
import { type AbusedSite, BAD, PASSWORD } from '../abused-site.js';
import type { Attack } from '../attack.js';
import { LocalClient } from '../local-client.js';

const PEOPLE = 19;
/** How long the issuer takes for each answer. */
const ANSWER_MS = 300;
const JSON_TYPE = { 'content-type': 'application/json' };
const NAME = 'slow';
const CLIENT_ID = 'agentkeep';
const REDIRECT = 'https://memory.example.test/back';

/** An issuer whose codes are the claims of its people. It ends with the process. */
class SlowIssuer {
  readonly #signer = testIssuer();
  url = '';

  async listen(from: string): Promise<this> {
    const server = createServer((request, response) => void this.#answer(request, response));
    server.unref().listen(0, from);
    await once(server, 'listening');
    this.url = `http://${from}:${(server.address() as AddressInfo).port}`;
    return this;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = new URLSearchParams(await text(request));
    await setTimeout(ANSWER_MS);
    response.setHeader('content-type', 'application/json');
    if (request.url === '/keys') response.end(JSON.stringify({ keys: [this.#signer.key] }));
    else if (request.url === '/token') response.end(JSON.stringify(this.#token(body)));
    else response.end(JSON.stringify(this.#discovery()));
  }

  #token(body: URLSearchParams) {
    const code = Buffer.from(body.get('code') ?? '', 'base64url').toString();
    const iat = Math.floor(Date.now() / 1_000);
    const claims = { iss: this.url, aud: CLIENT_ID, iat, exp: iat + 300 };
    const id_token = this.#signer.sign({ ...claims, ...(JSON.parse(code) as object) });
    return { access_token: 'a', token_type: 'Bearer', id_token };
  }

  #discovery() {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    };
  }
}

/** 19 people of a tenant, all at once, again and again. */
const atOnce: Attack = {
  name: 'sign-ins through a slow issuer',
  run: async ({ site, amounts, from, enough }) => {
    using client = new LocalClient(site.url, from);
    const issuer = await new SlowIssuer().listen(from);
    await trusted(site, client, issuer);
    const refused = new Set<string>();
    let [failures, slowest] = [0, 0];
    for (let round = 0; round < amounts.rounds; round += 1) {
      const people = Array.from({ length: PEOPLE }, async (_, at) => {
        const began = performance.now();
        const code = await signIn(site, client, `${new URL(issuer.url).port}-${at}`);
        slowest = Math.max(slowest, performance.now() - began);
        if (code === undefined) return;
        failures += 1;
        refused.add(`A sign-in through a slow issuer was refused: ${code}.`);
      });
      await Promise.all(people);
    }
    await enough;
    const figures = { 'refused sign-ins': failures, 'ms of a sign-in (max)': Math.round(slowest) };
    return { attempts: amounts.rounds * PEOPLE, violations: [...refused], figures };
  },
};

async function trusted({ url }: AbusedSite, { fetch }: LocalClient, { url: issuer }: SlowIssuer) {
  const login = { url, username: 'chief', password: PASSWORD, tenantId: BAD, fetch };
  const { signIn: settings } = (await logIn(login)).agent;
  const { revision } = await settings.settings();
  const rule = { claims: [{ path: ['group'], value: 'all' }], creates_accounts: true };
  const stated = { name: NAME, issuer, client_id: CLIENT_ID, rules: [rule] };
  await settings.putSettings({ issuers: [stated] }, revision);
}

/** Signs a person in; returns why it was refused. */
async function signIn(site: AbusedSite, client: LocalClient, sub: string) {
  const begun = { tenant_id: BAD, issuer: NAME, redirect_uri: REDIRECT };
  const { attempt, authorization_url: address } = await posted(site, client, '', begun);
  if (attempt === undefined || address === undefined) return 'it did not begin';
  const { searchParams: asked } = new URL(address);
  const person = { sub, preferred_username: `slow-${sub}`, group: 'all' };
  const claims = JSON.stringify({ ...person, nonce: asked.get('nonce'), jti: randomUUID() });
  const callback = new URLSearchParams({
    code: Buffer.from(claims).toString('base64url'),
    state: asked.get('state') ?? '',
  });
  const document = { attempt, callback: callback.toString() };
  const { access_token, error } = await posted(site, client, '/complete', document);
  return access_token === undefined ? JSON.stringify(error) : undefined;
}

async function posted({ url }: AbusedSite, { fetch }: LocalClient, at: string, document: object) {
  const init = { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(document) };
  const answer = await fetch(`${url}/api/v1/sign-in${at}`, init);
  return (await answer.json()) as Readonly<Partial<Record<string, string>>>;
}

/** All of them. */
export const attacksOnSignIns: readonly Attack[] = [atOnce];
