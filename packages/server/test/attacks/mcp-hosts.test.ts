/** Hosts of MCP: a page of another site cannot reach it by another spelling of a local address. */
import { mcpMount } from '@agentkeep/mcp';
import { expect, test } from 'vitest';
import { answersTo, rawServer } from './raw-server.js';

const spellings = [
  ['decimal', '2130706433'],
  ['hexadecimal', '0x7f000001'],
  ['hexadecimal in parts', '0x7f.0x0.0x0.0x1'],
  ['octal', '017700000001'],
  ['octal in parts', '0177.0.0.01'],
  ['short', '127.1'],
  ['another loopback address', '127.0.0.2'],
  ['any address', '0.0.0.0'],
  ['a trailing dot', '127.0.0.1.'],
  ['a name with a trailing dot', 'localhost.'],
  ['a suffix', 'localhost.evil.example'],
  ['user information', 'evil.example@localhost'],
  ['user information after the host', 'localhost@evil.example'],
  ['percent-encoding', '%6cocalhost'],
  ['two ports', 'localhost:80:80'],
  ['a port that is no number', 'localhost:http'],
  ['an empty port', 'localhost:'],
  ['two hosts', 'localhost, evil.example'],
  ['a path', 'localhost/evil.example'],
  ['a query', 'localhost?evil.example'],
  ['a space', 'local host'],
  ['full-width digits', 'localhost\u00b2'],
  ['IPv6 without brackets', '::1'],
  ['IPv6 in full', '[0:0:0:0:0:0:0:1]'],
  ['IPv6 with leading zeros', '[::0001]'],
  ['IPv6 of an IPv4 address', '[::ffff:127.0.0.1]'],
  ['IPv6 of an IPv4 address in hexadecimal', '[::ffff:7f00:1]'],
  ['IPv6 with a zone', '[::1%25lo]'],
  ['any IPv6 address', '[::]'],
] as const;

const accepted = ['localhost', 'LOCALHOST:7474', '127.0.0.1', '127.0.0.1:1', '[::1]', '[::1]:80'];

const served = () => rawServer({}, { mcp: mcpMount() });

/** Sends a message with a host, and an origin of the same host; returns the status. */
async function statusOf(
  { server, t }: Awaited<ReturnType<typeof served>>,
  { host = 'localhost', origin }: { readonly host?: string; readonly origin?: string },
): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const lines = [
    'POST /mcp HTTP/1.1',
    `Host: ${host}`,
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
    `Authorization: Bearer ${t.admin.token}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  const [answer] = await answersTo(server, `${lines.join('\r\n')}\r\n\r\n${body}`);
  return answer?.status ?? 0;
}

test.each(spellings)('%s is no spelling of a local host', async (_, host) => {
  await using at = await served();
  // Some of them are no host at all, which every path refuses.
  expect([400, 403]).toContain(await statusOf(at, { host }));
  expect(await statusOf(at, { origin: `http://${host}` })).toBe(403);
});

test.each(accepted)('%s is a local host', async (host) => {
  await using at = await served();
  expect(await statusOf(at, { host })).toBe(200);
  expect(await statusOf(at, { origin: `http://${host.toLowerCase()}` })).toBe(200);
});

test('an empty Host is refused', async () => {
  await using at = await served();
  expect([400, 403]).toContain(await statusOf(at, { host: '' }));
});
