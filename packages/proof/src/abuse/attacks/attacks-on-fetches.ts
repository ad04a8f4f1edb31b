/** Attacks by fetches of the server: hosts that never answer, and an issuer that is down. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createIssuer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { connect } from '@agentkeep/server/client';
import { testIssuer } from '@agentkeep/testkit/test-issuer';
import { type AbusedSite, BAD, GOOD, PASSWORD } from '../abused-site.js';
import type { Attack, AttackResult, Stage } from '../attack.js';
import { GOOD_ADDRESS } from '../good-tenant.js';
import { inParallel } from '../in-parallel.js';
import { LocalClient } from '../local-client.js';

const PARALLEL = 16;
const HOSTS = 10;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };
const REDIRECT = 'https://notes.example.test/callback';
const HOUR_SECS = 3_600;
/** One of this many assertions is a good one. */
const GOOD_EVERY = 10;
/**
 * Most sockets that one person is seen to hold: twice those of docs/contract/oauth.md#oau-34, as
 * the end of one may be seen after the next has begun.
 */
const SOCKETS_MAX = 8;
/** Most milliseconds that another person waits for a fetch that fails at once, at full scale. */
const TURN_MS_MAX = 2_500;

/** Hosts that take connections and say nothing. They end with the process. */
class SilentHosts {
  readonly #sockets = new Set<Socket>();
  #port = 0;
  reached = 0;
  /** Most sockets that were open at once. */
  most = 0;

