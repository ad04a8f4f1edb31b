/** Hostile changes, as data: bodies, headers and paths that are designed to do harm. */
import type { Chooser } from './chooser.js';
import type { FuzzRequest, WireRequest } from './draft.js';
import type { WireChange } from './wire-changes.js';

const BODY_MAX = 65_536;

/** Returns a change of the bytes of the body. A request without a body gets one. */
function withBody(
  name: string,
  change: (body: Buffer, chooser: Chooser) => Uint8Array,
): WireChange {
  return {
    name,
    apply: ({ wire }, chooser) => {
      const body = Buffer.from(wire.body ?? Buffer.from('{}'));
      const hasType = wire.headers.some(([header]) => /^content-type$/i.test(header));
      const type = hasType ? [] : ([['Content-Type', 'application/json']] as const);
      return { body: change(body, chooser), headers: [...wire.headers, ...type] };
    },
  };
}

/** Returns a change of the body as text. */
function withText(name: string, change: (text: string, chooser: Chooser) => string): WireChange {
  return withBody(name, (body, chooser) => Buffer.from(change(body.toString(), chooser)));
}

/** Returns a change that adds a member to the outermost object of the body. */
function withMember(name: string, member: (chooser: Chooser) => string): WireChange {
  return withText(name, (text, chooser) =>
    text.length <= 2 ? `{${member(chooser)}}` : text.replace(/^\{/, () => `{${member(chooser)},`),
  );
}

function withHeader(name: string, headers: WireRequest['headers']): WireChange {
  return {
    name,
    apply: ({ wire }) => ({
      headers: [
        ...wire.headers.filter(([old]) => !headers.some(([fresh]) => same(old, fresh))),
        ...headers,
      ],
    }),
  };
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function withPath(name: string, change: (path: string, chooser: Chooser) => string): WireChange {
  return {
    name,
    apply: ({ wire }: FuzzRequest, chooser) => {
      const [path = '', query] = wire.target.split('?', 2);
      return { target: `${change(path, chooser)}${query === undefined ? '' : `?${query}`}` };
    },
  };
}

/** Returns a change that inserts text after a slash of the path. */
function inPath(name: string, text: string): WireChange {
  return withPath(name, (path, chooser) => {
    const parts = path.split('/');
    parts.splice(chooser.between(1, parts.length), 0, text);
    return parts.join('/');
  });
}

const nested = (open: string, close: string, depth: number): string =>
  open.repeat(depth) + close.repeat(depth);

const INVALID_BYTES: readonly number[][] = [
  [0xff],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x82],
  [0x00],
  [0xef, 0xbb, 0xbf],
];

/** Bodies. */
const bodies: readonly WireChange[] = [
  withBody('random bytes', (_body, chooser) => chooser.bytes(chooser.between(1, 200))),
  withBody('a byte turned', (body, chooser) => {
    body[chooser.below(body.length)] = chooser.below(256);
    return body;
  }),
  withBody('bytes that are no UTF-8', (body, chooser) => {
    const at = chooser.below(body.length + 1);
    const bytes = Buffer.from(chooser.pick(INVALID_BYTES));
    return Buffer.concat([body.subarray(0, at), bytes, body.subarray(at)]);
  }),
  withBody('cut short', (body, chooser) => body.subarray(0, chooser.below(body.length))),
  withBody('UTF-16', (body) => Buffer.from(body.toString(), 'utf16le')),
  withText('text behind the end', (text) => `${text} {}`),
  withText('a comment', (text) => `/* */${text}`),
  withText('single quotes', (text) => text.replaceAll('"', "'")),
  withText('a comma too many', (text) => text.replace(/\}$/, ',}')),
  withText('only white space', () => ' \n\t'),
  withText('a bare value', (_text, chooser) =>
    chooser.pick(['null', '1', '"x"', '[]', 'true', '']),
  ),
  withText('a list around it', (text) => `[${text}]`),
  withMember('depth at the bound', () => `"deep":${nested('[', ']', 62)}`),
  withMember('depth beyond the bound', () => `"deep":${nested('[', ']', 64)}`),
  withMember('great depth', () => `"deep":${nested('[', ']', 20_000)}`),
  withMember('great depth without an end', () => `"deep":${'{"a":'.repeat(10_000)}`),
  withMember('__proto__', () => '"__proto__":{"polluted":true}'),
  withMember('constructor', () => '"constructor":{"prototype":{"polluted":true}}'),
  withMember('toString', () => '"toString":null'),
  withMember('a huge text', () => `"x":"${'x'.repeat(60_000)}"`),
  withMember('a huge name', () => `"${'n'.repeat(60_000)}":1`),
  withMember('many members', () => Array.from({ length: 5_000 }, (_u, at) => `"m${at}":0`).join()),
  withMember('a huge number', () => `"n":${'9'.repeat(50_000)}`),
  withMember('a long fraction', () => `"n":0.${'1'.repeat(50_000)}`),
  withMember('lone surrogates', () => '"s":"\\ud800\\udc00\\ud800"'),
  withMember('many escapes', () => `"s":"${'\\u0041'.repeat(8_000)}"`),
  withBody('a body at the bound', (body) => padded(body, BODY_MAX)),
  withBody('a body one beyond the bound', (body) => padded(body, BODY_MAX + 1)),
  withBody('a body far beyond the bound', (body) => padded(body, 4 * BODY_MAX)),
  withBody('no body', () => new Uint8Array()),
];

