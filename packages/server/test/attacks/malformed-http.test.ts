/**
 * Malformed and ambiguous HTTP over raw sockets (ASVS 4.2.1): request smuggling, unusual targets,
 * hosts, methods and headers. Each request gets one response, in order; if its end is ambiguous,
 * nothing after it is read and the connection is closed.
 */
import { describe, expect, test } from 'vitest';
import { answersTo, LAST, type RawServer, rawServer, requestOf, SMUGGLED } from './raw-server.js';

const LOGIN = 'POST /api/v1/login';
const JSON_TYPE = 'Content-Type: application/json\n';

/** Returns a login whose body ends ambiguously, with a request hidden after it. */
const post = (headers: string, body: string): string =>
  requestOf(LOGIN, JSON_TYPE + headers, body) + SMUGGLED + LAST;
const chunked = (body: string): string => post('Transfer-Encoding: chunked\n', body);
const END = '0\r\n\r\n';

/** Sends bytes; returns the statuses of all responses, and the requests that reached the app. */
async function told(at: RawServer, bytes: string) {
  const answers = await answersTo(at.server, bytes);
  return { statuses: answers.map(({ status }) => status), reached: at.reached.splice(0), answers };
}

describe('a request with an ambiguous end', () => {
  test.each([
    ['a length and chunks', post('Content-Length: 3\nTransfer-Encoding: chunked\n', END)],
    ['chunks and a length', post('Transfer-Encoding: chunked\nContent-Length: 3\n', END)],
    ['two equal lengths', post('Content-Length: 3\nContent-Length: 3\n', '{} ')],
    ['two lengths', post('Content-Length: 3\nContent-Length: 30\n', '{} ')],
    ['a list of lengths', post('Content-Length: 3, 3\n', '{} ')],
    ['a length with a sign', post('Content-Length: +3\n', '{} ')],
    ['a length below zero', post('Content-Length: -1\n', '{} ')],
    ['a length in hexadecimal', post('Content-Length: 0x3\n', '{} ')],
    ['a length of two words', post('Content-Length: 3 4\n', '{} ')],
    ['an empty length', post('Content-Length: \n', '{} ')],
    ['a length that no number holds', post(`Content-Length: ${'9'.repeat(20)}\n`, '{} ')],
    ['an unknown coding', post('Transfer-Encoding: xchunked\n', END)],
    ['a coding behind the chunks', post('Transfer-Encoding: chunked, identity\n', END)],
    ['identity', post('Transfer-Encoding: identity\n', END)],
    ['two codings', post('Transfer-Encoding: chunked\nTransfer-Encoding: identity\n', END)],
    ['a coding before a space', post('Transfer-Encoding : chunked\n', END)],
    ['a coding behind a control', post('Transfer-Encoding: \u000bchunked\n', END)],
    ['a folded coding', post('Transfer-Encoding:\n chunked\n', END)],
    ['a chunk size below zero', chunked(`-3\r\n{} \r\n${END}`)],
    ['a chunk size with a prefix', chunked(`0x3\r\n{} \r\n${END}`)],
    ['a chunk size that no number holds', chunked(`${'f'.repeat(17)}\r\n{} \r\n${END}`)],
    ['a chunk size before a space', chunked(`3 \r\n{} \r\n${END}`)],
    ['a chunk size before a bare line feed', chunked(`3\n{} \r\n${END}`)],
    ['a chunk longer than its size', chunked(`3\r\n{} xx\r\n${END}`)],
    ['a line feed in a chunk extension', chunked(`3;a\nb\r\n{} \r\n${END}`)],
    ['a length among the trailers', chunked('3\r\n{} \r\n0\r\nContent-Length: 5\r\n\r\n')],
    ['a folded header', requestOf('GET /health', 'X: a\n b\n') + SMUGGLED],
    ['bare line feeds', `GET /health HTTP/1.1\nHost: x\n\n${SMUGGLED}`],
    ['a bare line feed', `GET /health HTTP/1.1\r\nHost: x\nX: y\r\n\r\n${SMUGGLED}`],
    ['a bare carriage return', `GET /health HTTP/1.1\r\nHost: x\rX: y\r\n\r\n${SMUGGLED}`],
    ['a NUL in a header', requestOf('GET /health', 'X: a\u0000b\n') + SMUGGLED],
    ['a space in the name of a header', requestOf('GET /health', 'X y: b\n') + SMUGGLED],
    ['a header without a name', requestOf('GET /health', ': b\n') + SMUGGLED],
    ['HTTP/0.9', `GET /health\r\n${SMUGGLED}`],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a version of HTTP that is none', `GET /health HTTP/9.9\r\nHost: x\r\n\r\n${SMUGGLED}`],
    ['a method in small letters', requestOf('get /health', '') + SMUGGLED],
    ['a method without end', requestOf(`${'A'.repeat(9_000)} /health`, '') + SMUGGLED],
    ['a method that is none', requestOf('TRACK /health', '') + SMUGGLED],
    ['a target without a slash', requestOf('GET health', '') + SMUGGLED],
    ['a target with a backslash', requestOf('GET \\health', '') + SMUGGLED],
    ['an authority as its target', requestOf('GET evil.example:80', '') + SMUGGLED],
  ])('is refused once and closes the connection: %s', async (_, bytes) => {
    await using at = await rawServer();
    expect(await told(at, bytes)).toMatchObject({ statuses: [400], reached: [] });
  });

  test('is refused as too large if it is', async () => {
    await using at = await rawServer();
    const extension = chunked(`3;${'a'.repeat(20_000)}\r\n{} \r\n${END}`);
    expect((await told(at, extension)).statuses).toEqual([413]);
    const header = requestOf('GET /health', `X: ${'y'.repeat(100_000)}\n`) + SMUGGLED;
    expect((await told(at, header)).statuses).toEqual([431]);
    const target = requestOf(`GET /${'y'.repeat(20_000)}`, '') + SMUGGLED;
    expect((await told(at, target)).statuses).toEqual([431]);
    expect(at.reached).toEqual([]);
  });

  test('is answered and then cut off: chunks of HTTP/1.0', async () => {
    await using at = await rawServer();
    const old = `${LOGIN} HTTP/1.0\r\n${JSON_TYPE.replace('\n', '\r\n')}Transfer-Encoding: chunked\r\n\r\n`;
    const { statuses, reached } = await told(at, `${old}${END}${SMUGGLED}`);
    expect([statuses, reached]).toEqual([[400], ['POST /api/v1/login']]);
  });

  test('is answered and then cut off: a change of protocols', async () => {
    await using at = await rawServer();
    for (const protocol of ['websocket', 'h2c', 'TLS/1.0']) {
      const headers = `Connection: Upgrade\nUpgrade: ${protocol}\n`;
      const { statuses, reached } = await told(at, requestOf('GET /health', headers) + SMUGGLED);
      expect([statuses, reached], protocol).toEqual([[200], ['GET /health']]);
    }
  });
});

