/**
 * Changes at the level of bytes, as data: malformed requests, and requests that two parsers could
 * read differently.
 */
import type { WireRequest } from './draft.js';
import { bytesOf } from './socket-transport.js';
import type { WireChange } from './wire-changes.js';

/** Returns a change of the head of a request. */
function withHead(name: string, change: (head: string) => string): WireChange {
  return {
    name,
    apply: ({ wire }) => {
      const bytes = Buffer.from(bytesOf(wire));
      const end = bytes.indexOf('\r\n\r\n') + 4;
      const head = change(bytes.subarray(0, end).toString('latin1'));
      return { raw: Buffer.concat([Buffer.from(head, 'latin1'), bytes.subarray(end)]) };
    },
  };
}

/** Returns a change that adds lines at the end of the head. */
function withLines(name: string, ...lines: readonly string[]): WireChange {
  return withHead(name, (head) => `${head.slice(0, -2)}${lines.join('\r\n')}\r\n\r\n`);
}

/** Returns a change to a valid request that `Request` does not support. */
function withWire(name: string, change: (wire: WireRequest) => Partial<WireRequest>): WireChange {
  return { name, apply: ({ wire }) => change(wire) };
}

/** The changes. */
export const rawChanges: readonly WireChange[] = [
  withLines('two lengths', 'Content-Length: 1', 'Content-Length: 2'),
  withLines('a length and chunks', 'Transfer-Encoding: chunked', 'Content-Length: 5'),
  withLines('an unknown encoding', 'Transfer-Encoding: xchunked'),
  withLines('a folded header', 'X-Folded: a', ' b'),
  withLines('a header with a space before its colon', 'X-Space : a'),
  withLines('a NUL in a header', 'X-Nul: a\0b'),
  withLines('a bare line feed', 'X-Feed: a\nX-Next: b'),
  withLines('a negative length', 'Content-Length: -1'),
  withLines('a length in hexadecimal', 'Content-Length: 0x10'),
  withLines('a huge header', `X-Huge: ${'h'.repeat(100_000)}`),
  withLines('very many headers', ...Array.from({ length: 3_000 }, (_u, at) => `X-H${at}: v`)),
  withHead('no host', (head) => head.replace(/^Host:.*\r\n/m, '')),
  withHead('two hosts', (head) => head.replace('Host: localhost', 'Host: a\r\nHost: b')),
  withHead('a strange host', (head) => head.replace('Host: localhost', 'Host: a b<>/@:99999')),
  withHead('another protocol', (head) => head.replace('HTTP/1.1', 'HTTP/9.9')),
  withHead('no protocol', (head) => head.replace(' HTTP/1.1', '')),
  withHead('bytes of TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'),
  withHead('a huge path', (head) => head.replace(' /', ` /${'p'.repeat(100_000)}`)),
  withHead('a tunnel', (head) => head.replace(/^\w+ \S+/, 'CONNECT localhost:443')),
  withHead('another protocol to switch to', (head) =>
    head.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'),
  ),
];

/** Changes after which requests are still valid HTTP. */
export const socketChanges: readonly WireChange[] = [
  withWire('a whole address as target', ({ target }) => ({ target: `http://localhost${target}` })),
  withWire('a fragment', ({ target }) => ({ target: `${target}#x` })),
  withWire('bytes beyond ASCII in the path', ({ target }) => ({ target: `${target}\u00e9\u00ff` })),
  withWire('TRACE', () => ({ method: 'TRACE' })),
  withWire('an unwanted body', ({ headers }) => ({
    headers: [...headers, ['Content-Type', 'application/json']],
    body: Buffer.from('{"a":1}'),
  })),
  withWire('a header twice', ({ headers }) => ({
    headers: [...headers, ...headers, ['X-Request-Id', 'a'], ['X-Request-Id', 'b']],
  })),
];
