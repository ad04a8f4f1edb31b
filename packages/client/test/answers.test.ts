/** What answers mean, those of the contract and others. */
import { AgentkeepError } from '@agentkeep/core';
import { describe, expect, test } from 'vitest';
import { connect, connectAdministrator } from '../src/index.js';
import { FakeClock, FakeServer, json, type Prepared, refusal, text } from './fake-server.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;

function optionsFor(...answers: readonly Prepared[]) {
  const server = new FakeServer(...answers);
  const at = { url: 'http://test/base/', secret: 's', retry: false } as const;
  return { server, options: { ...at, fetch: server.fetch, clock: new FakeClock() } };
}

async function failureOf(answer: Prepared): Promise<AgentkeepError> {
  const { options } = optionsFor(answer);
  const error: unknown = await connect(options)
    .whoAmI()
    .catch((reason: unknown) => reason);
  if (error instanceof AgentkeepError) return error;
  throw new Error('It was no AgentkeepError.', { cause: error });
}

describe('an answer that is none of the contract is an unexpected answer', () => {
  test.each<[string, Prepared]>([
    ['a page of something else', text('<!doctype html><title>Hello</title>')],
    ['nothing', text('')],
    ['half an answer', text('{"contract_version":1,"cred')],
    ['no object', json(['contract_version'])],
    ['null', json(null)],
    ['JSON of another service', json({ status: 'ok' })],
    ['another version', json({ contract_version: 2, credential: {} })],
    ['a page that is missing', text('<h1>404</h1>', 404)],
    ['an error of another service', json({ error: { message: 'no' } }, 400)],
    ['an error that is null', json({ error: null }, 400)],
    ['an error with a code of its own', refusal('toString', 418)],
  ])('%s', async (_name, answer) => {
    const error = await failureOf(answer);
    expect(error.code).toBe('unexpected_answer');
    expect(error.retryable).toBe(false);
    expect(error.message).toContain('Check that the address');
  });
});

test.each([502, 503, 504])('a proxy that answers %i has not reached the server', async (status) => {
  const error = await failureOf(text('<h1>Bad gateway</h1>', status));
  expect(error).toMatchObject({ code: 'server_unreachable', kind: 'unavailable', retryable: true });
  expect(error.details).toEqual({ status });
});

test('a connection that fails has its reason as cause', async () => {
  const cause = new TypeError('fetch failed');
  const error = await failureOf(() => Promise.reject(cause));
  expect(error.code).toBe('server_unreachable');
  expect(error.cause).toBe(cause);
});

test('a body that ends too early is no answer', async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"contract_version":1'));
      controller.error(new TypeError('terminated'));
    },
  });
  expect((await failureOf(() => new Response(body))).code).toBe('server_unreachable');
});

describe('an error of the contract', () => {
  test('in the envelope keeps message, members and details', async () => {
    const members = [{ path: 'spec.grants', expected: 'an array' }, { path: 7 }];
    const sent = {
      contract_version: 1,
      error: { code: 'invalid_request', message: 'No.', members },
      remaining_attempts: 3,
    };
    const error = await failureOf(json(sent, 400));
    expect(error).toMatchObject({ code: 'invalid_request', advice: 'No.', kind: 'invalid' });
    expect(error.message).toBe('`spec.grants`: expected an array. No.');
    expect(error.members).toEqual([members[0]]);
    expect(error.details).toEqual({ remaining_attempts: 3 });
    expect(error.cause).toEqual(sent);
  });

  test('in flat form too', async () => {
    const sent = { error: 'rate_limit_exceeded', message: 'Wait.', limit: 9, remaining: 0 };
    const error = await failureOf(json(sent, 429));
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', message: 'Wait.', members: [] });
    expect(error.details).toEqual({ limit: 9, remaining: 0 });
  });
});

describe('a request', () => {
  const page = json({ contract_version: 1, page: { records: [], next_after: null } });

  test('goes to the path of the operation below the address, with the proof as Bearer', async () => {
    const { server, options } = optionsFor(page);
    await connect(options).memory.in(scope).queryPage();
    const [received] = server.received;
    expect(received?.url).toBe('http://test/base/api/v1/memory/query');
    expect(received?.method).toBe('POST');
    expect(received?.headers.get('authorization')).toBe('Bearer s');
    expect(received?.headers.get('content-type')).toBe('application/json');
    expect(received?.body).toMatchObject({ contract_version: 1, scope });
  });

  test('escapes ids and parameters', async () => {
    const { server, options } = optionsFor(json({ contract_version: 1, record: {} }));
    await connect(options)
      .memory.in({ ...scope, agent_id: 'a&b=c d' })
      .read('../x?y');
    expect(server.received[0]?.url).toBe(
      'http://test/base/api/v1/memory/records/..%2Fx%3Fy?contract_version=1&project_id=p&agent_id=a%26b%3Dc+d&visibility=private',
    );
    expect(server.received[0]?.headers.has('content-type')).toBe(false);
  });

  test('sends an API key in its own header', async () => {
    const { server, options } = optionsFor(json({ contract_version: 1, credential: {} }));
    await connectAdministrator({ ...options, secret: 'ak_live_x' }).identity();
    expect(server.received[0]?.headers.get('x-api-key')).toBe('ak_live_x');
    expect(server.received[0]?.headers.has('authorization')).toBe(false);
  });

  test('calls fetch as a plain function, as browsers insist', async () => {
    const { options } = optionsFor(page);
    const calledOn: unknown[] = [];
    const fetch = function (this: unknown) {
      calledOn.push(this);
      return new Response(JSON.stringify({ contract_version: 1, credential: {} }));
    };
    await connect({ ...options, fetch }).whoAmI();
    expect(calledOn).toEqual([undefined]);
  });
});
