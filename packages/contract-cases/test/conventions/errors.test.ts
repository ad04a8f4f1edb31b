/** Errors have one closed shape and echo no input (docs/contract/conventions.md#con-65). */
import type { RefusedMember } from '@agentkeep/core';
import { expect } from 'vitest';
import { outcome, refused } from '../harness/answer.js';
import { missionScope, record, scope, spec, ungranted, unknownId } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { overHttp } from '../harness/http-fixture.js';

const MARK = 'echo-4711';

/** The part of an answer that says what was refused. */
interface SentError {
  readonly error: { readonly message: string; readonly members?: readonly RefusedMember[] };
}

// CON-169, CON-70
testCase('CON-65, CON-70 an error is closed, static and echoes no input', async (t) => {
  const agent = await t.agent();
  const marked = { ...scope, project_id: MARK };
  const record_id = await agent.created(scope);
  const refusals = [
    await agent.with(`ak1_${MARK}`).whoAmI(),
    await agent.create(marked),
    await agent.create({ ...scope, [MARK]: 1 }),
    await agent.create(scope, record({ event_time_millis: MARK })),
    await agent.create({ ...scope, agent_id: `${MARK}\n` }),
    await agent.update(scope, [record_id, 7], record({ tags: [MARK] })),
    await agent.read(scope, MARK),
    await agent.read({ ...scope, [MARK]: MARK }, unknownId),
    await t.admin.issue(spec({ subject_id: `${MARK}\n` })),
    await t.admin.issue(spec({ capabilities: [MARK] })),
    await t.admin.list({ cursor: MARK }),
    await t.admin.inspect(MARK),
  ];
  for (const { status, body } of refusals) {
    expect(status).toBeGreaterThanOrEqual(400);
    const { members, ...error } = (body as { error: { members?: RefusedMember[] } }).error;
    expect({ ...(body as object), error }).toEqual({
      contract_version: 1,
      error: { code: expect.any(String), message: expect.any(String) },
    });
    expect(members === undefined).toBe(status !== 400 && status !== 403);
    // A path names an unknown member; nothing repeats a value.
    const told = [error, members?.map(({ expected }) => expected)];
    expect(JSON.stringify(told)).not.toContain(MARK);
    for (const { path, expected } of members ?? []) {
      if (path.includes(MARK)) expect(expected).toBe('no such member');
    }
  }
});

testCase('CON-70 each cause has one text', async (t) => {
  const agent = await t.agent();
  const first = await agent.create(ungranted);
  const second = await agent.query({ ...missionScope, mission_id: 'n' });
  const [one, other] = [first, second].map(({ body }) => body as SentError);
  expect(one?.error.message).toBe(other?.error.message);
});

testCase(
  'CON-174 a missing capability is named, and in what a scope differs from those granted',
  async (t) => {
    const reader = await t.agent({ capabilities: ['memory_read'] });
    const { error: lacks } = (await reader.create(scope)).body as SentError;
    expect(lacks.message).toMatch(/lacks the capability `memory_write`/);
    expect(lacks.members).toBeUndefined();
    const { error: scopes } = (await reader.query({ ...scope, agent_id: 'other' }))
      .body as SentError;
    expect(scopes.members).toEqual([
      { path: 'scope', expected: expect.stringMatching(/nearest one differs in agent_id$/) },
    ]);
  },
);

testCase('CON-93, CON-119 any other failure is an internal error', async (t) => {
  const agent = await t.agent();
  await t.store.close();
  for (const answer of [
    await agent.whoAmI(),
    await agent.create(scope),
    await t.admin.list(),
    await agent.call('getLearningPolicy', { id: 'x' }),
  ]) {
    expect(outcome(answer)).toBe(refused.internal);
  }
});

overHttp('an unknown path is reported without an echo', async (http) => {
  const reply = await http.send('GET', `/api/v1/${MARK}`);
  expect(outcome(reply)).toBe('404 not_found');
  expect(JSON.stringify(reply.body)).not.toContain(MARK);
});
