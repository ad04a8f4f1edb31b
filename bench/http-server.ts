/**
 * A process under load in the HTTP benchmarks. `served` is Agentkeep as `agentkeep serve` runs it:
 * `startServer`, with its log on standard output. `bare` is `node:http` with the same headers, and
 * the same body: it sends the record, or parses a command and sends it back. `encrypted` is as
 * `served`, with the option `encryption`. `routed` is as `served`, behind a router of Hono with every
 * route, so that Hono's adapter makes a `Request` of each message and sends a `Response`.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { routes } from '@agentkeep/client/routes';
import type { Agent } from '@agentkeep/core';
import { encryptionKeys } from '@agentkeep/core/operator';
import { type AgentkeepApp, createServer, jsonLogger, startServer } from '@agentkeep/server';
import { Hono } from 'hono';
import { keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';
import { inFlight } from './measure.js';

/** What a process serves. */
export type Role = 'served' | 'routed' | 'bare' | 'encrypted';

/** The first message to the parent. */
export interface Listening {
  readonly port: number;
  readonly secret: string;
  readonly recordId: string;
  /** Further records. */
  readonly recordIds: readonly string[];
}

/** The answer to each further message of the parent. */
export interface Spent {
  /** CPU time of this process since its start, in microseconds. */
  readonly cpuMicros: number;
}

const headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-RateLimit-Limit': '1000000000',
  'X-RateLimit-Remaining': '999999999',
  'X-RateLimit-Reset': '1',
  'X-Request-Id': '00000000-0000-4000-8000-000000000000',
};

/** In force for every request, and never reached. */
const policy = {
  id: '00000000-0000-7000-8000-000000000001',
  name: 'Benchmark',
  endpointType: 'GeneralApi',
  maxRequests: 1_000_000_000,
  windowSecs: 1,
  enabled: true,
  createdAtMillis: 0,
  updatedAtMillis: 0,
  createdBy: 'system',
} as const;

/** The connections of one server idle while the other is started or measured. */
const IDLE_MS = 600_000;

await using directory = await temporaryDirectory();
const role = process.argv[2] as Role;
const { keep, agent, secret } = await keepWithAgent({
  dataDir: join(directory.path, 'data'),
  ...(role === 'encrypted' ? { encryption: await newKeys(directory.path) } : {}),
});
const { record_id: recordId } = await agent.memory.in(scope).create(recordAt(0), {
  idempotencyKey: 'first',
});
const recordIds: string[] = [];
await inFlight(64, Number(process.argv[3] ?? 0), async (index) => {
  const options = { idempotencyKey: randomUUID() };
  recordIds.push((await agent.memory.in(scope).create(recordAt(index), options)).record_id);
});
const server = await (role === 'bare' ? serveBare(agent) : serveKeep());
process.send?.({ port: server.port, secret, recordId, recordIds } satisfies Listening);
process.on('message', (message) => {
  if (message === 'stop') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system } satisfies Spent);
});
while (((await once(process, 'message')) as unknown[])[0] !== 'stop');
await server.stop();
await keep.close();
process.disconnect();

async function serveKeep() {
  const log = jsonLogger({ level: 'info', write: (text) => process.stdout.write(text) });
  const app = createServer(keep, { log, rateLimitPolicies: [policy] });
  const served = role === 'routed' ? honoApp(app) : app;
  const limits = { headersMs: IDLE_MS, requestMs: IDLE_MS, keepAliveMs: IDLE_MS };
  return startServer(served, { host: '127.0.0.1', port: 0, log, limits });
}

/** Mounts each route of an app in a Hono app. */
function honoApp(app: AgentkeepApp): Hono {
  const hono = new Hono();
  for (const { method, path } of Object.values(routes)) {
    hono.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), (context) =>
      app.fetch(context.req.raw, context.env as object),
    );
  }
  return hono;
}

async function serveBare({ memory }: Agent) {
  const record = await memory.in(scope).read(recordId);
  const shownScope = { ...scope, mission_id: null };
  const answer = JSON.stringify({ contract_version: 1, scope: shownScope, record });
  const timeouts = { headersTimeout: IDLE_MS, requestTimeout: IDLE_MS, keepAliveTimeout: IDLE_MS };
  const server = createHttpServer(timeouts, (request, response) => {
    const send = (body: string): void => {
      response.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
    };
    if (request.method === 'GET') send(answer);
    else
      void readJson(request).then((value) => {
        send(JSON.stringify(value));
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
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

async function newKeys(path: string) {
  const rootKey = { file: join(path, 'root.key') };
  const keys = { keysDir: join(path, 'keys'), rootKey };
  await encryptionKeys.make(keys);
  return keys;
}
