/** Calls that are sent again, and calls that are not. */
import type { RecordInput, ScopeInput } from '@agentkeep/core/clients';
import { describe, expect, test } from 'vitest';
import { connect, logIn, type RetryOptions } from '../src/index.js';
import {
  down,
  FakeClock,
  FakeServer,
  json,
  type Prepared,
  refusal,
  silent,
} from './fake-server.js';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
const record: RecordInput = {
  episode_type: 'Observation',
  content: { primary: 'x' },
  event_time_millis: 0,
};

const identity = json({ contract_version: 1, credential: { id: 'c' } });
const receipt = json({ contract_version: 1, receipt: { record_id: 'r' } });
const issued = json({ contract_version: 1, credential: {}, secret: 'ak1_x' }, 201);

function setUp(answers: readonly Prepared[], retry?: RetryOptions | false) {
  const server = new FakeServer(...answers);
  const clock = new FakeClock();
  const options = { url: 'http://test', secret: 's', fetch: server.fetch, random: () => 0 };
  return { server, clock, agent: connect({ ...options, clock, retry }) };
}

test('a read is sent again with growing waits until the server is back', async () => {
  const { server, clock, agent } = setUp([down, down, down, identity]);
  expect(await clock.settle(agent.whoAmI())).toEqual({ id: 'c' });
  expect(clock.waitedMs).toEqual([200, 400, 800]);
  expect(server.received).toHaveLength(4);
  expect(clock.pending).toBe(0);
});

test('a command keeps the key that was made before its first try', async () => {
  const { server, clock, agent } = setUp([down, refusal('internal_error', 500), receipt]);
  await clock.settle(agent.memory.in(scope).create(record));
  const bodies = server.received.map(({ body }) => body as { idempotency_key: string });
  expect(bodies[0]?.idempotency_key).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/u,
  );
  expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]]);
  const other = setUp([receipt]);
  await other.clock.settle(other.agent.memory.in(scope).create(record));
  expect(other.server.received[0]?.body).not.toEqual(bodies[0]);
});

test('a write without a key is sent once when its answer is lost', async () => {
  const { server, clock, agent } = setUp([down, issued]);
  const spec = { subject_id: 's', capabilities: [], grants: [] };
  await expect(clock.settle(agent.credentials.issue(spec))).rejects.toMatchObject({
    code: 'server_unreachable',
  });
  expect(server.received).toHaveLength(1);
});

test('any call is sent again when it was refused before anything was done', async () => {
  const busy = refusal('service_busy', 503, { 'Retry-After': '1' });
  const { clock, agent } = setUp([busy, refusal('rate_limit_exceeded', 429), issued]);
  const spec = { subject_id: 's', capabilities: [], grants: [] };
  expect(await clock.settle(agent.credentials.issue(spec))).toMatchObject({ secret: 'ak1_x' });
  expect(clock.waitedMs).toEqual([1_000, 400]);
  const tokens = { access_token: 'a', refresh_token: 'r', expires_in: 3_600 };
  const login = new FakeServer(refusal('login_busy', 503, { 'Retry-After': '2' }), json(tokens));
  const at = { url: 'http://test', fetch: login.fetch, clock, random: () => 0 };
  await clock.settle(logIn({ ...at, username: 'ann', password: 'x', tenantId: 'acme' }));
  expect(clock.waitedMs.at(-1)).toBe(2_000);
});

describe('Retry-After', () => {
  test.each<[string, Record<string, string>, number]>([
    ['in seconds', { 'Retry-After': '7' }, 7_000],
    [
      'as a date, which the date of the answer is compared with',
      {
        'Retry-After': 'Mon, 01 Jan 2035 00:00:09 GMT',
        Date: 'Mon, 01 Jan 2035 00:00:05 GMT',
      },
      4_000,
    ],
    ['in the past', { 'Retry-After': 'Mon, 01 Jan 2035', Date: 'Tue, 02 Jan 2035' }, 0],
    ['of another form', { 'Retry-After': 'soon' }, 200],
  ])('%s', async (_form, headers, waitMs) => {
    const { clock, agent } = setUp([refusal('rate_limit_exceeded', 429, headers), identity]);
    await clock.settle(agent.whoAmI());
    expect(clock.waitedMs).toEqual([waitMs]);
  });

  test('longer than what is left ends the call at once', async () => {
    const headers = { 'Retry-After': '31' };
    const { clock, agent } = setUp([refusal('rate_limit_exceeded', 429, headers), identity]);
    const call = clock.settle(agent.whoAmI());
    await expect(call).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    expect(clock.waitedMs).toEqual([]);
  });
});

