/** Errors have one closed shape and echo no input (docs/contract/conventions.md#con-65). */
import type { RefusedMember } from '@agentkeep/core';
import { expect } from 'vitest';
import { outcome, refused } from '../harness/answer.js';
import { missionScope, record, scope, spec, ungranted, unknownId } from '../harness/documents.js';
import { bothWays } from '../harness/fixture.js';
import { overHttp } from '../harness/http-fixture.js';

const MARK = 'echo-4711';

bothWays(
  'CON-65, CON-70, CON-169, INS-2, INS-3 an error is closed, static and echoes no input',
  async (t) => {
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
      expect(members === undefined).toBe(status !== 400);
      // A path names an unknown member; nothing repeats a value.
      const told = [error, members?.map(({ expected }) => expected)];
      expect(JSON.stringify(told)).not.toContain(MARK);
      for (const { path, expected } of members ?? []) {
        if (path.includes(MARK)) expect(expected).toBe('no such member');
      }
    }
  },
);

bothWays('CON-70 each cause has one text', async (t) => {
  const agent = await t.agent();
  const first = await agent.create(ungranted);
  const second = await agent.query({ ...missionScope, mission_id: 'n' });
  expect(first.body).toEqual(second.body);
});

bothWays('CON-93 any other failure is an internal error', async (t) => {
  const agent = await t.agent();
  await t.store.close();
  for (const answer of [await agent.whoAmI(), await agent.create(scope), await t.admin.list()]) {
    expect(outcome(answer)).toBe(refused.internal);
  }
});

overHttp('an unknown path is reported without an echo', async (http) => {
  const reply = await http.send('GET', `/api/v1/${MARK}`);
  expect(outcome(reply)).toBe('404 not_found');
  expect(JSON.stringify(reply.body)).not.toContain(MARK);
});
