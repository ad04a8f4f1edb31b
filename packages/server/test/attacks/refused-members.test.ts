/**
 * Refused members (ASVS 16.5.1, docs/contract/conventions.md#con-169): each 400 says what is wrong,
 * and repeats no value that was sent.
 */
import { AgentkeepError, type OperationName, type RefusedMember } from '@agentkeep/core';
import type { RateLimitPolicy } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { connect } from '../../src/client.js';
import type { Answer, Parts } from '@agentkeep/contract-cases/answer';
import { scope } from '@agentkeep/contract-cases/documents';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { appOf } from '@agentkeep/contract-cases/http-driver';
import { callOf, everyName, operationOf } from './every-call.js';
import { open } from './every-caller.js';

const MARK = 'Sent-Value-Canary-77';
const NUMBER = 771_177_117_711;

/** Returns copies of a document, each with another member replaced by something wrong. */
function broken(value: unknown): unknown[] {
  if (Array.isArray(value))
    return [MARK, ...value.flatMap((each) => broken(each).map((it) => [it]))];
  if (typeof value !== 'object' || value === null)
    return [typeof value === 'string' ? NUMBER : MARK];
  const entries = Object.entries(value);
  const inside = entries.flatMap(([name, member]) =>
    broken(member).map((wrong) => ({ ...value, [name]: wrong })),
  );
  return [MARK, { ...value, [`${MARK} `]: MARK }, { ...value, unheard_of: MARK }, ...inside];
}

function brokenCalls(name: OperationName): Parts[] {
  const { id, ...parts } = callOf(name);
  const rest = id === undefined ? parts : { ...parts, id };
  const { input, document: rule } = operationOf(name);
  const documents =
    input.document === undefined || rule?.presence === 'ignored' ? [] : broken(parts.document);
  const parameters = input.parameters === undefined ? [] : [{ unheard_of: MARK, limit: MARK }];
  return [
    ...documents.map((document) => ({ ...rest, document })),
    ...parameters.map((each) => ({ ...rest, parameters: each })),
  ];
}

function membersOf({ body }: Answer): readonly RefusedMember[] {
  const { error, members } = body as {
    error: string | { members?: RefusedMember[] };
    members?: RefusedMember[];
  };
  return (typeof error === 'string' ? members : error.members) ?? [];
}

const PATH = /^(?:[\w-]{1,64}|\[\d+\])?(?:\.[\w-]{1,64}|\[\d+\])*$/;

test('each 400 names members, the same in process and over HTTP, and no value', async () => {
  const found: Record<string, unknown[]> = {};
  for (const driver of drivers) {
    const { t, tokenFor } = await open(driver);
    const seen: unknown[] = [];
    for (const name of everyName) {
      let refusals = 0;
      const calls = brokenCalls(name);
      for (const parts of calls) {
        const answer = await t.transport(name, tokenFor(name), parts);
        if (answer.status !== 400) continue;
        refusals += 1;
        const members = membersOf(answer);
        const what = `${name} ${JSON.stringify(parts)}`;
        expect(members.length, what).toBeGreaterThan(0);
        expect(members.length, what).toBeLessThanOrEqual(16);
        for (const { path, expected } of members) {
          expect(path, what).toMatch(PATH);
          expect(expected, what).toMatch(/^\S.*\S$|^"/);
          expect(expected, what).not.toMatch(/Invalid|undefined|\[object/);
        }
        const text = JSON.stringify(answer.body);
        expect(text).not.toContain(MARK);
        expect(text).not.toContain(String(NUMBER));
        seen.push([name, members]);
      }
      if (calls.length > 0) expect(refusals, name).toBeGreaterThan(0);
    }
    found[driver.name] = seen;
    await t.keep.close();
  }
  const [one, other] = Object.values(found);
  expect(one).toEqual(other);
});

test('the typed client gives the members of an embedded call', async () => {
  const { t } = await open(drivers[1]!);
  const agent = await t.agent();
  const wrong = { episode_type: MARK, content: {}, event_time_millis: -0.5 } as never;
  const refusalOf = async (call: Promise<unknown>): Promise<AgentkeepError> => {
    const error: unknown = await call.catch((cause: unknown) => cause);
    if (!(error instanceof AgentkeepError)) throw new Error('It was not refused.');
    return error;
  };
  const { request: fetch } = appOf(t.keep);
  const remote = connect({ url: 'http://localhost', secret: agent.token, fetch });
  const embedded = await t.keep.authenticate(agent.token);
  const [far, near] = [
    await refusalOf(remote.memory.in(scope).create(wrong)),
    await refusalOf(embedded.memory.in(scope).create(wrong)),
  ];
  expect(far.members).toEqual(near.members);
  expect(far.details).toEqual({});
  expect(near.members).toContainEqual({
    path: 'operation.record.content.primary',
    expected: 'a value, since this member is required',
  });
  await t.keep.close();
});

const onlyOne: RateLimitPolicy = {
  id: 'p',
  name: 'p',
  endpointType: 'GeneralApi',
  maxRequests: 1,
  windowSecs: 60,
  enabled: true,
  createdAtMillis: 0,
  updatedAtMillis: 0,
  createdBy: 'system',
};

test('a 429 keeps its shape, and other refusals name no members', async () => {
  const { t } = await open(drivers[1]!);
  const app = appOf(t.keep, { rateLimitPolicies: [onlyOne] });
  const ask = async () => {
    const response = await app.request('/api/v1/identity');
    return [response.status, await response.json()] as [number, { error: object }];
  };
  const [, refused] = await ask();
  expect(Object.keys(refused.error)).toEqual(['code', 'message']);
  const [status, limited] = await ask();
  const names = ['error', 'message', 'limit', 'remaining', 'reset_in_seconds'];
  expect([status, Object.keys(limited)]).toEqual([429, names]);
  await t.keep.close();
});

test('the log line of a refusal has its code, its caller and its cause', async () => {
  const { t } = await open(drivers[1]!);
  const lines: object[] = [];
  const info = (_message: string, fields?: object): void => void lines.push(fields ?? {});
  const none = (): void => undefined;
  const app = appOf(t.keep, { log: { error: none, warn: none, info, debug: none } });
  const proof = { Authorization: `Bearer ${t.admin.token}` };
  const headers = { ...proof, 'Content-Type': 'application/json' };
  const { credential } = (await (await app.request('/api/v1/identity', { headers })).json()) as {
    credential?: { id: string };
  };
  await app.request('/api/v1/credentials', { method: 'POST', headers, body: '{"a":' });
  await app.request('/api/v1/identity', { method: 'PUT', headers });
  await app.request('/api/v1/identity');
  await app.request('/nowhere', { headers });
  const principal_id = credential?.id ?? expect.any(String);
  expect(lines[0]).not.toHaveProperty('code');
  expect(lines.slice(1)).toMatchObject([
    { code: 'invalid_request', principal_id, cause: 'The text is not one JSON value.' },
    { code: 'method_not_allowed', principal_id },
    { code: 'unauthorized' },
    { code: 'not_found', principal_id },
  ]);
  expect(lines[3]).not.toHaveProperty('principal_id');
  expect(JSON.stringify(lines)).not.toContain(t.admin.token);
  await t.keep.close();
});
