/**
 * Slow clients: requests that never end, answers that nobody reads, connections that say nothing.
 * Others are served meanwhile, and the server cuts them off by itself.
 * @module
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { answersTo, LAST, opened, type RawServer, rawServer, requestOf } from './raw-server.js';

const HEALTH_MS = 500;
const limits = { headersMs: 400, requestMs: 800, stallMs: 200, keepAliveMs: 300 };

/** Opens so many connections, sends each some bytes, and then one more byte again and again. */
async function dripping(at: RawServer, count: number, bytes: string): Promise<Promise<unknown>[]> {
  const sockets = await Promise.all(Array.from({ length: count }, () => opened(at.server)));
  return sockets.map((socket) => {
    socket.write(bytes);
    socket.resume();
    const timer = setInterval(() => socket.write('a'), 20);
    return once(socket, 'close').finally(() => {
      clearInterval(timer);
    });
  });
}

/** The milliseconds that a client waits which does its part. */
async function healthMs(at: RawServer): Promise<number> {
  const startedMs = performance.now();
  const [answer] = await answersTo(at.server, LAST);
  expect(answer?.status).toBe(200);
  return performance.now() - startedMs;
}

const LENGTH = 'Content-Type: application/json\nContent-Length: 60000\n';
const CHUNKS = 'Content-Type: application/json\nTransfer-Encoding: chunked\n';

describe('a hundred connections at a time', () => {
  test.each([
    ['headers that never end', 'GET /health HTTP/1.1\r\nHost: x\r\nX: '],
    ['a request line that never ends', 'GET /'],
    ['a body that drips', requestOf('POST /api/v1/login', LENGTH, '{"username":"')],
    ['chunks that drip', requestOf('POST /api/v1/login', CHUNKS, 'ffff\r\n{"a":"')],
  ])('with %s are cut off, and others are served meanwhile', async (_, bytes) => {
    await using at = await rawServer({ limits });
    const ends = await dripping(at, 100, bytes);
    expect(await healthMs(at)).toBeLessThan(HEALTH_MS);
    await Promise.all(ends);
    expect(await healthMs(at)).toBeLessThan(HEALTH_MS);
  });

  test('that say nothing, before or between requests, are closed', async () => {
    await using at = await rawServer({ limits });
    const idle = await Promise.all(Array.from({ length: 100 }, () => opened(at.server)));
    for (const [index, socket] of idle.entries()) {
      socket.resume();
      if (index % 2 === 0) socket.write(requestOf('GET /health', ''));
    }
    const ends = idle.map((socket) => once(socket, 'close'));
    expect(await healthMs(at)).toBeLessThan(HEALTH_MS);
    await Promise.all(ends);
  });

  test('that read none of their answers are cut off', async () => {
    await using at = await rawServer({ limits });
    const asked = requestOf('GET /openapi.json', '').repeat(30);
    const deaf = await Promise.all(Array.from({ length: 5 }, () => opened(at.server)));
    for (const socket of deaf) socket.pause().write(asked);
    expect(await healthMs(at)).toBeLessThan(2_000);
    // A socket that is not read does not tell its end, but writing to it does in time.
    await Promise.all(deaf.map(endOf));
    expect(await healthMs(at)).toBeLessThan(HEALTH_MS);
  });
});

/** Waits until the other side has cut a connection that is not read. */
function endOf(socket: Socket): Promise<unknown> {
  const timer = setInterval(() => socket.write('\r\n'), 20);
  return once(socket, 'close').finally(() => {
    clearInterval(timer);
  });
}

test('connections beyond the bound are closed at once, and there is room again later', async () => {
  await using at = await rawServer({ limits: { connections: 3 } });
  const taken = await Promise.all(Array.from({ length: 3 }, () => opened(at.server)));
  const refused = await opened(at.server);
  await once(refused.resume(), 'close');
  const [first] = taken;
  first?.destroy();
  let answers: unknown[] = [];
  // The server learns of the end by and by.
  while (answers.length === 0) answers = await answersTo(at.server, LAST);
  expect(answers).toHaveLength(1);
  for (const socket of taken) socket.destroy();
});
