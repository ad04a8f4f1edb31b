/** What a sender connects to, and what it makes of answers. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import type { WebhookAnswer, WebhookRequest } from '@agentkeep/core';
import { afterEach, describe, expect, test } from 'vitest';
import { httpWebhookSender, type HttpWebhookSenderOptions } from './http-webhook-sender.js';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Starts a receiver on loopback; returns its port. */
async function receiver(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<number> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  );
  return (server.address() as AddressInfo).port;
}

/** Starts a receiver that answers these bytes and stays; returns its address. */
async function rawReceiver(bytes: string): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('data', () => socket.write(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
}

const loopback: HttpWebhookSenderOptions = { allowedAddresses: ['127.0.0.1'] };

function send(
  url: string,
  options: HttpWebhookSenderOptions = loopback,
  request: Partial<WebhookRequest> = {},
): Promise<WebhookAnswer> {
  return httpWebhookSender(options).send({
    tenantId: 'acme',
    url,
    headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
    body: '{"a":"ü"}',
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    ...request,
  });
}

describe('answers', () => {
  test('HOK-19 a receiver gets body and headers, and its status counts', async () => {
    const seen: unknown[] = [];
    const port = await receiver((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        const { method, url, headers } = request;
        seen.push({ method, url, id: headers['webhook-id'], host: headers.host, body });
        response.writeHead(202).end('thanks');
      });
    });
    const url = `http://hooks.example.test:${String(port)}/in?key=1`;
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const answer = await send(url, { ...loopback, resolve });
    expect(answer).toEqual({ kind: 'answered', status: 202, retryAfterMs: null });
    const host = `hooks.example.test:${String(port)}`;
    expect(seen).toEqual([
      { method: 'POST', url: '/in?key=1', id: 'msg_1', host, body: '{"a":"ü"}' },
    ]);
  });

  test('HOK-22 a redirect is not followed', async () => {
    const paths: (string | undefined)[] = [];
    const port = await receiver((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/other' }).end();
    });
    const answer = await send(`http://127.0.0.1:${String(port)}/first`);
    expect(answer).toMatchObject({ kind: 'answered', status: 307 });
    expect(paths).toEqual(['/first']);
  });

  test.each([
    ['120', 120_000],
    ['Wed, 21 Oct 2026 07:28:00 GMT', null],
    ['-1', null],
  ])('Retry-After %j', async (header, retryAfterMs) => {
    const port = await receiver((_, response) => {
      response.writeHead(503, { 'retry-after': header }).end();
    });
    const answer = await send(`http://127.0.0.1:${String(port)}/`);
    expect(answer).toEqual({ kind: 'answered', status: 503, retryAfterMs });
  });

  test('an answer is taken at its head, and its body cut off', async () => {
    let isOver: () => void = () => undefined;
    const over = new Promise<void>((resolve) => (isOver = resolve));
    const port = await receiver((_, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(16_384);
      const more = (): void => {
        while (response.write(chunk));
      };
      response.on('drain', more).on('close', isOver);
      more();
    });
    const answer = await send(`http://127.0.0.1:${String(port)}/`);
    expect(answer).toMatchObject({ status: 200 });
    await over;
  });

  test('HOK-22 no answer in time is a timeout', async () => {
    const port = await receiver(() => undefined);
    const url = `http://127.0.0.1:${String(port)}/`;
    expect(await send(url, loopback, { timeoutMs: 50 })).toEqual({
      kind: 'failed',
      reason: 'timeout',
    });
  });

  test('no name in time is a timeout too', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    const url = 'https://hooks.example.test/';
    expect(await send(url, { resolve }, { timeoutMs: 50 })).toEqual({
      kind: 'failed',
      reason: 'timeout',
    });
  });

  test('a closed port, a stranger to HTTP and one to TLS', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined).resume();
      socket.end('hello\r\n\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const protocol = await send(`http://127.0.0.1:${String(port)}/`);
    const tls = await send(`https://127.0.0.1:${String(port)}/`);
    await new Promise((resolve) => server.close(resolve));
    const closed = await send(`http://127.0.0.1:${String(port)}/`);
    expect([protocol, tls, closed]).toEqual(
      ['protocol', 'tls', 'unreachable'].map((reason) => ({ kind: 'failed', reason })),
    );
  });

  test.each([
    [
      'an upgrade',
      'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      'protocol',
    ],
    ['101 without an upgrade', 'HTTP/1.1 101 Switching\r\n\r\n', 'protocol'],
    ['1xx without end', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(20), 'protocol'],
    ['1xx alone', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'timeout'],
    ['a head that does not end', 'HTTP/1.1 200 OK\r\nX: ', 'timeout'],
    ['a status that HTTP does not have', 'HTTP/1.1 999 No\r\n\r\n', 'protocol'],
    ['a head that is too large', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`, 'protocol'],
  ])('%s is a failure', async (_, bytes, reason) => {
    const url = await rawReceiver(bytes);
    // A busy machine may read the bytes after a short time only.
    const limits = reason === 'timeout' ? { timeoutMs: 500 } : {};
    expect(await send(url, loopback, limits)).toEqual({ kind: 'failed', reason });
  });

  test('an answer after an announcement counts', async () => {
    const url = await rawReceiver('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 OK\r\n\r\n');
    expect(await send(url)).toMatchObject({ kind: 'answered', status: 204 });
  });

  test('a TLS handshake that does not end is a timeout', async () => {
    const url = await rawReceiver('');
    const tls = url.replace('http:', 'https:');
    expect(await send(tls, loopback, { timeoutMs: 50 })).toEqual({
      kind: 'failed',
      reason: 'timeout',
    });
  });

  test('a request for which there is no place is not sent', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    const sender = httpWebhookSender({ resolve });
    const request = { tenantId: 'acme', url: 'https://a.test/', headers: {}, body: '{}' };
    const ending = new AbortController();
    const limits = { timeoutMs: 60_000, signal: ending.signal };
    const waiting = Array.from({ length: 4 }, () => sender.send({ ...request, ...limits }));
    expect(await sender.send({ ...request, ...limits })).toEqual({ kind: 'busy' });
    ending.abort();
    await Promise.all(waiting);
    expect(await sender.send({ ...request, ...limits })).toMatchObject({ kind: 'failed' });
  });

  test('an unknown name, the end of the keep, and no URL at all', async () => {
    const resolve = () => Promise.resolve([]);
    const unknown = await send('https://hooks.example.test/', { resolve });
    const aborted = await send('https://127.0.0.1/', loopback, { signal: AbortSignal.abort() });
    const noUrl = await send('hooks.example.test');
    const failed = { kind: 'failed', reason: 'unreachable' };
    expect([unknown, aborted, noUrl]).toEqual([failed, failed, failed]);
  });
});

describe('addresses', () => {
  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0/',
    'https://10.1.2.3/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://172.31.0.1/',
    'https://192.168.1.1/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::a00:1]/',
    'https://[2002:a00:1::]/',
    'https://[2001:0:a00:1::]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[ff02::1]/',
    'http://93.184.215.14/',
    'https://localhost/',
  ])('HOK-C11 %s is refused', async (url) => {
    expect(await send(url, {})).toEqual({ kind: 'failed', reason: 'address_refused' });
  });

  test('HOK-31 a name is refused when one of its addresses is', async () => {
    const resolve = () =>
      Promise.resolve([
        { address: '93.184.215.14', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]);
    const answer = await send('https://hooks.example.test/', { resolve });
    expect(answer).toEqual({ kind: 'failed', reason: 'address_refused' });
  });

  test('HOK-31 a name that changes its meaning is called where it was checked', async () => {
    const port = await receiver((_, response) => {
      response.writeHead(200).end();
    });
    let looks = 0;
    const resolve = () => {
      looks += 1;
      return Promise.resolve([{ address: looks === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]);
    };
    const url = `http://hooks.example.test:${String(port)}/`;
    expect(await send(url, { ...loopback, resolve })).toMatchObject({ status: 200 });
    expect(looks).toBe(1);
  });
});
