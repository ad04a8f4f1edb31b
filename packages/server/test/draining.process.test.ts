/** A server that stops answers what it accepted, refuses what comes later, and ends its streams. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { ServerProcess } from '@agentkeep/testkit/server-process';

let dataDir: string;
let server: ServerProcess;
const sockets: Socket[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'agentkeep-draining-'));
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.kill();
  await rm(dataDir, { recursive: true, force: true });
});

/** A connection to the server, and what came back on it. */
async function connection(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  sockets.push(socket);
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
  await once(socket, 'connect');
  return {
    send: (text: string) => socket.write(text.replaceAll('\n', '\r\n')),
    /** Resolves with all that came once it matches. */
    until: async (pattern: RegExp): Promise<string> => {
      while (!pattern.test(heard)) await once(socket, 'data');
      return heard;
    },
    closed: once(socket, 'close').then(() => heard),
  };
}

/** Fills the directory; returns the secret of an agent. */
async function agentSecret(): Promise<string> {
  await using keep = await openKeep({ dataDir });
  const made = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const { secret } = await (
    await keep.authenticate(made.secret)
  ).credentials.issue({
    subject_id: 'ann',
    capabilities: ['memory_read'],
    grants: [{ project_id: 'p', agent_id: 'a', visibility: 'private' }],
  });
  return secret;
}

const get = (path: string, secret: string, accept = 'application/json'): string =>
  `GET ${path} HTTP/1.1\nHost: x\nAuthorization: Bearer ${secret}\nAccept: ${accept}\n\n`;

test('OPR-165, OPR-166 SIGTERM', async () => {
  const secret = await agentSecret();
  // Far longer than a busy machine takes to send the rest.
  server = new ServerProcess(dataDir, { words: ['--stop-grace-seconds', '300'] });
  const url = await server.listens();
  const kept = await connection(url);
  kept.send(get('/api/v1/identity', secret));
  await kept.until(/"credential"/u);
  const stream = await connection(url);
  stream.send(get('/api/v1/memory/changes?contract_version=1', secret, 'text/event-stream'));
  await stream.until(/\n: /u);
  const slow = await connection(url);
  const body = JSON.stringify({ username: 'ann', password: 'x', tenant_id: 'acme' });
  slow.send(
    `POST /api/v1/auth/login HTTP/1.1\nHost: x\nContent-Type: application/json\n` +
      `Content-Length: ${String(body.length)}\nExpect: 100-continue\n\n`,
  );
  await slow.until(/100 Continue/u);

  process.kill(server.pid, 'SIGTERM');
  await server.logged(/("draining")/u);
  // A stream is told to come again, and ends.
  expect(await stream.closed).toMatch(/\nretry: 1000\n/u);
  // A request on a kept connection is refused, before anything is done.
  kept.send(get('/api/v1/identity', secret));
  const refused = (await kept.closed).split('HTTP/1.1 ').at(-1);
  expect(refused).toMatch(/^503 /u);
  expect(refused).toMatch(/\r\nretry-after: 1\r\n/iu);
  expect(refused).toMatch(/\r\nconnection: close\r\n/iu);
  expect(refused).toContain('"code":"server_stopping"');
  // What was accepted is answered.
  slow.send(body);
  expect(await slow.closed).toMatch(/HTTP\/1\.1 401 .*"invalid_login"/su);
  expect((await server.ended).status).toBe(0);
});
