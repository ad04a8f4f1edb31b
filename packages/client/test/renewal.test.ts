/** The access token of a person is renewed before it ends. */
import { describe, expect, test } from 'vitest';
import { logIn } from '../src/index.js';
import {
  down,
  FakeClock,
  FakeServer,
  json,
  type Prepared,
  type Received,
  refusal,
} from './fake-server.js';

const HOUR_MS = 3_600_000;
const EARLY_MS = 60_000;

/** Answers by path, so that calls at the same time need no order. */
async function setUp(refresh: Prepared) {
  let issued = 0;
  const token = () => `token-${(issued += 1)}`;
  const login = () => ({ access_token: token(), refresh_token: 'akr1_r', expires_in: 3_600 });
  const answers: Readonly<Record<string, Prepared>> = {
    login: (...call) => json(login())(...call),
    refresh,
    identity: json({ contract_version: 1, credential: {} }),
    logout: json({ success: true }),
  };
  const server = new FakeServer((received, init) => {
    const name = new URL(received.url).pathname.split('/').at(-1) ?? '';
    return answers[name]!(received, init);
  });
  const clock = new FakeClock();
  const { agent } = await clock.settle(
    logIn({
      url: 'http://test',
      fetch: server.fetch,
      clock,
      random: () => 0,
      username: 'ann',
      password: 'x',
      tenantId: 'acme',
    }),
  );
  const proofs = () => server.received.filter(isIdentity).map(proofOf);
  const renewals = () => server.received.filter(({ url }) => url.endsWith('/refresh'));
  return { agent, clock, server, proofs, renewals };
}

const isIdentity = ({ url }: Received): boolean => url.endsWith('/identity');
const proofOf = ({ headers }: Received): string | null => headers.get('authorization');

const renewed = json({ access_token: 'renewed', expires_in: 3_600 });
const refused = refusal('unauthorized', 401);

test('calls go on with the token of the login until shortly before its end', async () => {
  const { agent, clock, proofs, renewals } = await setUp(renewed);
  clock.advance(HOUR_MS - EARLY_MS - 1);
  await clock.settle(agent.whoAmI());
  clock.advance(1);
  await clock.settle(agent.whoAmI());
  expect(proofs()).toEqual(['Bearer token-1', 'Bearer renewed']);
  expect(renewals().map(({ body }) => body)).toEqual([{ refresh_token: 'akr1_r' }]);
  expect(renewals()[0]?.headers.has('authorization')).toBe(false);
  clock.advance(HOUR_MS - EARLY_MS - 1);
  await clock.settle(agent.whoAmI());
  expect(renewals()).toHaveLength(1);
});

test('calls at the same time share one renewal', async () => {
  const { agent, clock, proofs, renewals } = await setUp(renewed);
  clock.advance(HOUR_MS);
  await clock.settle(Promise.all([agent.whoAmI(), agent.whoAmI(), agent.whoAmI()]));
  expect(renewals()).toHaveLength(1);
  expect(proofs()).toEqual(['Bearer renewed', 'Bearer renewed', 'Bearer renewed']);
});

test('the end of one caller does not end the renewal of the others', async () => {
  let answer: (() => void) | undefined;
  const held: Prepared = (...call) =>
    new Promise<Response>((resolve) => {
      answer = () => {
        resolve(renewed(...call));
      };
    });
  const { agent, clock, proofs } = await setUp(held);
  clock.advance(HOUR_MS);
  const over = new AbortController();
  const first = agent.whoAmI({ signal: over.signal });
  const second = agent.whoAmI();
  over.abort(new Error('enough'));
  await expect(first).rejects.toThrow('enough');
  await new Promise((resolve) => setImmediate(resolve));
  answer?.();
  await second;
  expect(proofs()).toEqual(['Bearer renewed']);
});

test('a token that ended while the machine slept is renewed', async () => {
  const { agent, clock, proofs } = await setUp(renewed);
  clock.step(2 * HOUR_MS);
  await clock.settle(agent.whoAmI());
  expect(proofs()).toEqual(['Bearer renewed']);
});

describe('a renewal that fails', () => {
  test('because the session has ended leaves the verdict to the server, and is not repeated', async () => {
    const { agent, clock, proofs, renewals } = await setUp(refused);
    clock.advance(HOUR_MS);
    await clock.settle(agent.whoAmI());
    await clock.settle(agent.whoAmI());
    expect(proofs()).toEqual(['Bearer token-1', 'Bearer token-1']);
    expect(renewals()).toHaveLength(1);
  });

  test('because the server is down fails the call, and the next call tries again', async () => {
    const { agent, clock, renewals } = await setUp(down);
    clock.advance(HOUR_MS);
    const failure = { code: 'server_unreachable' };
    await expect(clock.settle(agent.whoAmI())).rejects.toMatchObject(failure);
    expect(renewals()).toHaveLength(6);
    await expect(clock.settle(agent.whoAmI())).rejects.toMatchObject(failure);
    expect(renewals()).toHaveLength(12);
  });
});

test('a renewal by hand sends the current token, and counts as one', async () => {
  const { agent, clock, proofs, renewals } = await setUp(renewed);
  clock.advance(HOUR_MS - 1);
  await clock.settle(agent.session.refresh());
  expect(renewals().map(proofOf)).toEqual(['Bearer token-1']);
  await clock.settle(agent.whoAmI());
  expect(proofs()).toEqual(['Bearer renewed']);
  expect(renewals()).toHaveLength(1);
});

test('nothing is renewed after a logout', async () => {
  const { agent, clock, proofs, renewals } = await setUp(renewed);
  await clock.settle(agent.session.logOut());
  clock.advance(HOUR_MS);
  await clock.settle(agent.whoAmI());
  expect(proofs()).toEqual(['Bearer token-1']);
  expect(renewals()).toEqual([]);
});