describe('the bounds', () => {
  const callWith = async (retry?: RetryOptions | false) => {
    const { server, clock, agent } = setUp([down], retry);
    await expect(clock.settle(agent.whoAmI())).rejects.toMatchObject({
      code: 'server_unreachable',
      retryable: true,
    });
    return { tries: server.received.length, waitedMs: clock.waitedMs };
  };

  test('are six tries', async () => {
    expect(await callWith()).toEqual({ tries: 6, waitedMs: [200, 400, 800, 1_600, 3_200] });
  });

  test('can be other ones', async () => {
    expect(await callWith({ tries: 2, firstWaitMillis: 10 })).toEqual({ tries: 2, waitedMs: [10] });
    expect(await callWith({ totalMillis: 500 })).toEqual({ tries: 2, waitedMs: [200] });
    const slow = { tries: 4, firstWaitMillis: 1_000, longestWaitMillis: 1_500 };
    expect(await callWith(slow)).toEqual({ tries: 4, waitedMs: [1_000, 1_500, 1_500] });
  });

  test('are one try without retries', async () => {
    expect(await callWith(false)).toEqual({ tries: 1, waitedMs: [] });
  });

  test('begin with the first failure, so a call that waited long is sent again', async () => {
    const { clock, agent, server } = setUp([silent, identity], { totalMillis: 1_000 });
    await clock.settle(agent.whoAmI());
    expect(clock.waitedMs).toEqual([60_000, 200]);
    expect(server.received).toHaveLength(2);
  });
});

test('a call that waits for changes may take its wait and the time of a try', async () => {
  const { clock, agent } = setUp([silent], false);
  const page = clock.settle(agent.memory.changesPage({ waitMillis: 30_000 }));
  await expect(page).rejects.toThrow('did not answer within 90000 ms');
});

describe('a signal', () => {
  const reason = new Error('enough');

  test.each<[string, Prepared]>([
    ['ends a try, also if fetch takes no notice', silent],
    ['ends the wait for the next try', refusal('service_busy', 503, { 'Retry-After': '20' })],
  ])('%s', async (_name, answer) => {
    const { clock, agent, server } = setUp([answer]);
    const over = new AbortController();
    const call = agent.whoAmI({ signal: over.signal });
    setImmediate(() => {
      setImmediate(() => {
        over.abort(reason);
      });
    });
    await expect(call).rejects.toBe(reason);
    expect(server.received).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  test('that was aborted before sends nothing', async () => {
    const { agent, server } = setUp([identity]);
    await expect(agent.whoAmI({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.received).toHaveLength(0);
  });

  test('reaches fetch', async () => {
    let seen: AbortSignal | null | undefined;
    const { agent } = setUp([
      (_received, { signal }) => {
        seen = signal;
        return silent(_received, {});
      },
    ]);
    const over = new AbortController();
    const call = agent.whoAmI({ signal: over.signal });
    setImmediate(() => {
      over.abort(reason);
    });
    await expect(call).rejects.toBe(reason);
    expect(seen?.aborted).toBe(true);
    expect(seen?.reason).toBe(reason);
  });
});

test.each<[object, string]>([
  [{ url: 'localhost:7474' }, '`url` must be an address that begins with http:// or https://'],
  [{ url: 'ftp://x' }, '`url` must be an address'],
  [{ retry: { tries: 0 } }, '`retry.tries` must be an integer from 1 to 100'],
  [{ retry: { totalMillis: 1.5 } }, '`retry.totalMillis` must be an integer from 1'],
  [{ timeoutMillis: Infinity }, '`timeoutMillis` must be an integer from 1 to 2147483647'],
])('%j is refused by name', (options, message) => {
  const given = { url: 'http://test', secret: 's', ...options };
  expect(() => connect(given)).toThrow(`connect(): ${message}`);
});
