/** The change feed (docs/contract/changes.md). */
import { describe, expect } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import { type Answer, outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { minimalRecord, scope, sharedScope, ungranted } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';

const put = (name: string) => ({ type: 'put', name, record: minimalRecord });

/** Pages to the end, from a cursor on. */
async function readAll(reader: Caller, members: Members = {}) {
  const changes = [];
  let after = members['after'];
  for (;;) {
    const position = after === undefined ? {} : { after };
    const { page } = result(await reader.changes({ ...members, ...position }));
    changes.push(...page.changes);
    after = page.next_after;
    if (!page.has_more) return { changes, after: page.next_after };
  }
}

const shown = ({ changes }: Awaited<ReturnType<typeof readAll>>) =>
  changes.map(({ record_id, action, revision }) => [record_id, action, revision]);

function pathsOf({ body }: Answer): string[] {
  const { error } = body as { error: { members?: { path: string }[] } };
  return (error.members ?? []).map(({ path }) => path);
}

describe('the change feed', () => {
  testCase(
    'CHG-C1, CHG-10, CHG-22 shows each committed change once, in order, without content',
    async (t) => {
      const agent = await t.agent();
      const id = await agent.created(scope);
      await agent.update(scope, [id, 1]);
      const { receipt } = result(
        await agent.batch([
          [sharedScope, put('n')],
          [scope, put('n')],
        ]),
      );
      await agent.delete(scope, [id, 2]);
      const [one, two] = receipt.outcomes.map(({ record_id }) => record_id);
      const all = await readAll(agent);
      expect(shown(all)).toEqual([
        [id, 'created', 1],
        [id, 'updated', 2],
        [one, 'created', 1],
        [two, 'created', 1],
        [id, 'deleted', 3],
      ]);
      expect(all.changes[2]).toEqual({
        cursor: expect.any(String) as unknown,
        scope: { ...sharedScope, mission_id: null },
        record_id: one,
        revision: 1,
        action: 'created',
        committed_at_millis: t.clock.now(),
      });
      expect(shown(await readAll(agent, { limit: 2 }))).toEqual(shown(all));
    },
  );

  testCase(
    'CHG-C2, CHG-11 goes on after any cursor, also that of a page without changes',
    async (t) => {
      const agent = await t.agent();
      const ids = [];
      for (let index = 0; index < 4; index += 1) ids.push(await agent.created(scope));
      const { changes, after } = await readAll(agent);
      for (const [index, { cursor }] of changes.entries()) {
        const rest = await readAll(agent, { after: cursor });
        expect(rest.changes.map(({ record_id }) => record_id)).toEqual(ids.slice(index + 1));
      }
      const latest = result(await agent.changes({ after: 'latest' })).page;
      expect(latest).toMatchObject({ changes: [], has_more: false });
      const later = await agent.created(scope);
      for (const from of [after, latest.next_after]) {
        expect(shown(await readAll(agent, { after: from }))).toEqual([[later, 'created', 1]]);
      }
    },
  );

  testCase('CHG-C3 leaves out replays and refused commands', async (t) => {
    const agent = await t.agent();
    const { receipt } = result(await agent.create(scope, minimalRecord, 'k'));
    await agent.create(scope, minimalRecord, 'k');
    await agent.delete(scope, [receipt.record_id, 7]);
    await agent.batch([
      [scope, put('n')],
      [scope, { type: 'delete', record_id: receipt.record_id, expected_revision: 7 }],
    ]);
    expect(shown(await readAll(agent))).toEqual([[receipt.record_id, 'created', 1]]);
  });

  testCase('CHG-C3 leaves out a redaction that changes nothing', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope);
    result(await agent.update(scope, [id, 1]));
    const redact = { type: 'redact', record_id: id, revision: 1 };
    result(await agent.redact(scope, id, 1));
    result(await agent.redact(scope, id, 1));
    result(
      await agent.batch([
        [scope, redact],
        [scope, redact],
        [scope, put('n')],
      ]),
    );
    const read = await readAll(agent);
    expect(shown(read).map(([, action]) => action)).toEqual([
      'created',
      'updated',
      'redacted',
      'created',
    ]);
  });

  testCase('CHG-C4 shows only scopes that the caller may read now', async (t) => {
    const alice = await t.agent();
    const mine = await alice.created(scope);
    const ours = await alice.created(sharedScope);
    const bob = await t.agent({ subject_id: 'bob', capabilities: ['memory_read'] });
    expect(shown(await readAll(bob))).toEqual([[ours, 'created', 1]]);
    expect(shown(await readAll(alice))).toHaveLength(2);
    expect(shown(await readAll(alice, scope))).toEqual([[mine, 'created', 1]]);
    expect(shown(await readAll(bob, scope))).toEqual([]);
    const other = await t.foreignAdmin();
    expect(outcome(await other.changes())).toEqual(refused.forbidden);
    expect(outcome(await alice.changes(ungranted))).toEqual(refused.forbidden);
    const writer = await t.agent({ capabilities: ['memory_write'] });
    expect(outcome(await writer.changes())).toEqual(refused.forbidden);
    const { after } = await readAll(bob);
    await t.admin.revoke(bob.id, 1);
    expect(outcome(await bob.changes({ after }))).toEqual(refused.unauthorized);
  });

  testCase('CHG-C5 refuses cursors that are altered, foreign or no cursors', async (t) => {
    const agent = await t.agent();
    await agent.created(scope);
    const { changes } = await readAll(agent);
    const cursor = changes[0]?.cursor ?? '';
    const foreign = await (
      await t.foreignAdmin()
    ).appoint({ subject_id: 'eve', capabilities: ['memory_read'], grants: [scope] });
    const altered = Array.from({ length: 64 }, (_, index) => {
      const other = cursor[index] === 'A' ? 'B' : 'A';
      return cursor.slice(0, index) + other + cursor.slice(index + 1);
    });
    for (const after of [...altered, '', 'now', 'A'.repeat(64), cursor.slice(1)]) {
      const answer = await agent.changes({ after });
      expect(outcome(answer)).toEqual(refused.invalid);
      expect(pathsOf(answer)).toEqual(['after']);
    }
    expect(outcome(await foreign.changes({ after: cursor }))).toEqual(refused.invalid);
  });

  testCase('CHG-C6 refuses a part of a scope, and numbers out of range', async (t) => {
    const agent = await t.agent();
    const part = await agent.changes({ project_id: 'p', visibility: 'private' });
    expect(outcome(part)).toEqual(refused.invalid);
    expect(pathsOf(part)).toEqual(['agent_id']);
    for (const members of [{ limit: 0 }, { limit: 257 }, { wait_millis: 30_001 }]) {
      expect(outcome(await agent.changes(members))).toEqual(refused.invalid);
    }
    expect(result(await agent.changes({ limit: 256, wait_millis: 0 })).page.changes).toEqual([]);
  });

  testCase('CHG-C7 shows cursors that cannot be compared', async (t) => {
    const agent = await t.agent();
    await agent.created(scope);
    const twice = [await readAll(agent), await readAll(agent)];
    expect(twice[0]?.changes[0]?.cursor).not.toBe(twice[1]?.changes[0]?.cursor);
    expect(twice[0]?.after).not.toBe(twice[1]?.after);
  });
});