describe('pipelined requests', () => {
  test('each get one response, in order', async () => {
    await using at = await rawServer();
    const paths = ['/health', '/nowhere', '/api/v1/identity', '/openapi.json'];
    const requests = Array.from({ length: 40 }, (_, index) =>
      requestOf(`GET ${paths[index % paths.length] ?? ''}`, `X-Request-Id: r${index}\n`),
    );
    const { answers } = await told(at, requests.join('') + LAST);
    const ids = answers.map(({ head }) => /^x-request-id: (.*)$/im.exec(head)?.[1]);
    expect(ids.slice(0, -1)).toEqual(requests.map((_, index) => `r${index}`));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.slice(0, 4)).toEqual([200, 404, 401, 200]);
    expect(statuses).toHaveLength(41);
  });

  test.each([
    ['chunks, written in capitals', post('Transfer-Encoding: CHUNKED\n', END)],
    ['a chunk with an extension', chunked(`3;a=b\r\n{} \r\n${END}`)],
    ['a length with space around it', post('Content-Length:  3 \n', '{} ')],
    ['a body that looks like a request', post(`Content-Length: ${SMUGGLED.length}\n`, SMUGGLED)],
  ])('start where the one before ends: %s', async (_, bytes) => {
    await using at = await rawServer();
    const { statuses, reached } = await told(at, bytes);
    expect(statuses).toEqual([400, 404, 200]);
    expect(reached.toSorted()).toEqual(['GET /health', 'GET /smuggled', 'POST /api/v1/login']);
  });
});

