/**
 * Bodies beyond the limit on a real socket: the client can read the refusal, and the connection
 * stays usable.
 */
import { Agent, request } from 'node:http';
import { openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { createServer, startServer } from '../src/index.js';

const MEDIA_TYPE = { 'Content-Type': 'application/json' };

const QUERY = '/api/v1/memory/query';
const BATCH = '/api/v1/memory/batches';

test.each([
  ['declared', 65_537, QUERY],
  ['declared', 8_000_000, QUERY],
  ['chunked', 65_537, QUERY],
  ['chunked', 8_000_000, QUERY],
  ['declared', 1_048_577, BATCH],
  ['chunked', 1_048_577, BATCH],
])(
  'a %s body of %i bytes to %s is answered with 413, and the next request is served',
  async (kind, size, path) => {
    const keep = await openKeep({ store: testStore() });
    const { secret } = await bootstrapTenant(keep, { tenantId: 't', subjectId: 's' });
    const server = await startServer(createServer(keep), { host: '127.0.0.1', port: 0 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = (body: string | undefined, to: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const length = kind === 'declared' ? { 'Content-Length': size } : {};
        const headers = {
          Authorization: `Bearer ${secret}`,
          ...(body === undefined ? {} : { ...MEDIA_TYPE, ...length }),
        };
        const method = body === undefined ? 'GET' : 'POST';
        const sent = request(`${server.url}${to}`, { agent, method, headers }, (response) => {
          response.resume().on('end', () => {
            resolve(response.statusCode ?? 0);
          });
        });
        sent.on('error', reject).end(body);
      });

    expect(await send('x'.repeat(size), path)).toBe(413);
    expect(await send(undefined, '/api/v1/identity')).toBe(200);

    agent.destroy();
    await server.stop();
    await keep.close();
  },
);
