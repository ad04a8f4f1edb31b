/**
 * Paths, media types and header values: traversal and unusual encodings reach no other operation,
 * file or rate limit, and no value can split a response.
 */
import type { OperationName } from '@agentkeep/core';
import { describe, expect, test } from 'vitest';
import { outcome, refused, result } from '@agentkeep/contract-cases/answer';
import { scope, minimalRecord, unknownId } from '@agentkeep/contract-cases/documents';
import { overHttp } from '@agentkeep/contract-cases/http-fixture';
import { contractRoute, fillPath, parameterOf, routes } from '@agentkeep/client/routes';
import { operationOf } from './every-call.js';
import { answersTo, LAST, type RawServer, rawServer, requestOf } from './raw-server.js';

/** Segments that climb, hide or end a path. */
const SEGMENTS = [
  ...['..%2f..%2fhealth', '%2e%2e%2fhealth', '..%5c..%5chealth', '%2e%2e', '..%00', '%00'],
  ...['....%2f%2fhealth', '%252e%252e%252fhealth', '%c0%ae%c0%ae', '%ff', '%zz', '%', '%2'],
  ...['~', '*', 'C:%5cwindows%5cwin.ini', 'file:%2f%2f%2fetc%2fpasswd', '%2fetc%2fpasswd'],
  ...[
    `${unknownId}%00`,
    `${unknownId}%2f..`,
    `${unknownId}.json`,
    `${unknownId}%20`,
    '20260101-000000-000',
  ],
];

/** Returns the statuses of requests sent one after another on one connection. */
async function statusesOf(at: RawServer, starts: readonly string[], headers = '') {
  const bytes = starts.map((start) => requestOf(start, headers)).join('');
  const answers = await answersTo(at.server, bytes + LAST);
  expect(answers).toHaveLength(starts.length + 1);
  return answers.slice(0, -1);
}

describe('a path segment that climbs', () => {
  test('is an unknown id in every path', async () => {
    await using at = await rawServer();
    const master = await at.t.master();
    for (const [name, { method, path }] of Object.entries(routes)) {
      if (parameterOf(path) === undefined) continue;
      const operation = operationOf(name as OperationName);
      const isGlobal = operation.kind === 'installation';
      const token = isGlobal ? master.token : at.t.admin.token;
      const starts = SEGMENTS.map((segment) => `${method} ${fillPath(path, segment)}`);
      const answers = await statusesOf(at, starts, `Authorization: Bearer ${token}\n`);
      for (const [index, { status, body }] of answers.entries()) {
        // A lockout has a status even for an unused name.
        const expected = name === 'getLockout' ? [200, 400, 404] : [400, 403, 404, 405];
        expect(expected, starts[index]).toContain(status);
        expect(body, starts[index]).not.toMatch(/root:|\[fonts\]|ENOENT|node:|healthy/);
      }
    }
  });

  test('reaches no file but those of the reference page, by their exact paths', async () => {
    await using at = await rawServer();
    const files = [
      ...['/data.mdb', '/agentkeep.json', '/snapshots/latest', '/.git/config', '/package.json'],
      ...['/../../etc/passwd', '/..%2f..%2fetc%2fpasswd', '/%2e%2e/%2e%2e/etc/passwd', '/.env'],
      ...['/static/../../x', '/docs/', '/favicon.ico', '/robots.txt', '/.well-known/', '/admin'],
      ...['/docs/..', '/docs/../package.json', '/docs/..%2f..%2fpackage.json', '/docs/cli.js'],
      ...['/docs/%2e%2e/cli.js', '/docs/index.html', '/docs//page.js', '/docs/page.js%00.css'],
      ...['/admin/snapshots/20260101-000000-000', '/admin/snapshot/../../data', '/%00', '/./'],
    ];
    const starts = files.flatMap((path) => [`GET ${path}`, `GET ${path}?x=../../etc/passwd`]);
    const answers = await statusesOf(at, starts, `Authorization: Bearer ${at.t.admin.token}\n`);
    for (const [index, { status }] of answers.entries()) expect(status, starts[index]).toBe(404);
  });
});