describe('hosts and targets', () => {
  test('that are foreign are neither followed nor echoed', async () => {
    await using at = await rawServer();
    for (const target of ['http://evil.example/health', 'https://u:p@evil.example:99/health']) {
      const { answers, reached } = await told(at, requestOf(`GET ${target}`, '') + LAST);
      expect(reached, target).toEqual(['GET /health', 'GET /health']);
      expect(JSON.stringify(answers)).not.toContain('evil');
    }
    for (const host of ['evil.example', 'x', '[::1]:7474']) {
      const bytes = LAST.replace('Host: x', `Host: ${host}`);
      const { statuses, answers } = await told(at, bytes);
      expect(statuses).toEqual([200]);
      expect(JSON.stringify(answers)).not.toContain('evil');
    }
    const path = requestOf('GET //evil.example/health', '');
    expect((await told(at, path + LAST)).statuses).toEqual([404, 200]);
  });

  test.each(['a@b', 'a/b', 'a?b', 'a#b', 'a:99999', 'a, b', 'a/api/v1', 'a b', '%00', '<x>'])(
    'are refused if they are invalid: %s',
    async (host) => {
      await using at = await rawServer();
      const bytes = requestOf('GET /identity', '').replace('Host: x', `Host: ${host}`);
      const { statuses, reached } = await told(at, bytes + LAST);
      expect(statuses[0]).toBe(400);
      expect(reached).not.toContain('GET /identity');
    },
  );

  test('are refused if there are two hosts, whatever they are', async () => {
    await using at = await rawServer();
    for (const second of ['Host: y', 'host: x', 'HOST:']) {
      const { statuses, reached } = await told(at, requestOf('GET /a', `${second}\n`) + LAST);
      expect([statuses, reached], second).toEqual([[400, 200], ['GET /health']]);
    }
  });

  test('are refused if they name no resource', async () => {
    await using at = await rawServer();
    for (const start of ['OPTIONS *', 'GET *', 'GET ftp://evil.example/health']) {
      const { statuses, reached } = await told(at, requestOf(start, '') + LAST);
      expect([statuses, reached], start).toEqual([[400, 200], ['GET /health']]);
    }
  });
});

test('methods that reflect, tunnel or override are refused', async () => {
  await using at = await rawServer();
  const cookie = 'Cookie: reflected\n';
  const { statuses, answers } = await told(at, requestOf('TRACE /health', cookie) + LAST);
  expect(statuses).toEqual([405, 200]);
  expect(JSON.stringify(answers)).not.toContain('reflected');
  for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', '_method']) {
    const request = requestOf('GET /health', `${name}: DELETE\n`);
    expect((await told(at, request + LAST)).statuses, name).toEqual([200, 200]);
  }
});

test('a second proof is found among any number of headers, and too many headers are refused', async () => {
  await using at = await rawServer();
  const proof = `Authorization: Bearer ${at.t.admin.token}\n`;
  const identity = async (headers: string): Promise<number | undefined> => {
    const bytes = requestOf('GET /api/v1/identity', headers) + LAST;
    return (await told(at, bytes)).statuses[0];
  };
  const fill = 'a:\n'.repeat(150);
  expect(await identity(proof + fill)).toBe(200);
  expect(await identity(proof + fill + proof)).toBe(401);
  expect(await identity(`${proof}${fill}X-API-Key: x\n`)).toBe(401);
  expect(await identity(proof + 'a:\n'.repeat(200))).toBe(431);
  expect(await identity(proof + 'a:\n'.repeat(4_000) + proof)).toBe(431);
});
