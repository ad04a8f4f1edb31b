/** A real server on a loopback port, and clients that send arbitrary bytes. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Store } from '@agentkeep/core';
import { testStore } from '@agentkeep/testkit/test-store';
import type { ServerOptions } from '../../src/http/create-server.js';
import type { Logger } from '../../src/log/logger.js';
import {
  type RunningServer,
  type StartOptions,
  startServer,
} from '../../src/lifecycle/start-server.js';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { type Fixture, tenant } from '@agentkeep/contract-cases/fixture';
import { appOf } from '@agentkeep/contract-cases/http-driver';

/** A tenant that is served on a socket. */
export interface RawServer extends AsyncDisposable {
  readonly t: Fixture;
  readonly server: RunningServer;
  /** Method and path of every request that reached the app. */
  readonly reached: string[];
}

/** One response as received. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Serves a new tenant, by default in a store of its own. */
export async function rawServer(
  options: Partial<StartOptions> = {},
  appOptions: ServerOptions = {},
  store: Store = testStore(),
): Promise<RawServer> {
  const reached: string[] = [];
  const none = (): void => undefined;
  const info = (_message: string, fields?: object): void => {
    if (fields === undefined || !('path' in fields) || !('method' in fields)) return;
    reached.push(`${String(fields.method)} ${String(fields.path)}`);
  };
  const log: Logger = { error: info, warn: none, info, debug: none };
  const t = await tenant(drivers[0]!, store);
  const app = appOf(t.keep, { log, ...appOptions });
  const server = await startServer(app, { host: '127.0.0.1', port: 0, ...options });
  return {
    t,
    server,
    reached,
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await t.keep.close();
    },
  };
}

/** Opens a connection that sends nothing by itself and tolerates a reset. */
export async function opened({ port }: RunningServer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Resolves at the end of a connection, including a reset. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => {
      resolve();
    });
  });
}

/** Sends bytes and returns all responses until the server closes the connection. */
export async function answersTo(server: RunningServer, bytes: string): Promise<RawAnswer[]> {
  const socket = await opened(server);
  const heard: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => heard.push(chunk));
  socket.write(bytes, 'latin1');
  await closed(socket);
  return answersIn(Buffer.concat(heard).toString('latin1'));
}

/** Sends some bytes, waits, sends the rest, and returns the one answer. */
export async function answerInParts(
  server: RunningServer,
  [first, rest]: readonly [first: string, rest: string],
  meanwhile: () => Promise<unknown>,
): Promise<RawAnswer> {
  const socket = await opened(server);
  const heard: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => heard.push(chunk));
  socket.write(first, 'latin1');
  await meanwhile();
  const end = closed(socket);
  socket.write(rest, 'latin1');
  await end;
  const [answer] = answersIn(Buffer.concat(heard).toString('latin1'));
  if (answer === undefined) throw new Error('There is no answer.');
  return answer;
}

/** Splits the received bytes into responses by their lengths. */
function answersIn(heard: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = heard;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) throw new Error(`This is no answer: ${rest.slice(0, 200)}`);
    const head = rest.slice(0, end);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) throw new Error('The last answer breaks off.');
    answers.push({ status, head, body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

/** Returns a request with these headers; `\n` becomes a line end. */
export function requestOf(start: string, headers: string, body = ''): string {
  return `${start} HTTP/1.1\nHost: x\n${headers}\n`.replaceAll('\n', '\r\n') + body;
}

/** A request after which the server closes the connection. */
export const LAST = requestOf('GET /health', 'Connection: close\n');

/** A request for attackers to hide in another one. */
export const SMUGGLED = requestOf('GET /smuggled', '');
