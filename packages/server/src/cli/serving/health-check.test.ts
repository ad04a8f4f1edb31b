/** Which replies the health check accepts. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { runCommand } from '../../../test/command-line/run-command.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function probe(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return runCommand(['health-check', '--json'], {
    environment: { AGENTKEEP_HOST: '0.0.0.0', AGENTKEEP_PORT: String(port) },
  });
}

const HEALTHY = '{"contract_version":1,"status":"healthy","version":"0.13.0"}';

it('accepts a healthy server of this version and prints its reply as JSON', async () => {
  const { status, out } = await probe((_request, response) => response.end(HEALTHY));
  expect({ status, out }).toEqual({ status: 0, out: `${HEALTHY}\n` });
});

it.each([
  ['another status', 500, HEALTHY, 'status 500'],
  ['another contract', 200, HEALTHY.replace('1', '2'), 'contract version'],
  ['another status text', 200, HEALTHY.replace('healthy', 'ill'), 'reports itself unhealthy'],
  ['another version', 200, HEALTHY.replace('0.13.0', '0.12.0'), 'version is not 0.13.0'],
  ['no JSON', 200, 'healthy', 'not JSON'],
  ['no object', 200, 'null', 'not a JSON object'],
  ['a long reply', 200, HEALTHY + ' '.repeat(8_192), 'longer than 8192 bytes'],
])('refuses %s', async (_what, code, body, reason) => {
  const { status, out, error } = await probe((_request, response) => {
    response.statusCode = code;
    response.end(body);
  });
  expect({ status, out }).toEqual({ status: 1, out: '' });
  expect(error).toContain(reason);
});

it('refuses an incomplete reply', async () => {
  const { status } = await probe((_request, response) => {
    response.setHeader('Content-Length', '100');
    response.write('{', () => response.destroy());
  });
  expect(status).toBe(1);
});
