/**
 * Changes of authority in the installation between the checks of a call and its commit
 * (docs/contract/installation.md#ins-52).
 */
import { recoverMaster } from '@agentkeep/core/operator';
import { eventually } from '@agentkeep/testkit/eventually';
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Fixture } from '../harness/fixture.js';
import { testCase } from '../harness/fixture.js';
import { race } from '../harness/gate.js';
import { everyCapability, type GlobalCaller, minimalGlobalSpec } from '../harness/global-caller.js';
import { allEntries, ofTheirOwnTime } from '../harness/stored-entries.js';

const writes: Readonly<
  Record<string, (actor: GlobalCaller, id: string) => Promise<{ status: number; body: unknown }>>
> = {
  issue: (actor) => actor.issue(minimalGlobalSpec),
  rotate: (actor, id) => actor.rotate(id, 1),
  revoke: (actor, id) => actor.revoke(id, 1),
  'its own rotation': (actor) => actor.rotate(actor.id, 1),
  register: (actor) => actor.register({ tenant_id: 'new' }),
  appoint: (actor) => actor.appoint('acme'),
};

/** Recorded at any time, such as the refusals of calls that have been answered. */
const auditLog: readonly unknown[] = [...ofTheirOwnTime, undefined];

/** Everything except the audit log, as lines that name their subspace. */
async function state(t: Fixture): Promise<readonly string[]> {
  const entries = await allEntries(t.store);
  const compared = entries.filter(({ subspace }) => !auditLog.includes(subspace));
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  return compared.map(({ subspace, key, value }) => `${subspace} ${hex(key)}=${hex(value)}`);
}

describe('an actor that changes before the commit', () => {
  for (const [name, write] of Object.entries(writes)) {
    race(name, async (t, gate) => {
      const master = await t.master();
      const target = await master.delegate(['tenant_inspect']);
      for (const change of ['rotate', 'revoke'] as const) {
        const actor = await master.delegate(everyCapability);
        let after: unknown;
        gate.before = async () => {
          result(await master[change](actor.id, 1));
          after = await state(t);
        };
        expect(outcome(await write(actor, target.id)), change).toBe(refused.stale);
        await eventually(async () => expect((await t.keep.waiting()).auditEvents).toBe(0));
        expect(await state(t)).toEqual(after);
      }
    });
  }

  race('INS-59, CON-52 the master, recovered by an operator', async (t, gate) => {
    const master = await t.master();
    gate.before = () => recoverMaster(t.keep, 1);
    expect(outcome(await master.issue(minimalGlobalSpec))).toBe(refused.stale);
  });
});

describe('a target that changes before the commit', () => {
  for (const end of ['rotate', 'revoke'] as const) {
    race(end, async (t, gate) => {
      const master = await t.master();
      const target = await master.delegate(['tenant_inspect']);
      gate.before = async () => result(await master.rotate(target.id, 1));
      expect(outcome(await master[end](target.id, 1))).toBe(refused.stale);
      expect(result(await master.inspect(target.id)).credential.revision).toBe(2);
    });
  }

  race('a tenant id that another caller registers', async (t, gate) => {
    const master = await t.master();
    gate.before = async () => result(await master.register({ tenant_id: 'new' }));
    expect(outcome(await master.register({ tenant_id: 'new' }))).toBe(refused.stale);
  });
});

describe('many at once', () => {
  testCase('CON-83 of eight rotations at one revision, one succeeds', async (t) => {
    const master = await t.master();
    const target = await master.delegate(['tenant_inspect']);
    const answers = await Promise.all(Array.from({ length: 8 }, () => master.rotate(target.id, 1)));
    expect(answers.map(outcome).sort()).toEqual(['200', ...Array<string>(7).fill(refused.stale)]);
    const { secret } = result(answers.find(({ status }) => status === 200)!);
    expect(outcome(await target.with(secret).identity())).toBe('200');
  });

  testCase('eight registrations of different ids all succeed', async (t) => {
    const master = await t.master();
    const ids = Array.from({ length: 8 }, (_, index) => `tenant-${index}`);
    const answers = await Promise.all(ids.map((tenant_id) => master.register({ tenant_id })));
    expect(answers.map(outcome)).toEqual(ids.map(() => '201'));
    const { items } = result(await master.listTenants()).page;
    expect(items.map(({ tenant_id }) => tenant_id)).toEqual(['acme', ...ids]);
  });

  testCase('eight appointments make eight administrators', async (t) => {
    const master = await t.master();
    const answers = await Promise.all(Array.from({ length: 8 }, () => master.appoint('acme')));
    const ids = answers.map((answer) => result(answer).credential.id);
    const { items } = result(await t.admin.list()).page;
    expect(items.map(({ id }) => id).toSorted()).toEqual([t.admin.id, ...ids].toSorted());
  });
});
