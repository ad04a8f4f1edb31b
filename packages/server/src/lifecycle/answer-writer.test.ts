/** The one writer counts what clients have not read, of whole answers and of parts. */
import { connect, type Socket } from 'node:net';
import { UnreadAnswers } from '@agentkeep/core/operator';
import { eventually } from '@agentkeep/testkit/eventually';
import { expect, test } from 'vitest';
import { type MessageApp, onDrained, onMessage, onRequest, onStop } from '../http/message-app.js';
import { type AnswerReader, respond, respondEvents } from '../http/respond.js';
import { type ClientLimits, startServer } from './start-server.js';

const PART = 'x'.repeat(1_000_000);
const roomy = { principal: 1e9, tenant: 1e9, all: 1e9 };
const rate = { limit: 1, remaining: 1, resetInSecs: 0 };
const endless = { texts: Infinity };

/** Serves a large answer at `/whole`, and parts at any other path. */
async function served(keep = roomy, limits: Partial<ClientLimits> = {}) {
  const unread = new UnreadAnswers({ refuse: roomy, keep });
  const written = { parts: 0 };
  const most = { ...endless };
  async function* parts(): AsyncGenerator<string> {
    for (; written.parts < most.texts; written.parts += 1) yield await Promise.resolve(PART);
  }
  const party = { tenant: 'acme', principal: 'ann' };
  const reader: AnswerReader = { unread: (cut) => unread.open(party, cut) };
  const answering = { requestId: 'r', rate, reader };
  const answer = (url: string) =>
    Promise.resolve(
      url.endsWith('/whole')
        ? respond(200, PART.repeat(20), answering)
        : respondEvents({ parts: parts(), leave: () => undefined }, answering),
    );
  const none = (): void => undefined;
  const app: MessageApp & { fetch: () => Response } = {
    fetch: () => new Response(null, { status: 500 }),
    [onMessage]: ({ url = '' }) => answer(url),
    [onRequest]: ({ url }) => answer(url),
    [onStop]: none,
    [onDrained]: none,
  };
  const server = await startServer(app, { host: '127.0.0.1', port: 0, limits, stopGraceMs: 50 });
  const sockets: Socket[] = [];
  const ask = (path: string, host = 'localhost'): Socket => {
    const socket = connect(server.port, '127.0.0.1').on('error', none);
    sockets.push(socket);
    socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    return socket;
  };
  return {
    ...{ unread, written, most, ask },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await server.stop();
    },
  };
}

// The adapter makes a request of a message whose host is an IPv6 address.
test.each(['localhost', '[::1]'])(
  'a whole answer is counted until it is read (%s)',
  async (host) => {
    await using at = await served();
    const socket = at.ask('/whole', host);
    await eventually(() => {
      expect(at.unread.bytes).toBeGreaterThan(1_000_000);
    });
    socket.resume();
    await eventually(() => {
      expect(at.unread.bytes).toBe(0);
    });
  },
);

test.each(['localhost', '[::1]'])(
  'LOA-7 parts are no faster than their reader (%s)',
  async (host) => {
    await using at = await served();
    const socket = at.ask('/parts', host);
    await eventually(() => {
      expect(at.unread.bytes).toBeGreaterThan(0);
    });
    expect(at.unread.bytes).toBeLessThan(2 * PART.length);
    // The operating system takes some.
    expect(at.written.parts).toBeLessThan(30);
    at.most.texts = 60;
    socket.resume();
    await eventually(() => {
      expect(at.written.parts).toBe(60);
      expect(at.unread.bytes).toBe(0);
    });
  },
);

test('beyond the bound of its reader, the answer that waits longest is cut', async () => {
  await using at = await served({ ...roomy, principal: 50_000_000 });
  const [first, second] = [at.ask('/whole'), at.ask('/whole')];
  await eventually(() => {
    expect(at.unread.bytes).toBeGreaterThan(20_000_000);
  });
  at.ask('/whole');
  await eventually(async () => {
    // A socket that is not read does not report its end, but writing to it does.
    for (const socket of [first, second]) socket.write('\r\n');
    await Promise.resolve();
    expect([first, second].filter(({ destroyed }) => destroyed)).toHaveLength(1);
  });
  expect(at.unread.bytes).toBeLessThanOrEqual(50_000_000);
});

test('LOA-7 a client that reads nothing of the parts for too long is cut', async () => {
  await using at = await served(roomy, { stallMs: 10, answerBytesPerSec: 1e9 });
  const socket = at.ask('/parts');
  await eventually(() => {
    socket.write('\r\n');
    expect(socket.destroyed).toBe(true);
  });
  expect(at.unread.bytes).toBe(0);
});
