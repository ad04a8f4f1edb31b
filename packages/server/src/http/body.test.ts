/** Truncated bodies are refused at any time. */
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { AgentkeepError } from '@agentkeep/core';
import { expect, test } from 'vitest';
import { startServer } from '../lifecycle/start-server.js';
import { readDocument } from './body.js';
import { receivedRequest } from './received.js';

const head = (framing: string): string =>
  `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`;

/** Reads a body only after its request is closed, and returns the result. */
async function readLate(bytes: string, hangUp: boolean): Promise<unknown> {
  let outcome: unknown;
  const read = async (request: Request, incoming: IncomingMessage): Promise<Response> => {
    const closed = new Promise((resolve) => incoming.once('close', resolve));
    if (hangUp) client.destroy();
    await closed;
    outcome = await readDocument(receivedRequest(request, { incoming }), {}).catch(
      (error: unknown) => error,
    );
    return new Response();
  };
  const app = {
    fetch: (request: Request, env: { incoming: IncomingMessage }) => read(request, env.incoming),
  };
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  const client = connect(server.port, '127.0.0.1').on('error', () => undefined);
  const ended = new Promise((resolve) => client.once('close', resolve));
  client.resume().write(bytes);
  await ended;
  await server.stop();
  return outcome;
}

test.each([
  ['by a client that hangs up', `${head('Content-Length: 60')}{"a":`, true],
  ['behind all of it', `${head('Content-Length: 2')}{}`, true],
  ['by a chunk that is none', `${head('Transfer-Encoding: chunked')}-3\r\n`, false],
])('a request that ends before its body is read is refused: %s', async (_, bytes, hangUp) => {
  const outcome = await readLate(bytes, hangUp);
  expect(outcome).toBeInstanceOf(AgentkeepError);
  expect(outcome).toMatchObject({ code: 'invalid_request' });
});
