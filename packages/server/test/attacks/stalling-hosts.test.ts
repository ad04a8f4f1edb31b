/** Strangers and people who name programs at hosts that never answer. */
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { KeepPorts } from '@agentkeep/core';
import { eventually } from '@agentkeep/testkit/eventually';
import { FormBrowser, shown } from '@agentkeep/testkit/form-browser';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { httpDocumentFetcher } from '../../src/index.js';
import { KeyServer } from '../federation/key-server.js';
import {
  allowed,
  ann,
  began,
  redeemed,
  redirectUri,
  type Served,
  servedDoor,
  url,
} from '../front-door/served-door.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const mallory = { username: 'mallory', password: 'Correct-Horse-9' };

/** A host that accepts connections and says nothing. */
class SilentHost implements AsyncDisposable {
  readonly sockets = new Set<Socket>();
  readonly #server: Server;
  reached = 0;

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.reached += 1;
      this.sockets.add(socket);
      // Unread bytes would hide the end of a connection.
      socket.resume().on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  static async listen(): Promise<SilentHost> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new SilentHost(server);
  }

  /** The address of a document at one of many names of the host. */
  document(name: number): string {
    const { port } = this.#server.address() as AddressInfo;
    return `https://silent-${name}.example:${port}/client.json`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Fetches through real slots and sockets; every name leads to this machine, without TLS. */
function fetcherHere(): NonNullable<KeepPorts['documentFetcher']> {
  const real = httpDocumentFetcher({
    allowedAddresses: ['127.0.0.1'],
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  });
  return {
    fetch: (request) => real.fetch({ ...request, url: request.url.replace(/^https:/u, 'http:') }),
  };
}

/** A program that answers with its document. */
async function goodProgram() {
  const server = await KeyServer.start((request, response) => {
    program.asked += 1;
    const client_id = `https://${request.headers.host ?? ''}${request.url ?? ''}`;
    const document = { client_id, client_name: 'Notes', redirect_uris: [redirectUri] };
    response.setHeader('cache-control', 'max-age=60');
    response.end(JSON.stringify(document));
  });
  const { port } = new URL(server.url);
  const id = (name: string) => `https://${name}.example:${port}/client.json`;
  const program = { asked: 0, id, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  return program;
}

const warnings: string[] = [];
const warned = (warning: Error): void => {
  warnings.push(warning.name);
};

beforeEach(() => {
  warnings.length = 0;
  process.on('warning', warned);
});

afterEach(() => {
  process.off('warning', warned);
});

function sent({ fetch }: Served, path: string, form: Readonly<Record<string, string>>) {
  const body = new URLSearchParams(form).toString();
  return fetch(url + path, { method: 'POST', headers: FORM, body });
}

/** Returns the error of an answer, or its status where there is none. */
async function outcomeOf(answer: Promise<Response>): Promise<unknown> {
  const response = await answer;
  if (response.status !== 400) return response.status;
  return ((await response.json()) as { readonly error?: unknown }).error;
}

test('OAU-34 strangers have no document fetched, and nobody has one at the token endpoint', async () => {
  await using silent = await SilentHost.listen();
  const door = { publicUrl: url, documentFetcher: fetcherHere() };
  await using here = await servedDoor({}, { frontDoor: door });
  const code = { code: 'c', redirect_uri: redirectUri, code_verifier: 'v'.repeat(43) };
  const answers = Array.from({ length: 10 }, (_, at) => {
    const client_id = silent.document(at);
    return [
      sent(here, '/oauth/token', { grant_type: 'authorization_code', client_id, ...code }),
      sent(here, '/oauth/token', { grant_type: 'refresh_token', client_id, refresh_token: 'r' }),
      sent(here, '/oauth/revoke', { client_id, token: 'r' }),
      here.fetch(`${url}/oauth/authorize?client_id=${encodeURIComponent(client_id)}`),
    ];
  });
  const outcomes = await Promise.all(answers.flat().map(outcomeOf));
  expect(outcomes).toEqual(Array(10).fill(['invalid_grant', 'invalid_grant', 200, 303]).flat());
  expect(silent.reached).toBe(0);
  expect(warnings).toEqual([]);
});

test('OAU-34, OAU-35 ten silent hosts of one person keep no program of another out', async () => {
  await using silent = await SilentHost.listen();
  await using program = await goodProgram();
  const door = { publicUrl: url, documentFetcher: fetcherHere() };
  await using here = await servedDoor({}, { frontDoor: door });
  const { credential } = here;
  await here.admin.loginAccounts.create({ ...mallory, credentialId: credential.id });
  const known = program.id('known');
  const first = await began(known);
  const tokens = await redeemed(
    here,
    { client_id: known },
    first,
    await allowed(here.browser, first),
  );
  const bad = new FormBrowser(here.app, url);
  await bad.send(await bad.page('/login'), '/login', { ...mallory, tenant: 'acme' });
  const stalled = Array.from({ length: 30 }, async (_, at) => {
    const { address } = await began(silent.document(at % 10));
    return shown(await bad.open(address)).status;
  });
  await eventually(() => {
    expect(silent.sockets.size).toBe(4);
  });
  // A refresh fetches nothing, a request of a known program neither, and a new one has its turn.
  const asked = program.asked;
  const refresh = await sent(here, '/oauth/token', {
    ...{ grant_type: 'refresh_token', client_id: known },
    refresh_token: tokens.refresh_token ?? '',
  });
  expect(refresh.status).toBe(200);
  expect(shown(await here.browser.open((await began(known)).address)).status).toBe(200);
  expect(program.asked).toBe(asked);
  const fresh = await began(program.id('new'));
  expect(shown(await here.browser.open(fresh.address)).text).toContain('Notes');
  expect(silent.sockets.size).toBe(4);
  await silent[Symbol.asyncDispose]();
  expect(new Set(await Promise.all(stalled))).toEqual(new Set([503]));
  expect(warnings).toEqual([]);
});

test('OAU-35 a host that fails is temporarily_unavailable, and leaves a known program alone', async () => {
  let fetched: Awaited<ReturnType<NonNullable<KeepPorts['documentFetcher']>['fetch']>> = {
    ...{ kind: 'failed', reason: 'status', status: 503 },
  };
  const documentFetcher = { fetch: () => Promise.resolve(fetched) };
  await using here = await servedDoor({}, { frontDoor: { publicUrl: url, documentFetcher } });
  await here.browser.send(await here.browser.page('/login'), '/login', { ...ann, tenant: 'acme' });
  const clientId = 'https://notes.example/client.json';
  const page = shown(await here.browser.open((await began(clientId)).address));
  expect(page.status).toBe(503);
  expect(page.text).toContain('temporarily_unavailable');
  fetched = { kind: 'failed', reason: 'status', status: 404 };
  const refused = shown(await here.browser.open((await began(`${clientId}?2`)).address));
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('document')]);
});
