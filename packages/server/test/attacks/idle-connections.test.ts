/**
 * Idle connections (OWASP API4:2023): they keep nobody out, because each new connection takes the
 * place of one that is idle.
 */
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import {
  answersTo,
  closed,
  LAST,
  opened,
  type RawServer,
  rawServer,
  requestOf,
} from './raw-server.js';

const HEALTH = requestOf('GET /health', '');

/** Opens connections that have had one answer each, one after another. */
async function idle({ server }: RawServer, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = await opened(server);
    socket.write(HEALTH);
    await once(socket, 'data');
    sockets.push(socket);
  }
  return sockets;
}

/** Opens a connection that works on a request: its body has not arrived. */
async function working({ server }: RawServer): Promise<Socket> {
  const socket = await opened(server);
  const headers = 'Content-Type: application/json\nContent-Length: 60\nExpect: 100-continue\n';
  socket.write(requestOf('POST /api/v1/auth/login', headers));
  await once(socket, 'data');
  return socket;
}

function end(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

test('a client with idle connections up to the bound in all shuts nobody out', async () => {
  await using at = await rawServer({ limits: { connections: 8 } });
  const held = await idle(at, 8);
  const evicted = closed(held[0]!);
  expect((await answersTo(at.server, LAST))[0]?.status).toBe(200);
  await evicted;
  expect(held.filter(({ destroyed }) => destroyed)).toHaveLength(1);
  end(held);
});

test('a client with many idle connections loses its own oldest, and others lose none', async () => {
  // Loopback is no trusted proxy here; the other client has another address.
  const limits = { connections: 100, connectionsPerAddress: 4 };
  await using at = await rawServer({ limits, trustedProxies: [] });
  const held = await idle(at, 20);
  await eventually(() => {
    expect(held.filter(({ destroyed }) => destroyed)).toHaveLength(16);
  });
  expect(held.slice(16).every(({ destroyed }) => !destroyed)).toBe(true);
  end(held);
});

test('a client whose connections all work on requests gets no more, and no work is cut', async () => {
  const limits = { connections: 100, connectionsPerAddress: 2 };
  await using at = await rawServer({ limits, trustedProxies: [], stopGraceMs: 1 });
  const busy = [await working(at), await working(at)];
  await closed((await opened(at.server)).resume());
  expect(busy.every(({ destroyed }) => !destroyed)).toBe(true);
  end(busy);
});

test('a trusted proxy is bounded by the number in all only', async () => {
  const limits = { connections: 100, connectionsPerAddress: 2 };
  await using at = await rawServer({ limits, trustedProxies: ['127.0.0.0/8'] });
  const held = await idle(at, 10);
  expect((await answersTo(at.server, LAST))[0]?.status).toBe(200);
  expect(held.every(({ destroyed }) => !destroyed)).toBe(true);
  end(held);
});
