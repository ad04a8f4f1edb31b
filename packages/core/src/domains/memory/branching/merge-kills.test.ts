/** A merge that is killed at any of its commits (docs/contract/branches.md#bra-25). */
import { testStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import type { Store, WriteTx } from '../../../storage/store/store.js';
import { storeOver } from '../../../storage/store-testing/store-over.js';
import { type Agent, openKeep } from '../../../index.js';
import { agentFor } from '../../../operator.js';
import { ManualClock, quickPasswords } from '../../../testing.js';
import { families } from '../../../domains.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;
/** More than one commit merges: in the scope before, and in the branch. */
const BEFORE = 60;
const MADE = 260;
const MERGE_COMMITS = 5;

/** A store that fails the n-th commit of a merge from now on, before it or after it. */
function mortal(below: Store) {
  let left = Infinity;
  let isAfter = false;
  const store = storeOver(below, {
    transact: async <T>(body: (tx: WriteTx) => T): Promise<T> => {
      const seen = { isMerge: false };
      const put = (tx: WriteTx) => (key: Uint8Array, value: Uint8Array) => {
        seen.isMerge ||= families.ofKey(key) === 'memoryBranchMerges';
        tx.put(key, value);
      };
      const result = await below.transact((tx) => {
        const done = body(withPut(tx, put(tx)));
        if (seen.isMerge && left === 1 && !isAfter) throw new Error('killed before the commit');
        return done;
      });
      if (seen.isMerge) left -= 1;
      if (seen.isMerge && left === 0) throw new Error('killed after the commit');
      return result;
    },
  });
  return {
    store,
    killAt: (n: number, after: boolean) => {
      left = n;
      isAfter = after;
    },
  };
}

function withPut(tx: WriteTx, put: WriteTx['put']): WriteTx {
  return {
    notes: tx.notes,
    get: (key) => tx.get(key),
    range: (range) => tx.range(range),
    remove: (key) => {
      tx.remove(key);
    },
    append: (prefix, value) => {
      tx.append(prefix, value);
    },
    put,
  };
}

/** Makes records and a branch that deletes, changes and adds some; returns its id. */
async function prepare(agent: Agent): Promise<string> {
  const memory = agent.memory.in(scope);
  const create = (at: number) => ({
    scope,
    operation: { type: 'create' as const, record: { content: { primary: `before ${at}` } } },
  });
  const { outcomes } = await agent.memory.batch(
    Array.from({ length: BEFORE }, (_, at) => create(at)),
  );
  await memory.put('named', { content: { primary: 'named before' } });
  const { id: branch } = await agent.branches.create('trial', [scope]);
  const within = { ...scope, branch };
  const inBranch = agent.memory.in(within);
  for (const [at, { record_id: recordId }] of outcomes.entries()) {
    const target = { recordId, expectedRevision: 1 };
    if (at % 3 === 0) await inBranch.delete(target);
    if (at % 3 === 1) await inBranch.update(target, { content: { primary: `changed ${at}` } });
  }
  await inBranch.delete({ name: 'named' });
  await inBranch.put('named', { content: { primary: 'named in the branch' } });
  for (let made = 0; made < MADE; made += 130) {
    const commands = Array.from({ length: 130 }, (_, at) => ({
      scope: within,
      operation: { type: 'create' as const, record: { content: { primary: `made ${made + at}` } } },
    }));
    await agent.memory.batch(commands);
  }
  return branch;
}

/** Returns the records of a scope by id, without their times. */
async function recordsOf(agent: Agent, branch?: string) {
  const found = new Map<string, unknown>();
  const where = branch === undefined ? scope : { ...scope, branch };
  for await (const { record_id, name, payload, revision } of agent.memory.in(where).query()) {
    found.set(record_id, { name, payload, ...(branch === undefined ? { revision } : {}) });
  }
  return found;
}

/** Returns the number of changes of the scope, each of which is a revision. */
async function changesOf(agent: Agent): Promise<number> {
  let count = 0;
  let after: string | undefined;
  for (;;) {
    const page = await agent.memory.changesPage({ limit: 256, ...(after && { after }) });
    count += page.changes.length;
    if (page.changes.length === 0) return count;
    after = page.next_after;
  }
}

test('BRA-25 a merge that is killed at any of its commits goes on, and doubles and loses nothing', async () => {
  for (const isAfter of [false, true]) {
    for (let at = 1; ; at += 1) {
      const { store, killAt } = mortal(testStore());
      await using keep = await openKeep({
        store,
        clock: new ManualClock(),
        passwords: quickPasswords,
      });
      const agent = await agentFor(keep, {
        tenantId: 'acme',
        subjectId: 'worker',
        scopes: [scope],
      });
      const branch = await prepare(agent);
      const wanted = await recordsOf(agent, branch);
      const before = await changesOf(agent);
      const { digest } = await agent.branches.diffPage(branch);
      const options = { digest, idempotencyKey: 'merge' };
      killAt(at, isAfter);
      const isKilled = await agent.branches.merge(branch, options).then(
        () => false,
        () => true,
      );
      killAt(Infinity, false);
      const merge = await agent.branches.merge(branch, options);
      const merged = 40 + 2 + MADE;
      expect(merge).toEqual({ state: 'merged', merged, left: 0, conflicts: [] });
      expect(await agent.branches.merge(branch, options)).toEqual(merge);
      // Each record has one revision more, and no other record is there.
      expect(await changesOf(agent)).toBe(before + merged);
      const after = await recordsOf(agent);
      expect([...after.keys()]).toEqual([...wanted.keys()]);
      for (const [id, record] of wanted) expect(after.get(id)).toMatchObject(record as object);
      const left = await agent.branches.diffPage(branch);
      expect(left.page.items).toEqual([]);
      if (isKilled) continue;
      expect(at).toBe(MERGE_COMMITS + 1);
      break;
    }
  }
});
