/** A server that is killed while it delivers loses no change, and keeps their order. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep, type ScopeInput } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { connect } from '@agentkeep/server/client';
import { eventually } from '@agentkeep/testkit/eventually';
import { ServerProcess } from '@agentkeep/testkit/server-process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isBroken } from '../process/broken-connection.js';

const KILLS = 4;
const RECORDS_EACH = 150;
const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };
const record = {
  episode_type: 'Observation' as const,
  content: { primary: 'x' },
  event_time_millis: 0,
};

let home: string;
let server: ServerProcess | undefined;
let receiver: ReturnType<typeof createServer>;
/** Called with the records of each message. */
let received: (recordIds: readonly string[]) => void = () => undefined;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-webhooks-'));
  receiver = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  await server?.kill();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  await rm(home, { recursive: true, force: true });
});

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
      data: { changes: { record_id: string }[] };
    };
    received(data.changes.map(({ record_id }) => record_id));
    response.writeHead(204).end();
  } catch {
    // The server was killed in the middle of a message.
    response.destroy();
  }
}

async function startServer(): Promise<string> {
  const words = ['--webhook-addresses', '127.0.0.1'];
  server = new ServerProcess(join(home, 'data'), { words });
  return server.listens();
}

async function administrator(): Promise<string> {
  await using keep = await openKeep({ dataDir: join(home, 'data') });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const ops = await keep.authenticate(secret);
  const issued = await ops.credentials.issue({
    subject_id: 'writer',
    capabilities: ['memory_read', 'memory_write', 'credential_admin'],
    grants: [scope],
  });
  return issued.secret;
}

test('every acknowledged change arrives in order, however often the server is killed', async () => {
  const arrived: string[] = [];
  const known = new Set<string>();
  let killed: Promise<unknown> = Promise.resolve();
  let killAt = 0;
  received = (ids) => {
    for (const id of ids) {
      if (!known.has(id)) arrived.push(id);
      known.add(id);
    }
    // The kill comes before the server knows of the answer, or soon after.
    if (killAt > 0 && arrived.length >= killAt) killed = server!.kill();
    if (arrived.length >= killAt) killAt = 0;
  };
  const secret = await administrator();
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${String(port)}/`;
  const acknowledged: string[] = [];
  let isMade = false;
  for (let round = 0; round <= KILLS; round += 1) {
    const agent = connect({ url: await startServer(), secret, retry: false });
    if (!isMade) await agent.webhooks.create({ name: 'a', url });
    isMade = true;
    if (round < KILLS) killAt = arrived.length + 10 + 30 * round;
    try {
      for (let count = 0; count < RECORDS_EACH; count += 1) {
        acknowledged.push((await agent.memory.in(scope).create(record)).record_id);
      }
    } catch (error) {
      if (!isBroken(error)) throw error;
    }
    if (round < KILLS) {
      await eventually(() => {
        expect(killAt).toBe(0);
      });
      await killed;
    }
  }
  await eventually(() => {
    expect(acknowledged.filter((id) => !known.has(id))).toEqual([]);
  });
  const order = new Map(arrived.map((id, index) => [id, index]));
  const places = acknowledged.map((id) => order.get(id) ?? -1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});
