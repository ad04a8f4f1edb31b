/**
 * Behaviour that only a real connection shows: repeated headers, bodies of a GET, bodies of unknown
 * length (docs/contract/conventions.md).
 */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type RunningServer, startServer } from '../src/lifecycle/start-server.js';
import { outcome, refused } from '@agentkeep/contract-cases/answer';
import { minimalSpec } from '@agentkeep/contract-cases/documents';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { type Fixture, tenant } from '@agentkeep/contract-cases/fixture';
import { appOf } from '@agentkeep/contract-cases/http-driver';

interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Alternating names and values, sent unchanged. */
  readonly headers: readonly string[];
  /** Sent in chunks, without a length. */
  readonly chunks?: readonly string[];
}

async function send({ port }: RunningServer, { method, path, headers, chunks = [] }: Exchange) {
  const outgoing = request({ host: '127.0.0.1', port, method, path, headers: [...headers] });
  for (const chunk of chunks) outgoing.write(chunk);
  outgoing.end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const body = await text(incoming);
  const status = incoming.statusCode ?? 0;
  return { status, text: body, body: body === '' ? undefined : (JSON.parse(body) as unknown) };
}

async function served(
  run: (server: RunningServer, token: string, t: Fixture) => Promise<void>,
): Promise<void> {
  await using t = await tenant(drivers[0]!);
  const server = await startServer(appOf(t.keep), { host: '127.0.0.1', port: 0 });
  try {
    await run(server, t.admin.token, t);
  } finally {
    await server.stop();
  }
}

test('CON-37, CON-49 repeated Authorization or X-API-Key headers are refused', async () => {
  await served(async (server, token) => {
    const bearer = `Bearer ${token}`;
    const host = ['Host', 'localhost', 'Connection', 'close'];
    const identity = async (...headers: string[]) =>
      outcome(
        await send(server, {
          method: 'GET',
          path: '/api/v1/identity',
          headers: [...host, ...headers],
        }),
      );
    expect(await identity('Authorization', bearer)).toBe('200');
    const lists = [
      ['Authorization', bearer, 'Authorization', bearer],
      ['Authorization', bearer, 'authorization', 'Bearer x'],
      ['Authorization', 'Bearer x', 'AUTHORIZATION', bearer],
      ['Authorization', bearer, 'Authorization', ''],
      ['Authorization', '', 'Authorization', bearer],
      ['Authorization', bearer, 'X-API-Key', 'ak_live_x'],
      ['Authorization', bearer, 'X-API-Key', ''],
      ['X-API-Key', 'ak_live_x', 'X-API-Key', 'ak_live_x'],
    ];
    for (const list of lists) {
      expect(await identity(...list), list.join(' ')).toBe(refused.unauthorized);
    }
  });
});

test('CON-111 the body of a GET is ignored, whatever it is', async () => {
  await served(async (server, token) => {
    const headers = [
      'Host',
      'localhost',
      'Connection',
      'close',
      'Authorization',
      `Bearer ${token}`,
    ];
    for (const body of ['{', '{"contract_version":2}', 'x'.repeat(70_000)]) {
      const length = ['Content-Length', String(body.length)];
      for (const path of ['/api/v1/identity', '/api/v1/credentials?contract_version=1']) {
        const sent = { method: 'GET', path, headers: [...headers, ...length], chunks: [body] };
        expect(outcome(await send(server, sent))).toBe('200');
      }
    }
  });
});

test('bodies of unknown length are limited too', async () => {
  await served(async (server, token) => {
    const document = JSON.stringify({ contract_version: 1, spec: minimalSpec });
    const post = async (size: number) => {
      const padding = ' '.repeat(size - document.length);
      return send(server, {
        method: 'POST',
        path: '/api/v1/credentials',
        headers: [
          ...['Host', 'localhost', 'Connection', 'close', 'Transfer-Encoding', 'chunked'],
          ...['Authorization', `Bearer ${token}`, 'Content-Type', 'application/json'],
        ],
        chunks: [document.slice(0, 10), document.slice(10), padding].filter((it) => it !== ''),
      });
    };
    expect(outcome(await post(65_536))).toBe('201');
    expect(outcome(await post(65_537))).toBe(refused.tooLarge);
  });
});

test('HEAD on a socket has the headers of GET and no body', async () => {
  await served(async (server, token) => {
    const headers = [
      'Host',
      'localhost',
      'Connection',
      'close',
      'Authorization',
      `Bearer ${token}`,
    ];
    const head = await send(server, { method: 'HEAD', path: '/api/v1/identity', headers });
    expect(head).toMatchObject({ status: 200, text: '' });
  });
});

test('CON-135 a path is used exactly, even where a URL would resolve it', async () => {
  await served(async (server, _, t) => {
    const master = await t.master();
    const headers = ['Host', 'localhost', 'Connection', 'close'];
    const proof = ['Authorization', `Bearer ${master.token}`];
    const get = (path: string) =>
      send(server, { method: 'GET', path, headers: [...headers, ...proof] });
    await master.registered('.');
    await master.registered('..');
    for (const [name, spelling] of [
      ['.', '%2E'],
      ['..', '%2e%2e'],
      ['..', '..'],
    ] as const) {
      const { body } = await get(`/api/v1/admin/tenants/${spelling}`);
      expect(body, spelling).toMatchObject({ tenant_id: name });
    }
    for (const path of ['/x/%2e%2e/health', '/x/../health', '/./health']) {
      expect(outcome(await get(path)), path).toBe('404 not_found');
    }
    expect(outcome(await get('/%68ealth'))).toBe('200');
  });
});