  async listen(): Promise<this> {
    const server = createServer((socket) => {
      socket.unref();
      this.reached += 1;
      this.#sockets.add(socket);
      this.most = Math.max(this.most, this.#sockets.size);
      // Unread bytes would hide the end of a connection.
      socket.resume().on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
    }).unref();
    server.listen(0);
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    return this;
  }

  /** The address of a new document at one of ten hosts. */
  document(at: number): string {
    return `https://127.0.1.${(at % HOSTS) + 1}:${this.#port}/${randomUUID()}`;
  }
}

/** Client ids at silent hosts, from callers without a login. */
const withoutLogin: Attack = {
  name: 'client ids at silent hosts',
  run: async ({ site, amounts, from, enough }) => {
    using client = new LocalClient(site.url, from);
    const hosts = await new SilentHosts().listen();
    const wrong = new Set<string>();
    await inParallel(amounts.flood, PARALLEL, async (at) => {
      const { path, status, init } = sentWithoutLogin(at, hosts.document(at));
      const answer = await client.fetch(site.url + path, init);
      await answer.text();
      if (answer.status !== status) wrong.add(`Answered wrongly: ${path}: ${answer.status}.`);
    });
    await enough;
    if (hosts.reached > 0) wrong.add('A caller without a login has documents fetched.');
    return { attempts: amounts.flood, violations: [...wrong] };
  },
};

function sentWithoutLogin(at: number, client_id: string) {
  const token = { client_id, redirect_uri: REDIRECT, code_verifier: 'v'.repeat(43) };
  const posted = (path: string, status: number, members: Readonly<Record<string, string>>) => ({
    ...{ path, status },
    init: { method: 'POST', headers: FORM, body: new URLSearchParams(members).toString() },
  });
  const sent = [
    posted('/oauth/token', 400, { grant_type: 'authorization_code', code: 'c', ...token }),
    posted('/oauth/token', 400, { grant_type: 'refresh_token', refresh_token: 'r', ...token }),
    posted('/oauth/revoke', 200, { client_id, token: 'r' }),
  ];
  const asked = { path: `/oauth/authorize?${askedBy(client_id)}`, status: 303, init: {} };
  return sent[at % (sent.length + 1)] ?? asked;
}

/** A person who names programs at silent hosts, while another one names a program. */
const byPerson: Attack = {
  name: 'programs at silent hosts',
  run: async (stage) => {
    const { site, from, enough } = stage;
    const hosts = await new SilentHosts().listen();
    let [attempts, isOver] = [0, false];
    const asking = inParallel(PARALLEL, PARALLEL, async () => {
      using client = new LocalClient(site.url, from);
      const cookie = await cookieOf(site, client, BAD);
      while (!isOver) await ask(client, site, cookie, hosts.document(attempts++));
    });
    const violations = await askBeside(stage, hosts);
    await enough;
    isOver = true;
    await asking;
    if (hosts.most > SOCKETS_MAX) violations.push(`One person has ${hosts.most} sockets.`);
    return { attempts, violations };
  },
};

async function askBeside({ site, amounts }: Stage, hosts: SilentHosts): Promise<string[]> {
  using client = new LocalClient(site.url, GOOD_ADDRESS);
  const cookie = await cookieOf(site, client, GOOD);
  while (hosts.most === 0) await ask(client, site, cookie, `https://127.0.2.1:1/${randomUUID()}`);
  let slowest = 0;
  for (let round = 0; round < amounts.rounds; round += 1) {
    const began = performance.now();
    await ask(client, site, cookie, `https://127.0.2.1:1/${randomUUID()}`);
    slowest = Math.max(slowest, performance.now() - began);
  }
  if (slowest <= TURN_MS_MAX * amounts.patience) return [];
  return [`A person waited ${Math.round(slowest)} ms for the turn of a fetch.`];
}

async function ask(client: LocalClient, { url }: AbusedSite, cookie: string, clientId: string) {
  const address = `${url}/oauth/authorize?${askedBy(clientId)}`;
  const answer = await client.fetch(address, { headers: { cookie } });
  await answer.text();
}

async function cookieOf({ url }: AbusedSite, { fetch }: LocalClient, tenant_id: string) {
  const body = JSON.stringify({ username: 'plain', password: PASSWORD, tenant_id });
  const init = { method: 'POST', headers: JSON_TYPE, body };
  const answer = await fetch(`${url}/api/v1/auth/login`, init);
  const { access_token } = (await answer.json()) as { readonly access_token: string };
  return `agentkeep_session=${access_token}`;
}

function askedBy(client_id: string): string {
  const asked = { response_type: 'code', client_id, redirect_uri: REDIRECT };
  const pkce = { code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' };
  return new URLSearchParams({ ...asked, ...pkce }).toString();
}

/** Assertions with made-up key ids, while the issuer is down; its good assertions go on. */
const unknownKeys: Attack = {
  name: 'unknown keys of an issuer that is down',
  run: async ({ site, amounts, from, enough }): Promise<AttackResult> => {
    using client = new LocalClient(site.url, from);
    const good = testIssuer();
    let isDown = false;
    const server = createIssuer((_request, response) => {
      if (isDown) response.writeHead(500).end();
      else response.end(JSON.stringify({ keys: [good.key] }));
    }).unref();
    server.listen(0, from);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const id = await trusted(site, client, `http://${from}:${port}/keys`);
    const statusOf = async (signer: typeof good): Promise<number> => {
      const exp = Math.floor(Date.now() / 1_000) + HOUR_SECS;
      const assertion = signer.sign({ aud: 'agentkeep', sub: 'job', exp });
      const document = { contract_version: 1, credential_id: id, assertion };
      const init = { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(document) };
      const answer = await client.fetch(`${site.url}/api/v1/identity/federated-token`, init);
      await answer.text();
      return answer.status;
    };
    const violations = new Set<string>();
    if ((await statusOf(good)) !== 200) violations.add('The issuer is not trusted.');
    isDown = true;
    await inParallel(amounts.flood, PARALLEL, async (at) => {
      const isGood = at % GOOD_EVERY === 0;
      const status = await statusOf(isGood ? good : testIssuer(randomUUID()));
      if (isGood !== (status === 200)) violations.add(`An assertion was answered by ${status}.`);
    });
    await enough;
    return { attempts: amounts.flood, violations: [...violations] };
  },
};

async function trusted(site: AbusedSite, { fetch }: LocalClient, jwksUri: string): Promise<string> {
  const { issuers, credentials } = connect({ url: site.url, secret: site.bad.admin, fetch });
  const issuer = `down ${randomUUID()}`;
  const keys = { mode: 'address', jwks_uri: jwksUri } as const;
  await issuers.put(issuer, { audience: 'agentkeep', keys }, 0);
  const rule = { issuer, sub: { mode: 'prefix', prefix: 'job' } } as const;
  const spec = { subject_id: issuer, capabilities: ['memory_read' as const], grants: [] };
  return (await credentials.issueFederated(spec, rule)).id;
}

/** All of them. */
export const attacksOnFetches: readonly Attack[] = [withoutLogin, byPerson, unknownKeys];
