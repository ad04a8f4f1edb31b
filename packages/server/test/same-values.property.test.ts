/** An embedded agent and one over HTTP take and refuse the same values. */
import { type Agent, AgentkeepError, inMemoryStore, openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { connect } from '@agentkeep/client';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { createServer } from '../src/http/create-server.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;

/** An array with a hole. */
const holed: unknown[] = [1];
holed.length = 3;
/** A value that has itself inside. */
const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

/** What JSON.stringify changes, drops or throws at, and what it doesn't. */
const odd = fc.constantFrom<unknown>(
  NaN,
  Infinity,
  -Infinity,
  -0,
  new Date(NaN),
  new Date(0),
  new Map([[1, 2]]),
  new Set([1]),
  new Uint8Array([1, 2]),
  () => 1,
  Symbol('x'),
  10n,
  undefined,
  [1, undefined],
  holed,
  cycle,
  { toJSON: () => 'other' },
  'half \ud83d',
  { '\ud83d': 1 },
  new (class Point {
    x = 1;
  })(),
  2 ** 53,
  2 ** 60 + 2 ** 10,
  1e308,
);

const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, odd, fc.jsonValue(), tie('list'), tie('object')),
  list: fc.array(tie('any'), { maxLength: 3 }),
  object: fc.dictionary(fc.string({ maxLength: 3 }), tie('any'), { maxKeys: 3 }),
})).any;

/** What a call with a value in three places answers. */
async function outcomeOf(agent: Agent, data: unknown, name: string): Promise<unknown> {
  const memory = agent.memory.in(scope);
  try {
    const record = { content: { primary: 'x', data: data as null }, metadata: { m: data as null } };
    await memory.put(name, record);
    const found = await memory.read({ name });
    return { data: found?.payload.content.data, metadata: found?.payload.metadata };
  } catch (error) {
    if (!(error instanceof AgentkeepError)) return String(error);
    return { code: error.code, members: error.members };
  }
}

test('CON-151 any value is stored the same, or refused with the same member, both ways', async () => {
  await using keep = await openKeep({ store: inMemoryStore() });
  const { secret } = await bootstrapTenant(keep, { tenantId: 't', subjectId: 'ops' });
  const admin = await keep.authenticate(secret);
  const issued = await admin.credentials.issue({
    subject_id: 's',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope],
  });
  const embedded = await keep.authenticate(issued.secret);
  const fetch = createServer(keep).request;
  const remote = connect({ url: 'http://test', secret: issued.secret, fetch });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(value, async (data) => {
      count += 1;
      const inProcess = await outcomeOf(embedded, data, `e${count}`);
      const overHttp = await outcomeOf(remote, data, `r${count}`);
      expect(overHttp).toEqual(inProcess);
    }),
    { seed: inject('seed'), numRuns: 300 },
  );
});
