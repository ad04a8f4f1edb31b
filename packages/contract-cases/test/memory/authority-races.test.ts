/**
 * Authority that ends between the checks of a call and its commit (docs/contract/memory.md#mem-25).
 */
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { minimalRecord, minimalSpec, scope } from '../harness/documents.js';
import type { Fixture } from '../harness/fixture.js';
import { race } from '../harness/gate.js';

race(
  'MEM-35, CON-52 a command whose credential is revoked before its commit is 401',
  async (t, gate) => {
    const agent = await t.agent();
    gate.before = () => t.admin.revoke(agent.id, 1);
    expect(outcome(await agent.create(scope))).toBe(refused.unauthorized);
    expect(await (await t.agent()).found(scope)).toEqual([]);
  },
);

race(
  'MEM-35, CON-52 a command whose scope is withdrawn before its commit is 403',
  async (t, gate) => {
    const agent = await t.agent();
    const made = await agent.create(scope, minimalRecord, 'k');
    gate.before = () => t.admin.rescope(agent.id, 1, { grants: [] });
    expect(outcome(await agent.create(scope, minimalRecord, 'k'))).toBe(refused.forbidden);
    gate.before = () => t.admin.rescope(agent.id, 2, { grants: [] });
    const answer = await agent.delete(scope, [result(made).receipt.record_id, 1]);
    expect(outcome(answer)).toBe(refused.forbidden);
    expect(await (await t.agent()).found(scope)).toHaveLength(1);
  },
);

const writes = {
  issue: (t: Fixture) => t.admin.issue(minimalSpec),
  rotate: (t: Fixture, id: string) => t.admin.rotate(id, 1),
  revoke: (t: Fixture, id: string) => t.admin.revoke(id, 1),
  'scope authority': (t: Fixture, id: string) => t.admin.rescope(id, 1, { grants: [] }),
};

for (const [name, write] of Object.entries(writes)) {
  race(
    `CRD-58, CRD-82 an administrator that changes before the commit: ${name}`,
    async (t, gate) => {
      const second = await t.admin.appoint({ ...minimalSpec, capabilities: ['credential_admin'] });
      const target = await t.agent();
      const changes = [
        () => second.rescope(t.admin.id, 1, { grants: [] }),
        () => second.revoke(t.admin.id, 2),
      ];
      for (const change of changes) {
        gate.before = async () => result(await change());
        expect(outcome(await write(t, target.id))).toBe(refused.stale);
      }
      const { items } = result(await second.list()).page;
      expect(items).toHaveLength(3);
      expect(items).toContainEqual(target.credential);
    },
  );
}
