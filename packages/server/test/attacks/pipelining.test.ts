/**
 * Pipelined requests (OWASP API4:2023): one of a connection is worked on at a time, and the others
 * wait unparsed, so a client gains nothing by sending them ahead.
 */
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import { type RunningServer, startServer } from '../../src/lifecycle/start-server.js';
import { answersTo, opened, requestOf } from './raw-server.js';

const running: RunningServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

/** Serves an app that echoes a request once it is released, or in a later turn. */
async function held(isReleased = false) {
  const waiting: (() => void)[] = [];
  const at = { begun: 0, atOnce: 0, largest: 0, socket: undefined as Socket | undefined };
  const fetch = async (request: Request, { incoming }: { incoming: IncomingMessage }) => {
    at.socket = incoming.socket;
    at.begun += 1;
    at.atOnce += 1;
    at.largest = Math.max(at.largest, at.atOnce);
    const body = request.method === 'POST' ? await request.text() : '';
    if (isReleased) await nextTurn();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    at.atOnce -= 1;
    return new Response(`${new URL(request.url).pathname}${body}`);
  };
  const server = await startServer({ fetch }, { host: '127.0.0.1', port: 0, stopGraceMs: 1 });
  running.push(server);
  return { at, server, release: () => waiting.shift()?.() };
}

test('OPR-83 one request of a connection is worked on at a time, in order', async () => {
  const { at, server, release } = await held();
  const names = Array.from({ length: 30 }, (_, index) => `/r${index}`);
  const requests = names.map((name) => requestOf(`GET ${name}`, ''));
  const last = requestOf('GET /last', 'Connection: close\n');
  const answers = answersTo(server, requests.join('') + last);
  for (let index = 0; index <= names.length; index += 1) {
    await eventually(() => {
      expect(at.begun).toBe(index + 1);
    });
    // Many turns later there is still no more work.
    if (index === 0) for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    expect(at.begun).toBe(index + 1);
    release();
  }
  expect((await answers).map(({ body }) => body)).toEqual([...names, '/last']);
  expect(at.largest).toBe(1);
});

const chunkOf = (body: string): string =>
  body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`;
const digest = (text: string): string => `${text.length} ${text.slice(0, 2)} ${text.slice(-1)}`;

test.each([
  ['a length', (body: string) => `Content-Length: ${body.length}\n`, (body: string) => body],
  ['chunks', () => 'Transfer-Encoding: chunked\n', (body: string) => `${chunkOf(body)}0\r\n\r\n`],
])('bodies with %s arrive whole, before and between others', async (_, headers, framed) => {
  const { server, at } = await held(true);
  const bodies = ['', 'a', 'b'.repeat(1_023), 'c'.repeat(5_000), 'd'.repeat(300_000), 'e'];
  const requests = bodies.map((body) => requestOf('POST /', headers(body), framed(body)));
  const last = requestOf('GET /last', 'Connection: close\n');
  const heard = (await answersTo(server, requests.join('') + last)).map(({ body }) => body);
  // Not the bodies themselves, which would fill the screen.
  expect(heard.map(digest)).toEqual([...bodies.map((body) => digest(`/${body}`)), digest('/last')]);
  expect(at.largest).toBe(1);
});

test('OPR-83 what a client sends ahead is not read beyond a bound', async () => {
  const { server, at } = await held();
  const client = await opened(server);
  const request = requestOf('GET /ahead', '');
  client.write(request);
  await eventually(() => {
    expect(at.begun).toBe(1);
  });
  // Far more than the buffers of the system hold, so most of it stays with the client.
  const total = 64 * 1_048_576;
  client.write(request.repeat(Math.ceil(total / request.length)));
  await eventually(() => {
    expect(at.socket?.isPaused()).toBe(true);
  });
  for (let turn = 0; turn < 200; turn += 1) await nextTurn();
  expect(at.begun).toBe(1);
  expect(at.socket?.bytesRead).toBeLessThan(1_048_576);
  expect(at.socket?.readableLength).toBeLessThan(262_144);
  client.destroy();
  await once(client, 'close');
});
