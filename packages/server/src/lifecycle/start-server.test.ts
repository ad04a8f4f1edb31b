/** Serving on real sockets: responses, refusals and the graceful stop. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Logger } from '../log/logger.js';
import { ListenError } from './listen-error.js';
import type { ServedApp } from './adapted-answers.js';
import { type RunningServer, startServer, urlOf } from './start-server.js';

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function deferred(): Deferred {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** A client that sends raw bytes and records what it receives. */
class RawClient {
  readonly socket: Socket;
  readonly ended: Promise<unknown>;
  heard = '';

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (chunk) => {
      this.heard += chunk.toString('latin1');
      this.socket.emit('heard');
    });
    this.socket.on('error', () => undefined);
    this.ended = once(this.socket, 'close');
  }

  send(text: string): this {
    this.socket.write(text.replaceAll('\n', '\r\n'));
    return this;
  }

  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.heard)) await once(this.socket, 'heard');
    return this.heard;
  }
}

const running: RunningServer[] = [];
const clients: RawClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.destroy();
  await Promise.allSettled(running.splice(0).map((server) => server.stop()));
});

/** Starts a server whose app answers `/slow` only when the gate opens. */
async function setUp(fetch?: ServedApp['fetch']) {
  const gate = deferred();
  const reached = deferred();
  const events: string[] = [];
  const seen: string[] = [];
  const note =
    (level: string) =>
    (message: string): void => {
      events.push(`${level} ${message}`);
    };
  const log: Logger = {
    error: note('error'),
    warn: note('warn'),
    info: note('info'),
    debug: note('debug'),
  };
  const app: ServedApp = {
    fetch:
      fetch ??
      (async (request) => {
        const { pathname } = new URL(request.url);
        seen.push(pathname);
        const body = request.method === 'POST' ? await request.text() : pathname;
        if (pathname === '/slow') {
          reached.resolve();
          await gate.promise;
          events.push('work done');
        }
        return new Response(body);
      }),
  };
  const release = async (): Promise<void> => {
    events.push('released');
  };
  const server = await startServer(app, { host: '127.0.0.1', port: 0, log, release });
  running.push(server);
  const client = (): RawClient => {
    const made = new RawClient(server.port);
    clients.push(made);
    return made;
  };
  return { server, gate, reached, events, seen, client };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\nHost: x\n\n`;

async function refusesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => {
      resolve(true);
    });
  });
}

describe('startServer', () => {
  it('serves several requests per connection on the reported address', async () => {
    const { server, client } = await setUp();
    expect(await (await fetch(`${server.url}/one`)).text()).toBe('/one');
    const heard = await client()
      .send(get('/two') + get('/three'))
      .until(/\/three$/);
    expect(heard.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });

  it('says what to do when the port is taken', async () => {
    const { server } = await setUp();
    const again = startServer(
      { fetch: () => new Response() },
      { host: '127.0.0.1', port: server.port },
    );
    await expect(again).rejects.toBeInstanceOf(ListenError);
    await expect(again).rejects.toThrow(/port is taken.*another port/);
  });

  it('reports an address that a client can reach', () => {
    expect(urlOf('0.0.0.0', 1)).toBe('http://127.0.0.1:1');
    expect(urlOf('::', 1)).toBe('http://[::1]:1');
    expect(urlOf('example.test', 1)).toBe('http://example.test:1');
  });

  it('answers a crash of the app with 500 and reports it at the stop', async () => {
    const { server, events } = await setUp(() => Promise.reject(new Error('boom')));
    const response = await fetch(server.url);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { code: 'internal_error' } });
    await expect(server.stop()).rejects.toThrow(/crashed/);
    expect(events).toContain('error request task crashed');
    expect(events).not.toContain('info stopped');
  });
});

describe('malformed HTTP', () => {
  it.each([
    ['no HTTP at all', 'hello\n\n', 400],
    ['a header without a colon', 'GET / HTTP/1.1\nHost x\n\n', 400],
    ['no host', 'GET / HTTP/1.1\n\n', 400],
    ['a bad host', 'GET / HTTP/1.1\nHost: a b\n\n', 400],
    [
      'two lengths of a body',
      'POST / HTTP/1.1\nHost: x\nContent-Length: 1\nContent-Length: 2\n\n',
      400,
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\nHost: x\nContent-Length: 3\nTransfer-Encoding: chunked\n\n0\n\n',
      400,
    ],
    ['a broken chunk', 'POST / HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\n\nzz\n', 400],
    ['a tunnel', 'CONNECT x:1 HTTP/1.1\nHost: x\n\n', 400],
    ['too many headers', `GET / HTTP/1.1\nHost: x\nX: ${'y'.repeat(17_000)}\n\n`, 431],
  ])('answers %s with an error envelope', async (_what, bytes, status) => {
    const { client } = await setUp();
    const heard = await client().send(bytes).until(/\}\}$/);
    const [head = '', body = ''] = heard.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(JSON.parse(body)).toMatchObject({
      contract_version: 1,
      error: { code: 'invalid_request' },
    });
    for (const header of [
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      'x-ratelimit-limit: 4294967295',
      'x-request-id: ',
    ]) {
      expect(head.toLowerCase()).toContain(header);
    }
  });

  it('accepts no further request on a broken connection', async () => {
    const { client, seen } = await setUp();
    const broken = client().send(`bad\n\n${get('/smuggled')}`);
    await broken.until(/\}\}$/);
    broken.send(get('/later'));
    await broken.ended;
    expect(broken.heard.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(seen).toEqual([]);
  });

  it('answers the request before the malformed bytes, then refuses these, and nothing after', async () => {
    const { client, gate, reached, seen } = await setUp();
    const mixed = client().send(get('/slow'));
    await reached.promise;
    mixed.send(`bad\n\n${get('/smuggled')}`);
    // A response on a second connection proves that the bytes above have been read.
    await client()
      .send(get('/other'))
      .until(/\/other$/);
    gate.resolve();
    await mixed.ended;
    expect(mixed.heard).toMatch(
      /^HTTP\/1\.1 200 [\s\S]*\/slowHTTP\/1\.1 400 [\s\S]*connection: close/i,
    );
    expect(mixed.heard.match(/HTTP\/1\.1/g)).toHaveLength(2);
    expect(seen).toEqual(['/slow', '/other']);
  });

  it('serves HTTP/1.0 without a host, and any Expect header', async () => {
    const { client } = await setUp();
    await client()
      .send('GET /old HTTP/1.0\n\n')
      .until(/ 200 [\s\S]*\/old$/);
    await client()
      .send('GET /odd HTTP/1.1\nHost: x\nExpect: luck\n\n')
      .until(/ 200 [\s\S]*\/odd/);
  });
});

describe('stop', () => {
  it('OPR-69, OPR-70, OPR-71 finishes accepted requests, refuses all others, then releases', async () => {
    const { server, gate, reached, events, seen, client } = await setUp();
    const idle = client().send(get('/idle'));
    await idle.until(/\/idle$/);
    const silent = client();
    await once(silent.socket, 'connect');
    const busy = client().send(get('/slow'));
    await reached.promise;

    const stopped = server.stop();
    busy.send(get('/too-late'));
    idle.send(get('/late'));
    await idle.ended;
    const refusal = /HTTP\/1\.1 503 [\s\S]*connection: close[\s\S]*"code":"server_stopping"/i;
    expect(idle.heard).toMatch(refusal);
    expect(await refusesConnections(server.port)).toBe(true);
    expect(events).not.toContain('released');
    gate.resolve();
    await stopped;

    await Promise.all([busy.ended, silent.ended]);
    expect(busy.heard).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*\/slow$/i);
    expect(seen).toEqual(['/idle', '/slow']);
    expect(events.slice(-3)).toEqual(['work done', 'released', 'info stopped']);
  });

  it('OPR-70 waits for work whose client has gone', async () => {
    const { server, gate, reached, events, client } = await setUp();
    const gone = client().send(get('/slow'));
    await reached.promise;
    gone.socket.destroy();
    await gone.ended;
    const stopped = server.stop();
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    expect(events).not.toContain('released');
    gate.resolve();
    await stopped;
    expect(events.slice(-3)).toEqual(['work done', 'released', 'info stopped']);
  });

  it('reads the rest of an accepted body', async () => {
    const { server, client } = await setUp();
    const slow = client().send(
      'POST /body HTTP/1.1\nHost: x\nContent-Length: 4\nExpect: 100-continue\n\n',
    );
    await slow.until(/100 Continue/);
    const stopped = server.stop();
    slow.send('body');
    await slow.until(/ 200 [\s\S]*body$/);
    await stopped;
  });

  it('OPR-75 runs once for all callers', async () => {
    const { server, events } = await setUp();
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    expect(events.filter((event) => event === 'released')).toHaveLength(1);
  });

  it('OPR-C60 reports a failed release, stays closed, and can be retried', async () => {
    const failures = [new Error('disk')];
    const events: string[] = [];
    const note = (message: string): void => void events.push(message);
    const log: Logger = { error: note, warn: note, info: note, debug: note };
    const server = await startServer(
      { fetch: () => new Response() },
      {
        host: '127.0.0.1',
        port: 0,
        log,
        release: async () => {
          const failure = failures.pop();
          if (failure !== undefined) throw failure;
        },
      },
    );
    await expect(server.stop()).rejects.toThrow('disk');
    expect(events).not.toContain('stopped');
    expect(await refusesConnections(server.port)).toBe(true);
    await server.stop();
    expect(events).toContain('stopped');
  });
});
