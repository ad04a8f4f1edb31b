/**
 * A request that is drafted for one tenant and sent with the proof of another belongs to the tenant
 * of the proof, with everything that it stores and creates.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Caller } from './caller.js';
import { Checker } from './checker.js';
import { Chooser } from './chooser.js';
import { readContract } from './contract-operations.js';
import { type FuzzRequest, wireOf } from './draft.js';
import type { JsonObject } from './json-text.js';
import { markOf } from './marks.js';
import { type Failure, Round } from './round.js';
import { openServer, type ServerUnderTest } from './server-under-test.js';
import { Statuses } from './statuses.js';
import { type Answer, appTransport, type Transport } from './transport.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' };
const TEXT = `${markOf('alpha')} 日本 "quoted" 0123456789`;

let server: ServerUnderTest;
let round: Round;
/** The text that replaces the next answers. */
let forged: string | undefined;

beforeEach(async () => {
  forged = undefined;
  server = await openServer('lifted');
  const text = await (await server.app.request('/openapi.json')).text();
  const straight = appTransport(server.app);
  const transport: Transport = {
    ...straight,
    send: async (wire): Promise<Answer | undefined> => {
      const answer = await straight.send(wire);
      return answer === undefined || forged === undefined ? answer : { ...answer, text: forged };
    },
  };
  round = await Round.begin({
    seed: 1,
    contract: readContract(text),
    checker: new Checker(text),
    server,
    transport,
    statuses: new Statuses(),
    isTimed: false,
  });
});

afterEach(async () => server[Symbol.asyncDispose]());

function cast(name: string): Caller {
  return round.world.callers.find((caller) => caller.name === name)!;
}

/** Returns a request that is drafted for one caller and sent with the proof of another. */
function borrowed(id: string, document: JsonObject, from: Caller, proof: Caller): FuzzRequest {
  const operation = round.world.contract.operations.find((each) => each.id === id)!;
  const draft = { operation, caller: from, path: {}, query: [], document };
  return {
    kind: 'nearly valid',
    change: 'the proof of someone else',
    draft,
    wire: wireOf({ ...draft, caller: proof }),
  };
}

async function put(id: string, document: JsonObject, from: Caller, proof: Caller) {
  return await round.put(borrowed(id, document, from, proof));
}

const complaintsOf = (failure: Failure | undefined) => failure?.complaints ?? [];

const command: JsonObject = {
  contract_version: 1,
  idempotency_key: 'k',
  scope,
  operation: {
    type: 'create',
    record: {
      episode_type: 'Observation',
      content: { primary: TEXT, context: null },
      event_time_millis: 0,
    },
  },
};
const query: JsonObject = { contract_version: 1, scope, filter: null };

test('data stored with a borrowed proof belongs to the tenant of the proof', async () => {
  const alpha = cast('agent of alpha');
  const beta = cast('agent of beta');
  expect(complaintsOf(await put('executeMemoryCommand', command, alpha, beta))).toEqual([]);

  const chooser = new Chooser(1);
  expect(round.world.pool.find(chooser, 'record', 'beta')).toBeDefined();
  expect(round.world.pool.find(chooser, 'record', 'alpha')).toBeUndefined();
  expect(complaintsOf(await put('queryMemory', query, beta, beta))).toEqual([]);
  expect(complaintsOf(await put('queryMemory', query, alpha, beta))).toEqual([]);
});

test('the tenant that the request was drafted for may not see the data', async () => {
  const alpha = cast('agent of alpha');
  const beta = cast('agent of beta');
  await put('executeMemoryCommand', command, alpha, beta);
  forged = JSON.stringify({ records: [{ payload: { content: { primary: TEXT } } }] });
  expect(complaintsOf(await put('queryMemory', query, alpha, alpha))).toContain('data of beta');
});

test('data of the drafting tenant may not reach the holder of the proof', async () => {
  forged = JSON.stringify({ records: [{ payload: { content: { primary: TEXT } } }] });
  const failure = await put('queryMemory', query, cast('agent of alpha'), cast('agent of beta'));
  expect(complaintsOf(failure)).toContain('data of alpha');
  expect(failure?.sender.name).toBe('agent of beta');
});

test('without a proof that was issued, no data of any tenant may be shown', async () => {
  forged = JSON.stringify({ message: TEXT });
  const alpha = cast('agent of alpha');
  const stranger: Caller = { ...alpha, proof: [['Authorization', 'Bearer unknown']] };
  const both: Caller = { ...alpha, proof: [...alpha.proof, ...cast('agent of beta').proof] };
  for (const proof of [cast('unauthenticated'), stranger, both]) {
    expect(complaintsOf(await put('queryMemory', query, alpha, proof))).toContain('data of alpha');
  }
});

test('spaces around a proof do not change its holder', async () => {
  const alpha = cast('agent of alpha');
  const beta = cast('agent of beta');
  const spaced: Caller = { ...beta, proof: beta.proof.map(([name, text]) => [name, ` ${text}\t`]) };
  await put('executeMemoryCommand', command, beta, beta);
  expect(complaintsOf(await put('queryMemory', query, alpha, spaced))).toEqual([]);
});

test('a key that is created with a borrowed proof belongs to the tenant of the proof', async () => {
  const alpha = cast('boss of alpha by token');
  const beta = cast('ben of beta by token');
  await put('createApiKey', { name: 'borrowed', expires_in_days: null }, alpha, beta);

  const made = round.world.callers.at(-1);
  expect(made).toMatchObject({ name: 'a newcomer by createApiKey', authority: 'beta' });
  expect(made?.rights).toEqual(new Set(['account']));
});