function padded(body: Buffer, bytes: number): Uint8Array {
  return Buffer.concat([body, Buffer.alloc(Math.max(0, bytes - body.length), ' ')]);
}

const TYPES = [
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
  ...['application/json; charset=utf-16', 'APPLICATION/JSON', 'application/problem+json', '*/*'],
  ...['application/jsonx', 'json', '', 'application/json, text/plain', 'application/json\t; q=1'],
];

/** Headers. */
const headers: readonly WireChange[] = [
  ...TYPES.map((type) => withHeader(`the media type '${type}'`, [['Content-Type', type]])),
  withHeader('a body said to be compressed', [['Content-Encoding', 'gzip']]),
  withHeader('a forged address', [['X-Forwarded-For', '10.1.2.3, 127.0.0.1']]),
  withHeader('no address', [['X-Forwarded-For', 'unknown, [::1]:80, %00, 999.1.1.1']]),
  withHeader('a long list of addresses', [['X-Forwarded-For', '10.0.0.1,'.repeat(1_000)]]),
  withHeader('a forged real address', [['X-Real-IP', '::ffff:10.0.0.1']]),
  withHeader('another method in a header', [['X-HTTP-Method-Override', 'DELETE']]),
  withHeader('another path in a header', [['X-Original-URL', '/admin/stats']]),
  withHeader('a long request id', [['X-Request-Id', 'r'.repeat(129)]]),
  withHeader('a strange request id', [['X-Request-Id', 'é <b> "\\']]),
  withHeader('a long user agent', [['User-Agent', 'u'.repeat(8_000)]]),
  withHeader('a user agent with colours', [['User-Agent', '\u0080\u009b31m ${jndi:x}']]),
  withHeader('an origin', [['Origin', 'https://evil.example']]),
  withHeader('a preflight', [
    ['Access-Control-Request-Method', 'DELETE'],
    ['Origin', 'null'],
  ]),
  withHeader('cookies', [['Cookie', `session=akst1_x; ${'c=1; '.repeat(500)}`]]),
  withHeader('ranges', [
    ['Range', 'bytes=0-0,1-1'],
    ['If-None-Match', '*'],
    ['If-Match', '"x"'],
  ]),
  withHeader('unwanted forms', [
    ['Accept', 'text/html'],
    ['Accept-Encoding', 'identity;q=0, *;q=0'],
  ]),
  withHeader('an expectation', [
    ['X-Expect', '100-continue'],
    ['Upgrade-Insecure-Requests', '1'],
  ]),
  withHeader(
    'many headers',
    Array.from({ length: 60 }, (_u, at) => [`X-Many-${at}`, 'v'] as const),
  ),
  withHeader('a proof with signs', [['Authorization', 'Bearer \u00e9\u00ff']]),
  withHeader('an empty proof', [['Authorization', '']]),
  withHeader('an empty key', [['X-API-Key', '']]),
];

const IDS = ['me', 'null', '0', '-1', '%20', '%00', '*', '%F0%9F%99%82'];

/** Paths. */
const paths: readonly WireChange[] = [
  withPath('a slash at the end', (path) => `${path}/`),
  withPath('two slashes at the start', (path) => `/${path}`),
  withPath('capitals', (path) => path.toUpperCase()),
  withPath('an escaped letter', (path, chooser) => escapedAt(path, chooser)),
  withPath('an escaped path', (path) => path.replaceAll('/', '%2f')),
  withPath('another id', (path, chooser) => withLast(path, chooser.pick(IDS))),
  withPath('a long segment', (path) => withLast(path, 's'.repeat(6_000))),
  inPath('nothing between slashes', ''),
  inPath('up', '..'),
  inPath('up in escapes', '%2e%2e'),
  inPath('up in twofold escapes', '%252e%252e'),
  inPath('up with a slash in escapes', '..%2f..%2f..%2fetc%2fpasswd'),
  inPath('up with a backslash', '..\\..'),
  inPath('up overlong', '%c0%ae%c0%ae'),
  inPath('a parameter of a path', ';x=1'),
  inPath('a NUL', '%00'),
  inPath('a line break', '%0d%0aX-Evil:%201'),
  inPath('a broken escape', '%'),
  inPath('a lone surrogate', '%ed%a0%80'),
  inPath('a bare percent', '%zz'),
  inPath('__proto__', '__proto__'),
  inPath('a pattern', ':id'),
  inPath('a star', '*'),
];

function withLast(path: string, segment: string): string {
  return `${path.slice(0, path.lastIndexOf('/') + 1)}${segment}`;
}

function escapedAt(path: string, chooser: Chooser): string {
  const at = chooser.between(1, path.length - 1);
  const code = path.charCodeAt(at).toString(16).padStart(2, '0');
  return `${path.slice(0, at)}%${code}${path.slice(at + 1)}`;
}

/** The changes. */
export const hostileChanges: readonly WireChange[] = [...bodies, ...headers, ...paths];
