/**
 * Learning is stored atomically, survives a reopening, and is never returned damaged; authority
 * that ends before a commit ends the call (docs/contract/learning.md#lrn-32).
 */
import { openKeep } from '@agentkeep/core';
import { describe, expect, test } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { drivers } from '../harness/drivers.js';
import { Caller } from '../harness/caller.js';
import { tenant } from '../harness/fixture.js';
import { race } from '../harness/gate.js';
import { lasting } from '../harness/lasting-store.js';
import { failure, submission } from './learning-documents.js';
import { Learner, lesson, openClass } from './learning-fixture.js';
import { allEntries, damage, entriesMadeBy, overwrite } from '../harness/stored-entries.js';

const ACTIVE = ['learningAdmissions', 'learningEvidence', 'learningProcedures'] as const;

describe('what is stored', () => {
  lesson('LRN-34 a refused evaluation leaves nothing behind', async ({ t, author, judge }) => {
    result(await author.propose());
    result(await judge.evaluate(submission('used')));
    const refusals = [
      () => judge.evaluate(submission('used', { detail: 'other' })),
      () => judge.evaluate(submission('new', { detail: ' ' })),
      () => judge.evaluate(submission('new'), 'absent'),
      () => author.propose({ instructions: 'Other.' }),
      () => author.propose({ id: 'c2', policy_id: 'absent' }),
    ];
    for (const refusal of refusals) {
      let status = 0;
      const made = await entriesMadeBy(t.store, async () => void ({ status } = await refusal()));
      expect(status).toBeGreaterThanOrEqual(400);
      expect(made).toEqual([]);
    }
  });

  lesson(
    'LRN-34 receipt, evidence, state and index change together',
    async ({ t, author, judge }) => {
      result(await author.propose());
      const namesOf = async (act: () => Promise<unknown>) => {
        const made = await entriesMadeBy(t.store, act);
        return made.flatMap(({ subspace }) => subspace ?? []).sort();
      };
      const trial = (name: string) => () => judge.evaluate(submission(name));
      for (const name of ['1', '2', '3']) expect(await namesOf(trial(name))).toEqual(ACTIVE);
      expect(await namesOf(trial('4'))).toEqual([...ACTIVE, 'learningSelection']);
      expect(await namesOf(trial('late'))).toEqual(['learningAdmissions']);
      for (const name of ['5', '6', '7']) {
        expect(await namesOf(() => judge.evaluate(failure(name)))).toEqual(ACTIVE);
      }
      const left = await allEntries(t.store);
      expect(left.filter(({ subspace }) => subspace === 'learningSelection')).toEqual([]);
    },
  );

  lesson('LRN-26, CON-92 damage is never returned', async ({ t, registrar, author, judge }) => {
    result(await author.propose());
    await judge.qualify(4);
    const policy = () => registrar.caller.call('getLearningPolicy', { id: 'pol' });
    const context = () => registrar.caller.call('getLearningContext', { id: 'ctx' });
    const read = () => author.read();
    const select = () => author.select();
    const admission = () => author.admission('c1 trial 1');
    const repeat = () => judge.evaluate(submission('c1 trial 1'));
    const readers: Record<string, readonly (() => Promise<{ status: number; body: unknown }>)[]> = {
      learningPolicies: [policy, read, select, admission, repeat],
      learningContexts: [context, read, select, admission, repeat],
      learningProposals: [read, select, admission, repeat],
      learningProcedures: [read, select, admission, repeat],
      learningSelection: [select],
      learningAdmissions: [admission, repeat],
    };
    const found = new Set<string>();
    for (const { subspace = '', key } of await allEntries(t.store)) {
      const isLater = subspace === 'learningAdmissions' && found.has(subspace);
      if (readers[subspace] === undefined || isLater) continue;
      found.add(subspace);
      for (const at of ['version', 'content'] as const) {
        const repair = await damage(t.store, key, at);
        for (const call of readers[subspace]) {
          expect(outcome(await call()), subspace).toBe(refused.inconsistent);
        }
        await repair();
        for (const call of readers[subspace]) expect(outcome(await call())).toBe('200');
      }
    }
    expect([...found].sort()).toEqual(Object.keys(readers).sort());
  });

  lesson('dangling references are never returned', async ({ t, author, judge }) => {
    result(await author.propose());
    await judge.qualify(4);
    const lost = ['learningPolicies', 'learningContexts', 'learningProcedures'];
    for (const { subspace = '', key } of await allEntries(t.store)) {
      if (!lost.includes(subspace)) continue;
      const repair = await overwrite(t.store, key, undefined);
      expect(outcome(await author.read()), subspace).toBe(refused.inconsistent);
      await repair();
    }
    const entries = await allEntries(t.store);
    const state = entries.find(({ subspace }) => subspace === 'learningProcedures');
    result(await judge.evaluate(failure('1')));
    result(await judge.evaluate(failure('2')));
    const rank = (await allEntries(t.store)).find((it) => it.subspace === 'learningSelection');
    result(await judge.evaluate(failure('3')));
    // An entry of the index without its procedure.
    const forget = await overwrite(t.store, rank!.key, rank!.value);
    expect(outcome(await author.select())).toBe(refused.inconsistent);
    await forget();
    await overwrite(t.store, state!.key, state!.value);
    expect((await author.record()).state).toBe('Active');
  });
});

for (const driver of drivers) {
  test(`everything survives a reopening (${driver.name})`, async () => {
    const store = lasting();
    const before = await tenant(driver, store);
    const { author, judge } = await openClass(before);
    const made = await author.propose();
    await judge.qualify(4);
    const known = await author.read();
    await before.keep.close();
    await using keep = await openKeep({ store, clock: before.clock });
    const transport = driver.open(keep);
    const again = ({ caller }: Learner) =>
      new Learner(new Caller(transport, caller.token, caller.credential));
    expect(await again(author).read()).toEqual(known);
    expect(await again(author).propose()).toEqual(made);
    expect(await again(author).selected()).toBe('c1');
    expect(await again(judge).admitted(submission('c1 trial 1'))).toBe('accepted accepted');
    expect((await again(author).record()).qualification_count).toBe(4);
  });
}

race('authority that ends before the commit ends the call', async (t, gate) => {
  const { registrar, author, judge } = await openClass(t);
  result(await author.propose());
  gate.before = () => t.admin.rescope(author.caller.id, 1, { grants: [] });
  expect(outcome(await author.propose({ id: 'c2' }))).toBe(refused.forbidden);
  gate.before = () => t.admin.revoke(judge.caller.id, 1);
  expect(outcome(await judge.evaluate(submission('x')))).toBe(refused.unauthorized);
  gate.before = () => t.admin.revoke(registrar.caller.id, 1);
  expect(outcome(await registrar.policy('late'))).toBe(refused.unauthorized);
});
