/** The short way from a socket to the app and the adapter give the same answers. */
import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { testStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import { createServer } from '../src/http/create-server.js';
import { startServer } from '../src/lifecycle/start-server.js';

const REQUEST_ID = 'X-Request-Id: same\r\n';

/** Sends bytes to a server and returns all that it sends, without the date. */
async function answered(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.write(Buffer.from(bytes, 'latin1'));
  await once(socket, 'close');
  const [head = '', body] = Buffer.concat(parts).toString('utf8').split('\r\n\r\n', 2);
  const lines = head
    .split('\r\n')
    .filter((line) => !/^(?:date|x-ratelimit|x-request-id: [0-9a-f-]{36}$)/i.test(line));
  return JSON.stringify([lines.shift(), lines.map((line) => line.toLowerCase()).sort(), body]);
}

/** Serves one keep by both ways. */
async function bothWays(
  run: (same: (bytes: string) => Promise<void>, secret: string) => Promise<void>,
): Promise<void> {
  await using keep = await openKeep({ store: testStore() });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const app = createServer(keep, { rateLimitPolicies: [], adminOrigin: 'https://console.example' });
  const where = { host: '127.0.0.1', port: 0 };
  const direct = await startServer(app, where);
  const adapted = await startServer({ fetch: app.fetch }, where);
  try {
    await run(async (bytes) => {
      const [one, other] = await Promise.all(
        [direct, adapted].map(({ port }) => answered(port, bytes)),
      );
      expect(one, bytes).toBe(other);
      expect(one).toContain('HTTP/1.1');
    }, secret);
  } finally {
    await direct.stop();
    await adapted.stop();
  }
}

const head = (line: string, ...headers: string[]): string =>
  `${line} HTTP/1.1\r\n${headers.map((header) => `${header}\r\n`).join('')}${REQUEST_ID}` +
  'Connection: close\r\n\r\n';

test('answers, refusals and headers are the same', async () => {
  await bothWays(async (same, secret) => {
    const host = 'Host: localhost';
    const proof = `Authorization: Bearer ${secret}`;
    const json = 'Content-Type: application/json';
    const identity = 'GET /api/v1/identity';
    const issue = 'POST /api/v1/credentials';
    for (const bytes of [
      head('GET /health', host),
      head('HEAD /health', host),
      head('OPTIONS /api/v1/identity', host, 'Origin: https://console.example'),
      head('TRACE /health', host),
      head(identity, host),
      head(identity, host, proof),
      head(identity, host, proof, proof),
      head(identity, host, proof, 'authorization: Bearer x'),
      head(identity, host, 'X-API-Key: ak_live_x', 'x-api-key: y'),
      head(identity, host, proof, 'Origin: https://console.example'),
      head(identity, host, proof, 'Content-Length: 0'),
      head(identity, proof),
      head(identity, host, host, proof),
      head('DELETE /api/v1/identity', host, proof),
      head(issue, host, json, 'Content-Length: 1') + '{',
      head(issue, host, proof, json, 'Content-Length: 1') + '{',
      head(issue, host, proof, 'Content-Length: 2') + '{}',
      head(issue, host, proof, json, 'Content-Length: 2') + '{}',
      head(issue, host, proof, json, 'Transfer-Encoding: chunked') + '2\r\n{}\r\n0\r\n\r\n',
      head('GET /docs', host),
      head('HEAD /docs', host),
      head('GET /docs', host, 'If-None-Match: *'),
      head('GET http://localhost/health', host),
      head('GET /nowhere', host, 'Upgrade: other'),
    ]) {
      await same(bytes);
    }
  });
});

const ADDRESSES = [
  'localhost',
  '127.0.0.1:80',
  '[::1]:8080',
  'LOCALHOST',
  'a b',
  '',
  '1.2.3',
  '0x7f.1',
];
const PIECES = [
  '/',
  '//',
  '.',
  '..',
  '%2e',
  '%',
  '%41',
  '%zz',
  '%00',
  "'",
  '"',
  '<',
  '|',
  '\\',
  '^',
];
const MORE = ['?', '#', '&', '=', '+', 'é', '{', '`', ';', ',', 'limit=1', 'cursor=%27', 'a'];
const piece = fc.constantFrom(...PIECES, ...MORE);

test('any target and host is answered in the same way', async () => {
  const target = fc
    .tuple(
      fc.constantFrom('/api/v1/credentials', '/api/v1/memory/records/x', '/health', ''),
      fc.array(piece, { maxLength: 6 }),
    )
    .map(([path, pieces]) => `${path}${pieces.join('')}`);
  await bothWays(async (same, secret) => {
    const proof = `Authorization: Bearer ${secret}`;
    await fc.assert(
      fc.asyncProperty(target, fc.constantFrom('localhost', ...ADDRESSES), async (path, host) => {
        await same(head(`GET ${path}`, `Host: ${host}`, proof));
      }),
      { numRuns: 200 },
    );
  });
});
