/** Servers that lead a client elsewhere, or never come to an end. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentkeepError } from '@agentkeep/core';
import { afterEach, describe, expect, test } from 'vitest';
import { connect, connectAdministrator, logIn, openSession } from '../src/index.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Starts a server on loopback; returns its address. */
async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

async function errorOf(call: Promise<unknown>): Promise<AgentkeepError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AgentkeepError)) throw new Error('The call did not fail.');
  return error;
}

const secret = 'ak_live_secret';

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])(
    '%i is not followed, and names its address',
    async (status) => {
      const received: (string | undefined)[] = [];
      const other = await serve(({ url }, response) => {
        received.push(url);
        response.end('{}');
      });
      const location = `${other.replace('//', '//user:word@')}/moved?token=x#part`;
      const url = await serve((request, response) => {
        received.push(request.headers['x-api-key'] as string | undefined);
        response.writeHead(status, { location }).end();
      });
      const login = { url, username: 'ann', password: 'Correct-Horse-7' };
      const calls = [
        () => connect({ url, secret }).whoAmI(),
        () => connectAdministrator({ url, secret }).tenants.quota('acme'),
        () => logIn(login),
        () => openSession(login),
      ];
      for (const call of calls) {
        const { code, message, details } = await errorOf(call());
        expect(code).toBe('unexpected_answer');
        expect(message).toContain(`redirects to ${other}/moved. `);
        expect(details).toEqual({ status, location: `${other}/moved` });
      }
      expect(received).toEqual([secret, secret, undefined, undefined]);
    },
  );

  test('within the same server is not followed either', async () => {
    const paths: (string | undefined)[] = [];
    const url = await serve(({ url: path }, response) => {
      paths.push(path);
      response.writeHead(308, { location: '/other' }).end();
    });
    const { message } = await errorOf(connect({ url, secret }).whoAmI());
    expect(message).toContain(`${url}/other`);
    expect(paths).toEqual(['/api/v1/identity']);
  });

  test('that browsers hide, or without an address, says so', async () => {
    const opaque = { type: 'opaqueredirect', status: 0, headers: new Headers(), url: '' };
    const hidden = opaque as Partial<Response> as Response;
    const bare = new Response(null, { status: 302 });
    for (const answer of [hidden, bare]) {
      const agent = connect({ url: 'http://x', secret, fetch: () => answer });
      expect((await errorOf(agent.whoAmI())).message).toContain('redirects to another address');
    }
  });
});

describe('an answer without an end', () => {
  const MEGABYTE = Buffer.alloc(1_048_576, ' ');

  test.each([200, 500])('with status %i is closed at its bound', async (status) => {
    let sent = 0;
    let isClosed: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (isClosed = resolve));
    const url = await serve((_, response) => {
      response.writeHead(status);
      const more = (): void => {
        while (!response.destroyed && response.write(MEGABYTE)) sent += 1;
        sent += 1;
      };
      response.on('drain', more).on('close', isClosed);
      more();
    });
    const { code, message } = await errorOf(connect({ url, secret, retry: false }).whoAmI());
    expect(code).toBe('unexpected_answer');
    expect(message).toContain('larger than 8388608 bytes');
    await closed;
    // What the sockets of both sides hold, beside the bound.
    expect(sent).toBeLessThan(64);
  });
});

describe('pages without an end', () => {
  const page = (items: object) => ({ contract_version: 1, ...items });

  /** A server whose cursors are repeated after some pages. */
  async function circle(length: number, body: (cursor: string) => object) {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      const json = JSON.stringify(body(`cursor ${String(requests % length)}`));
      response.writeHead(200, { 'content-type': 'application/json' }).end(json);
    });
    return { agent: connect({ url, secret }), count: () => requests };
  }

  async function readAll(items: AsyncIterable<unknown>): Promise<void> {
    for await (const item of items) expect(item).toBeDefined();
  }

  test.each([1, 2, 3, 7])('are left after a circle of %i cursors', async (length) => {
    const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
    const query = await circle(length, (next_after) =>
      page({ page: { records: [], next_after, scanned_records: 0 } }),
    );
    const audit = await circle(length, (next_cursor) => ({ events: [], next_cursor }));
    const credentials = await circle(length, (next_cursor) =>
      page({ page: { items: [], next_cursor } }),
    );
    const walks = [
      { walk: query.agent.memory.in(scope).query(), count: query.count },
      { walk: audit.agent.audit.query(), count: audit.count },
      { walk: credentials.agent.credentials.list(), count: credentials.count },
    ];
    for (const { walk, count } of walks) {
      const { code, message } = await errorOf(readAll(walk));
      expect(code).toBe('unexpected_answer');
      expect(message).toContain('a cursor that it gave before');
      expect(count()).toBeLessThanOrEqual(4 * length);
    }
  });

  test('of changes are left where the position stays although there is more', async () => {
    const { agent, count } = await circle(1, (next_after) =>
      page({ page: { changes: [], next_after, has_more: true } }),
    );
    expect((await errorOf(readAll(agent.memory.changes()))).code).toBe('unexpected_answer');
    expect(count()).toBe(2);
  });
});

test('a secret that no header can hold is refused, and not shown', () => {
  for (const wrong of ['canary\nline', 'canary\u0000']) {
    const made = () => connect({ url: 'http://127.0.0.1:1', secret: wrong });
    expect(made).toThrow(expect.objectContaining({ code: 'invalid_request' }) as Error);
    expect(made).not.toThrow('canary');
  }
});
