/** Which records a caller can see (docs/contract/memory.md#mem-4). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import {
  missionScope,
  openPolicy,
  scope,
  sharedScope,
  spec,
  ungranted,
} from '../harness/documents.js';
import { record, unknownId } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';

const READ_WRITE = ['memory_read', 'memory_write'];

/** Issues a credential that may act in every scope of its tenant. */
function everywhere({ admin }: Fixture, subject_id = 'alice') {
  return admin.appoint(spec({ subject_id, capabilities: READ_WRITE, scope_policy: openPolicy }));
}

/** Different scopes whose texts are equal when joined. */
const places = [
  scope,
  sharedScope,
  missionScope,
  { ...missionScope, visibility: 'shared' },
  { ...scope, mission_id: 'null' },
  { ...scope, project_id: 'P' },
  { ...scope, agent_id: 'p', project_id: 'a' },
  { ...scope, project_id: 'pa', agent_id: 'x' },
  { ...scope, project_id: 'p', agent_id: 'ax' },
  { ...scope, project_id: 'p","a', agent_id: 'x' },
  { ...scope, project_id: 'p', agent_id: 'a","x' },
  { ...scope, project_id: 'p/m', agent_id: 'a' },
  { ...scope, project_id: 'p', mission_id: 'm/a', agent_id: 'a' },
  { ...scope, project_id: 'p'.repeat(256), mission_id: 'm'.repeat(256), agent_id: 'a'.repeat(256) },
];

describe('namespaces', () => {
  testCase('MEM-4 every part of a scope separates namespaces', async (t) => {
    const agent = await everywhere(t);
    const ids: string[] = [];
    for (const place of places) ids.push(await agent.created(place));
    for (const [index, place] of places.entries()) {
      const at = JSON.stringify(place);
      expect(await agent.found(place), at).toEqual([ids[index]]);
      for (const [other, id] of ids.entries()) {
        const expected = other === index ? '200' : refused.noRecord;
        expect(outcome(await agent.read(place, id)), at).toBe(expected);
      }
    }
  });

  testCase('MEM-4, MEM-6 private belongs to one subject, shared to all with a grant', async (t) => {
    const alice = await t.agent();
    const alice2 = await t.agent();
    const bob = await t.agent({ subject_id: 'bob' });
    const own = await alice.created(scope);
    const common = await alice.created(sharedScope);
    expect(await alice2.found(scope)).toEqual([own]);
    expect(await bob.found(scope)).toEqual([]);
    expect(outcome(await bob.update(scope, [own, 1]))).toBe(refused.noRecord);
    expect(outcome(await bob.delete(scope, [own, 1]))).toBe(refused.noRecord);
    expect(await bob.found(sharedScope)).toEqual([common]);
    expect(outcome(await bob.update(sharedScope, [common, 1]))).toBe('200');
    expect(outcome(await alice.delete(sharedScope, [common, 2]))).toBe('200');
    expect(outcome(await alice2.update(scope, [own, 1]))).toBe('200');
  });

  testCase('MEM-61, MEM-4 another tenant with the same texts sees nothing', async (t) => {
    const agent = await t.agent();
    const foreignAdmin = await t.foreignAdmin();
    const foreign = await foreignAdmin.appoint(
      spec({ subject_id: 'alice', capabilities: READ_WRITE, grants: [scope, sharedScope] }),
    );
    for (const place of [scope, sharedScope]) {
      const id = await agent.created(place);
      expect(outcome(await foreign.read(place, id))).toBe(refused.noRecord);
      expect(outcome(await foreign.update(place, [id, 1]))).toBe(refused.noRecord);
      const { page } = result(await foreign.query(place));
      expect(page).toEqual({ records: [], next_after: null, scanned_records: 0 });
    }
  });
});

describe('403 or 404', () => {
  testCase('a missing capability is 403, also for an administrator', async (t) => {
    const reader = await t.agent({ capabilities: ['memory_read'] });
    const writer = await t.agent({ capabilities: ['memory_write'] });
    const admin = await t.agent({ capabilities: ['credential_admin', 'policy_admin'] });
    const id = await writer.created(scope);
    expect(outcome(await reader.read(scope, id))).toBe('200');
    expect(outcome(await reader.create(scope))).toBe(refused.forbidden);
    expect(outcome(await reader.update(scope, [id, 1]))).toBe(refused.forbidden);
    expect(outcome(await reader.delete(scope, [id, 1]))).toBe(refused.forbidden);
    expect(outcome(await writer.read(scope, id))).toBe(refused.forbidden);
    expect(outcome(await writer.query(scope))).toBe(refused.forbidden);
    expect(outcome(await admin.create(scope))).toBe(refused.forbidden);
    expect(outcome(await admin.read(scope, id))).toBe(refused.forbidden);
    expect(outcome(await admin.query(scope))).toBe(refused.forbidden);
  });

  testCase('MEM-29, CRD-29 a scope without a grant is 403, whatever its content', async (t) => {
    const owner = await everywhere(t);
    const agent = await t.agent({ grants: [scope] });
    const outside = [
      ungranted,
      sharedScope,
      missionScope,
      { ...scope, agent_id: 'b' },
      { ...scope, mission_id: 'null' },
    ];
    for (const place of outside) {
      const id = await owner.created(place);
      expect(outcome(await agent.read(place, id))).toBe(refused.forbidden);
      expect(outcome(await agent.read(place, unknownId))).toBe(refused.forbidden);
      expect(outcome(await agent.query(place))).toBe(refused.forbidden);
      expect(outcome(await agent.create(place))).toBe(refused.forbidden);
      expect(outcome(await agent.update(place, [id, 1]))).toBe(refused.forbidden);
      expect(outcome(await agent.delete(place, [id, 1]))).toBe(refused.forbidden);
    }
  });

  testCase('MEM-61, CON-75 absent, elsewhere, deleted or expired is 404', async (t) => {
    const agent = await t.agent();
    const elsewhere = await agent.created(missionScope);
    const deleted = await agent.created(scope);
    result(await agent.delete(scope, [deleted, 1]));
    const expired = await agent.created(scope, record({ valid_until_millis: t.clock.now() }));
    for (const id of [unknownId, elsewhere, deleted, expired]) {
      expect(outcome(await agent.read(scope, id))).toBe(refused.noRecord);
    }
  });

  testCase('without a grant no scope is open', async (t) => {
    const agent = await t.agent({ grants: [] });
    for (const place of places) {
      expect(outcome(await agent.query(place))).toBe(refused.forbidden);
    }
  });
});

describe('answers', () => {
  testCase('MEM-59 a read returns the requested scope', async (t) => {
    const agent = await t.agent();
    const inMission = await agent.created(missionScope);
    const without = await agent.created(scope);
    const answer = result(await agent.read(scope, without));
    expect(Object.keys(answer).sort()).toEqual(['contract_version', 'record', 'scope']);
    expect(answer.scope).toEqual({ ...scope, mission_id: null });
    expect(result(await agent.read(missionScope, inMission)).scope).toEqual(missionScope);
    expect(result(await agent.query(missionScope)).scope).toEqual(missionScope);
    expect(result(await agent.query(scope)).scope).toEqual({ ...scope, mission_id: null });
  });

  testCase('null and no mission are the same scope', async (t) => {
    const agent = await t.agent();
    const id = await agent.created({ ...scope, mission_id: null });
    expect(await agent.found(scope)).toEqual([id]);
    const nullGrant = await t.agent({ grants: [{ ...scope, mission_id: null }] });
    expect(await nullGrant.found(scope)).toEqual([id]);
  });
});
