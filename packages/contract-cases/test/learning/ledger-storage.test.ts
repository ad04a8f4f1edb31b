/**
 * Stored tools and experiences are verified, refused writes leave nothing behind, and authority is
 * checked again in the commit (docs/contract/learning.md#lrn-32).
 */
import type { Store } from '@agentkeep/core';
import { describe, expect } from 'vitest';
import { type Answer, outcome, refused, result } from '../harness/answer.js';
import { sharedScope } from '../harness/documents.js';
import { attempt, attempted } from '../experiences/experience-fixture.js';
import { testCase } from '../harness/fixture.js';
import { race } from '../harness/gate.js';
import { allEntries, damage, entriesMadeBy, overwrite } from '../harness/stored-entries.js';
import { proposal, request, workshop } from '../tools/tool-fixture.js';

/** Expects a read to fail for each damage of each entry, and to succeed after its repair. */
async function expectVerified(
  store: Store,
  write: () => Promise<unknown>,
  read: () => Promise<Answer>,
): Promise<void> {
  const made = await entriesMadeBy(store, write);
  const before = await read();
  const failures = new Set<string>();
  for (const { key } of made) {
    for (const at of ['version', 'content'] as const) {
      const undo = await damage(store, key, at);
      failures.add(outcome(await read()));
      await undo();
    }
  }
  expect(await read()).toEqual(before);
  // The readable form of a namespace is never returned.
  expect(failures).toContain(refused.inconsistent);
  failures.delete(refused.inconsistent);
  expect([...failures].filter((each) => each !== '200')).toEqual([]);
}

describe('stored documents', () => {
  testCase('CON-92 tools that do not verify are not returned', async (t) => {
    const shop = await workshop(t);
    await expectVerified(
      t.store,
      () => shop.developer.registerArtifact(),
      () => shop.developer.readArtifact('t1'),
    );
    await expectVerified(
      t.store,
      () => shop.developer.request(),
      () => shop.developer.read(),
    );
    await expectVerified(
      t.store,
      () => shop.report(['e1', 1], { outcome: 'failed' }),
      () => shop.developer.event('e1'),
    );
  });

  testCase('CON-92 experiences that do not verify are not returned', async (t) => {
    const at = await attempted(t);
    await expectVerified(
      t.store,
      () => at.writer.register({ ...attempt, id: 'a2' }),
      () => at.writer.read('a2'),
    );
    await expectVerified(
      t.store,
      () => at.observe('e1', 1),
      () => at.writer.history({ limit: 64 }),
    );
  });

  testCase('an entry under the key of another does not verify', async (t) => {
    const shop = await workshop(t);
    const requested = async (id: string) => {
      const made = await entriesMadeBy(t.store, () => shop.developer.request({ ...request, id }));
      return made.find(({ key }) => isLedger(key))!;
    };
    const first = await requested('r1');
    const second = await requested('r2');
    await overwrite(t.store, second.key, first.value);
    expect(outcome(await shop.developer.read('r2'))).toBe(refused.inconsistent);
  });

  testCase('LRN-34 a refused command leaves nothing behind', async (t) => {
    const shop = await workshop(t);
    result(await shop.developer.request());
    result(await shop.developer.registerArtifact({ ...proposal, entrypoint: 'other' }));
    const at = await attempted(t);
    const count = async () => (await allEntries(t.store)).filter(({ key }) => isLedger(key)).length;
    const before = await count();
    const refusals = [
      () => shop.report(['e1', 1]),
      () => shop.report(['e1', 2]),
      () => shop.report(['e1', 1], { cost_units: -1 }),
      () => shop.developer.request({ ...request, id: 'r2', executor_id: 'w2' }),
      () => shop.developer.registerArtifact(proposal),
      () => at.observe('e1', 2),
      () => at.observe('e1', 1, { context_digest: 'f'.repeat(64) }),
      () => at.writer.register({ ...attempt, id: 'a2', context_id: 'nowhere' }),
    ];
    for (const refuse of refusals) expect((await refuse()).status).toBeGreaterThanOrEqual(400);
    expect(await count()).toBe(before);
  });
});

/** Whether a key belongs to tools or experiences: subspaces 50 to 59. */
function isLedger(key: Uint8Array): boolean {
  const number = key[key.indexOf(0) + 1] ?? 0;
  return number >= 50 && number < 60;
}

race('CON-52 authority that ends before the commit ends the call', async (t, gate) => {
  const shop = await workshop(t);
  const at = await attempted(t);
  result(await shop.developer.request());
  const { developer, worker } = shop;
  gate.before = () => t.admin.rescope(worker.caller.id, 1, { grants: [] });
  expect(outcome(await shop.report(['e1', 1]))).toBe(refused.forbidden);
  gate.before = () => t.admin.revoke(worker.caller.id, 2);
  expect(outcome(await shop.report(['e1', 1]))).toBe(refused.forbidden);
  gate.before = () => t.admin.revoke(developer.caller.id, 1);
  expect(outcome(await developer.registerArtifact())).toBe(refused.unauthorized);
  gate.before = () => t.admin.revoke(at.reporter.caller.id, 1);
  expect(outcome(await at.observe('e1', 1))).toBe(refused.unauthorized);
  gate.before = () => t.admin.revoke(shop.registrar.caller.id, 1);
  const executor = shop.registrar.registerExecutor({ ...shop.executor.profile, id: 'w2' });
  expect(outcome(await executor)).toBe(refused.unauthorized);
  expect(result(await at.writer.read('a1', sharedScope)).experience.revision).toBe(1);
});