test('a whole URL as target has the path that was sent, like a path alone', async () => {
  await using at = await rawServer();
  const master = await at.t.master();
  const proof = `Authorization: Bearer ${master.token}\n`;
  const paths: [path: string, status: number][] = [
    ['/admin/stats', 200],
    ['/api/v1/../../admin/stats', 404],
    ['/x/%2e%2e/admin/stats', 404],
    ['/./admin/stats', 404],
    ['/admin/stats?x=/../..', 400],
    ['', 404],
    ['?/admin/stats', 404],
  ];
  for (const [path, status] of paths) {
    for (const origin of ['', 'http://x', 'https://u:p@evil.example:99']) {
      const target = origin === '' && !path.startsWith('/') ? `/${path}` : `${origin}${path}`;
      const [answer] = await statusesOf(at, [`GET ${target}`], proof);
      expect(answer?.status, target).toBe(status);
    }
  }
});

describe('a path in another spelling', () => {
  const paths = (plain: string): string[] => [
    plain.replace('v1', '%761'),
    plain.replace('/api', '/%61pi'),
    plain.replace('/api/v1', '/api/./v1'),
    plain.replace('/api/v1', '/api/x/../v1'),
    plain.replace('/api/v1', '/api/%2e/v1'),
    plain.replace('/api/v1', '/x/%2e%2e/api/v1'),
    plain.replace('/api/v1/', '/api/v1//'),
    plain.replace('/api', '/API'),
    plain.replace('/api/v1/', '/api/v1%2f'),
    ...['?x=1', '#x', '/', '%2f', ';x', '%20', '%00', '.', '%2e'].map((end) => plain + end),
  ];

  test('is counted like the path it resolves to, or does not resolve', async () => {
    const limit = {
      id: 'p',
      name: 'p',
      endpointType: 'Login',
      maxRequests: 1,
      windowSecs: 86_400,
      enabled: true,
      createdAtMillis: 0,
      updatedAtMillis: 0,
      createdBy: 'system',
    } as const;
    await using at = await rawServer({}, { rateLimitPolicies: [limit] });
    const plain = 'POST /api/v1/auth/login';
    const [first, second] = await statusesOf(at, [plain, plain]);
    expect([first?.status, second?.status]).toEqual([400, 429]);
    const answers = await statusesOf(at, paths(plain));
    for (const [index, { status }] of answers.entries()) {
      expect([404, 429], paths(plain)[index]).toContain(status);
    }
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(2);
  });

  test('needs a proof like any other', async () => {
    await using at = await rawServer();
    const answers = await statusesOf(at, paths('GET /api/v1/identity'));
    for (const [index, { status }] of answers.entries()) {
      expect([401, 404], paths('GET /api/v1/identity')[index]).toContain(status);
    }
  });
});

describe('a value that could split a response', () => {
  overHttp('is replaced, as a request id', async (http) => {
    for (const id of ['a\tb', 'a b', 'é', 'x'.repeat(129), '\u00ff', 'a\u00a0b']) {
      const { headers } = await http.send('GET', '/health', { headers: { 'X-Request-Id': id } });
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
    for (const id of ['a\r\nSet-Cookie: x=1', 'a\nb', 'a\0b']) {
      expect(() => new Headers({ 'X-Request-Id': id })).toThrow(TypeError);
    }
  });

  overHttp('is refused or returned inside JSON, as an idempotency key or a text', async (http) => {
    const agent = await http.fixture.agent();
    for (const text of ['a\r\nSet-Cookie: x=1', 'a\nb', 'a\u0000b']) {
      expect(outcome(await agent.create(scope, minimalRecord, text))).toBe(refused.invalid);
    }
    for (const key of ['a%0d%0ab', '<script>', '"\\', 'a\u2028b']) {
      const { receipt } = result(await agent.create(scope, minimalRecord, key));
      expect(receipt.idempotency_key).toBe(key);
    }
  });

  overHttp('appears in no header of any response', async (http) => {
    const marks = { 'User-Agent': 'marked', Origin: 'https://marked.example', Cookie: 'a=marked' };
    for (const { path } of [...Object.values(routes), contractRoute]) {
      const reply = await http.send('GET', `${fillPath(path, 'marked')}?marked=marked`, {
        headers: { ...marks, 'X-Forwarded-Host': 'marked', Host: 'marked.example' },
      });
      expect(JSON.stringify([...reply.headers]), path).not.toContain('marked');
      // A refusal of a call without a proof may name the parameter that is wrong.
      const body = { ...(reply.body as object), members: [] };
      expect(JSON.stringify(body), path).not.toContain('marked');
    }
  });
});