describe('waiting for changes', () => {
  testCase('CHG-C8 ends with the next change that the caller may read', async (t) => {
    const alice = await t.agent();
    const bob = await t.agent({ subject_id: 'bob' });
    const { next_after: after } = result(await bob.changes({ after: 'latest' })).page;
    const waiting = bob.changes({ after, wait_millis: 30_000 });
    await alice.created(scope);
    const ours = await alice.created(sharedScope);
    const { page } = result(await waiting);
    expect(page.changes.map(({ record_id }) => record_id)).toEqual([ours]);
  });

  testCase('CHG-C9 ends when the time is over', async (t) => {
    const agent = await t.agent();
    let answer: Answer<'listMemoryChanges'> | undefined;
    void agent.changes({ wait_millis: 5_000 }).then((ended) => (answer = ended));
    await eventually(() => {
      t.clock.advance(2_500);
      expect(answer && result(answer).page.changes).toEqual([]);
    });
  });

  testCase('CHG-C10 ends within a second of the revocation of the caller', async (t) => {
    const agent = await t.agent();
    const waiting = agent.changes({ wait_millis: 30_000 });
    await t.admin.revoke(agent.id, 1);
    expect(outcome(await waiting)).toEqual(refused.unauthorized);
  });

  testCase('CHG-C11 is bounded for each caller', async (t) => {
    const agent = await t.agent();
    const other = await t.agent({ subject_id: 'bob' });
    const after = result(await agent.changes({ after: 'latest' })).page.next_after;
    const waits = Array.from({ length: 17 }, () => agent.changes({ after, wait_millis: 30_000 }));
    const first = await Promise.race(waits);
    expect(outcome(first)).toEqual('429 too_many_waits');
    const beside = other.changes({ after, wait_millis: 30_000 });
    await agent.created(sharedScope);
    const answers = await Promise.all([...waits, beside]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(17);
  });
});
