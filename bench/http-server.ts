/**
 * The process under load in the HTTP benchmarks: Agentkeep, and bare `node:http` with the same
 * headers. It sends its parent both ports and the requests to make.
 */
import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server as HttpServer,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from '@agentkeep/server';
import { createAdaptorServer } from '@hono/node-server';
import { keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';

/** The message to the parent. */
export interface Served {
  readonly port: number;
  readonly barePort: number;
  readonly secret: string;
  readonly recordId: string;
}

const directory = await temporaryDirectory();
const { keep, agent, secret } = await keepWithAgent({ dataDir: directory.path });
const receipt = await agent.memory.create(scope, recordAt(0), { idempotencyKey: 'first' });
const record = await agent.memory.read(scope, receipt.record_id);
const answer = JSON.stringify({
  contract_version: 1,
  scope: { ...scope, mission_id: null },
  record,
});
const headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-RateLimit-Limit': '1000000000',
  'X-RateLimit-Remaining': '999999999',
  'X-RateLimit-Reset': '1',
  'X-Request-Id': '00000000-0000-4000-8000-000000000000',
};

const unlimited = { rateLimitPolicies: [] };
const app = createServer(keep, unlimited);
const server = createAdaptorServer({ fetch: app.fetch }) as HttpServer;
const bare = createHttpServer((request, response) => {
  const send = (body: string): void => {
    response.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
  };
  if (request.method === 'GET') send(answer);
  else
    void readJson(request).then((value) => {
      send(JSON.stringify(value));
    });
});

const ports = await Promise.all([listen(server), listen(bare)]);
const [port, barePort] = ports;
process.send?.({ port, barePort, secret, recordId: receipt.record_id } satisfies Served);
await once(process, 'message');
server.close();
bare.close();
await keep.close();
await directory[Symbol.asyncDispose]();
process.exit(0);

async function listen(listener: HttpServer): Promise<number> {
  // The connections of one server idle while the other is measured.
  listener.keepAliveTimeout = 600_000;
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return (listener.address() as AddressInfo).port;
}

function readJson(request: IncomingMessage): Promise<unknown> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    });
  });
}
