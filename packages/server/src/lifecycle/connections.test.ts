/** Time limits for clients that keep a connection busy. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { parseAddressRanges } from '../rate-limit/address-ranges.js';
import { ConnectionRoom } from './connection-room.js';
import { Connections } from './connections.js';

const limits = { stallMs: 10, answerBytesPerSec: 1e9 };
const room = (): ConnectionRoom =>
  new ConnectionRoom({ connections: 10, connectionsPerAddress: 10 }, parseAddressRanges([]));
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server with short limits that replies once it has the whole body. */
async function setUp(answer: string) {
  const server = createServer();
  servers.push(server);
  const connections = new Connections(server, limits, room());
  const accepted = new Promise<void>((resolve) => {
    server.on('request', (incoming, outgoing) => {
      const start = (): void => {
        incoming.resume().once('end', () => {
          connections.answered(incoming);
          outgoing.end(answer);
        });
        resolve();
      };
      connections.accept(incoming, outgoing, { start, refuse: () => outgoing.end('late') });
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const client: Socket = connect(port, '127.0.0.1');
  client.on('error', () => undefined);
  return { server, connections, accepted, client };
}

it('cuts a connection whose body is incomplete', async () => {
  const { connections, accepted, client } = await setUp('never');
  client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf');
  await accepted;
  connections.drain();
  expect(connections.count).toBe(1);
  connections.cut();
  await once(client, 'close');
  expect(client.bytesRead).toBe(0);
});

it('cuts a connection whose client does not read its response', async () => {
  const { server, client } = await setUp('x'.repeat(50_000_000));
  client.pause();
  const [socket] = (await once(server, 'connection')) as [Socket];
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'close');
  expect(socket.bytesWritten).toBeLessThanOrEqual(50_001_000);
  expect(socket.destroyed).toBe(true);
});

it('cuts a connection whose client sends more requests but reads no response', async () => {
  const { server, client } = await setUp('x'.repeat(50_000_000));
  client.pause();
  const [socket] = (await once(server, 'connection')) as [Socket];
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
  await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
});

it('cuts a connection whose client keeps sending but does not read its response', async () => {
  const { server, client } = await setUp('x'.repeat(10_000_000));
  client.pause();
  const [socket] = (await once(server, 'connection')) as [Socket];
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const timer = setInterval(() => client.write('\r\n'), 1);
  await once(socket, 'close');
  clearInterval(timer);
  expect(socket.destroyed).toBe(true);
});

it('keeps an idle connection open between requests', async () => {
  const { client, connections } = await setUp('short');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(client, 'data');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(client, 'data');
  expect(connections.count).toBe(1);
});
