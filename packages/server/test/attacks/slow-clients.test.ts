/**
 * Slow clients: requests that never end, responses that are not read, silent connections. The
 * server cuts them off and keeps serving others.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../src/lifecycle/start-server.js';
import {
  answersTo,
  closed,
  LAST,
  opened,
  type RawServer,
  rawServer,
  requestOf,
} from './raw-server.js';

// Long enough to serve somebody else meanwhile, on a busy machine too.
const limits = {
  headersMs: 10_000,
  requestMs: 12_000,
  stallMs: 10_000,
  keepAliveMs: 10_000,
  answerBytesPerSec: 1e9,
};

/** Opens connections. */
function several(at: RawServer, count: number): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, () => opened(at.server)));
}

/** Sends one byte repeatedly until the other side closes. */
async function drip(socket: Socket, byte: string): Promise<void> {
  const timer = setInterval(() => socket.write(byte), 200);
  await closed(socket);
  clearInterval(timer);
}

/** Whether a normal client is served while slow ones are connected. */
async function servesBeside(at: RawServer, slow: readonly Socket[]): Promise<boolean> {
  const answers = await answersTo(at.server, LAST);
  return answers[0]?.status === 200 && slow.some(({ destroyed }) => !destroyed);
}

const LENGTH = 'Content-Type: application/json\nContent-Length: 60000\n';
const EXPECT = 'Expect: 100-continue\n';
const CHUNKS = 'Content-Type: application/json\nTransfer-Encoding: chunked\n';

test('OPR-77, OPR-82 bounds of a client are those of the contract', () => {
  expect(defaultLimits).toEqual({
    headersMs: 15_000,
    requestMs: 60_000,
    stallMs: 30_000,
    answerBytesPerSec: 32_768,
    keepAliveMs: 65_000,
    connections: 10_000,
    connectionsPerAddress: 1_000,
  });
});

describe.concurrent('a hundred connections at a time', () => {
  test.each([
    ['headers that never end', 'GET /health HTTP/1.1\r\nHost: x\r\nX: '],
    ['a request line that never ends', 'GET /'],
    ['a body that drips', requestOf('POST /api/v1/login', LENGTH, '{"username":"')],
    ['chunks that drip', requestOf('POST /api/v1/login', CHUNKS, 'ffff\r\n{"a":"')],
  ])('with %s are cut off, and others are served meanwhile', async (_, bytes) => {
    await using at = await rawServer({ limits });
    const slow = await several(at, 100);
    for (const socket of slow) socket.resume().write(bytes);
    const ends = slow.map((socket) => drip(socket, 'a'));
    expect(await servesBeside(at, slow)).toBe(true);
    await Promise.all(ends);
  });

  test('OPR-77 that are silent, before or between requests, are closed', async () => {
    await using at = await rawServer({ limits });
    const idle = await several(at, 100);
    for (const [index, socket] of idle.entries()) {
      socket.resume();
      if (index % 2 === 0) socket.write(requestOf('GET /health', ''));
    }
    const ends = idle.map(closed);
    expect(await servesBeside(at, idle)).toBe(true);
    await Promise.all(ends);
  });
});

test('OPR-77 clients that do not read their responses are cut off', async () => {
  await using at = await rawServer({ limits });
  // More than the buffers of both ends hold.
  const asked = requestOf('GET /openapi.json', '').repeat(40);
  const deaf = await several(at, 2);
  for (const socket of deaf) socket.pause().write(asked);
  expect(await servesBeside(at, deaf)).toBe(true);
  // A socket that is not read does not report its end, but writing to it does.
  await Promise.all(deaf.map((socket) => drip(socket, '\r\n')));
});

test('connections beyond the limit are closed at once while none is idle, and there is room again later', async () => {
  await using at = await rawServer({ limits: { connections: 3 } });
  const taken = await Promise.all(Array.from({ length: 3 }, () => opened(at.server)));
  // The server continues once it has read the headers; then each works on a request.
  for (const socket of taken) socket.write(requestOf('POST /api/v1/login', `${LENGTH}${EXPECT}`));
  await Promise.all(taken.map((socket) => once(socket, 'data')));
  const refused = await opened(at.server);
  await closed(refused.resume());
  const [first] = taken;
  first?.destroy();
  let answers: unknown[] = [];
  // The server notices the end with a delay.
  while (answers.length === 0) answers = await answersTo(at.server, LAST);
  expect(answers).toHaveLength(1);
  for (const socket of taken) socket.destroy();
});
