/** Erasures that are interrupted, and what is written beside them. */
import { heldViews } from '../../domains/memory/view/view-cache.js';
import { heldTexts } from '../../kernel/load/held-texts.js';
import { knownNamespaces } from '../../kernel/ports/known-callers.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Agent } from '../../client/agent.js';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import type { Keep } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import { agentFor, bootstrapTenant, runtimeOf } from '../../operator.js';
import { erasuresAfter, putErasure, type StoredErasure } from '../stored/erasure-store.js';
import { erasurePlan } from './erasure-plan.js';
import { ErasureWorker } from './erasure-worker.js';
import type { ErasureTarget } from '../stored/target.js';
import { pseudonymOf, targetDigest } from '../stored/target.js';

const scope = { project_id: 'p', mission_id: null, agent_id: 'a', visibility: 'private' } as const;
const RECORDS = 300;

let keep: Keep;
let admin: Agent;
let ann: Agent;

beforeEach(async () => {
  keep = await openKeep({ store: inMemoryStore() });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  admin = await keep.authenticate(secret);
  const capabilities = ['memory_read' as const, 'memory_write' as const];
  const spec = { subject_id: 'ann', capabilities, grants: [scope] };
  ann = await keep.authenticate((await admin.credentials.issue(spec)).secret);
});

afterEach(() => keep.close());

function erasureOf(target: ErasureTarget, tenantId = 'acme'): StoredErasure {
  const targetKey = 'a2V5';
  return {
    id: '01934f2a-7c1b-7000-8000-0000000000e1',
    tenantId,
    kind: target.kind,
    target,
    targetKey,
    targetDigest: targetDigest(targetKey, tenantId, target),
    pseudonym:
      target.kind === 'subject' ? pseudonymOf(targetKey, tenantId, target.subject_id) : null,
    requestedBy: '01934f2a-7c1b-7000-8000-0000000000e2',
    requestedAtMillis: 5,
    keys: null,
    ...{ names: [], step: 0, from: null, counts: {}, keysDigest: '', dependents: 0 },
    ...{ finishedAtMillis: null, certificate: null, refusedIds: [] },
  };
}

/** The worker of a server, which its test starts itself. */
function worker(slices = Infinity): ErasureWorker {
  const runtime = runtimeOf(keep);
  let left = slices;
  const store = new Proxy(runtime.store, {
    get: (target, name) => {
      if (name !== 'transact') return Reflect.get(target, name) as unknown;
      return (body: never) => {
        left -= 1;
        if (left < 0) return Promise.reject(new Error('The server was killed.'));
        return target.transact(body);
      };
    },
  });
  const ports = {
    ...runtime,
    store,
    clock: runtime.clock,
    entropy: runtime.entropy,
    newId: runtime.newId,
  };
  const { audit, tokens, heavyWork } = runtime;
  return new ErasureWorker({
    ...ports,
    ...{ audit, tokens, heavyWork },
    knownNamespaces: knownNamespaces.of(runtime),
    heldTexts: heldTexts.of(runtime),
    dropHeldStates: () => {
      heldViews.of(runtime).clear();
    },
    plan: erasurePlan.of(runtime),
    ledger: undefined,
    copiesBeyondReach: () => Promise.resolve([]),
  });
}

test('ERA-C7 one that is killed at every slice is finished by the next server', async () => {
  const memory = ann.memory.in(scope);
  for (let number = 0; number < RECORDS; number += 1) await memory.remember(`tea ${number}`);
  const runtime = runtimeOf(keep);
  const erasure = erasureOf({ kind: 'subject', subject_id: 'ann' });
  // Stored by hand, so that the worker of the keep does not know of it.
  await runtime.store.transact((tx) => {
    putErasure(tx, erasure);
  });
  let kills = 0;
  for (;;) {
    const sweep = worker(2).sweep();
    const isDone = await sweep.then(
      () => true,
      () => false,
    );
    const [found] = await runtime.store.read((tx) =>
      erasuresAfter(tx, 'acme', { after: undefined, limit: 1 }),
    );
    if (isDone && found?.finishedAtMillis !== null) break;
    kills += 1;
    if (kills > 1_000) throw new Error('The erasure does not end.');
  }
  const done = await admin.erasures.get(erasure.id);
  expect(done).toMatchObject({ status: 'finished', steps_done: done.steps });
  const { entries } = done.counts.find(({ family }) => family === 'memoryRecords') ?? {};
  expect(entries).toBe(RECORDS);
  expect((await admin.access.scopes().next()).done).toBe(true);
});

test('ERA-7 a large erasure of a tenant delays that of another one by its turn alone', async () => {
  const memory = ann.memory.in(scope);
  const texts = Array.from({ length: 5 * RECORDS }, (_, number) => `tea ${number}`);
  for (let at = 0; at < texts.length; at += 100) {
    await Promise.all(texts.slice(at, at + 100).map((text) => memory.remember(text)));
  }
  const { secret } = await bootstrapTenant(keep, { tenantId: 'globex', subjectId: 'ops' });
  const { store } = runtimeOf(keep);
  const large = erasureOf({ kind: 'subject', subject_id: 'ann' });
  const ofBob = erasureOf({ kind: 'subject', subject_id: 'bob' }, 'globex');
  const small = { ...ofBob, id: '01934f2a-7c1b-7000-8000-0000000000e3' };
  await store.transact((tx) => {
    for (const erasure of [large, small]) putErasure(tx, erasure);
  });
  await expect(worker(8).sweep()).rejects.toThrow('killed');
  const there = await keep.authenticate(secret);
  expect((await there.erasures.get(small.id)).status).toBe('finished');
  expect((await admin.erasures.get(large.id)).status).toBe('running');
  await worker().sweep();
  expect((await admin.erasures.get(large.id)).status).toBe('finished');
});

test('ERA-C8, CON-190 nothing is written in a scope that is being erased', async () => {
  const memory = ann.memory.in(scope);
  await memory.remember('tea');
  // Stored by hand, so that the worker of the keep does not know of it.
  await runtimeOf(keep).store.transact((tx) => {
    putErasure(tx, erasureOf({ kind: 'scope', scope, subject_id: null }));
  });
  await expect(memory.remember('more')).rejects.toMatchObject({
    code: 'erasure_in_progress',
    retryable: true,
  });
  expect(await memory.recall('tea')).toHaveLength(1);
});

test('ERA-9 between slices nothing is written in it or in branches over it', async () => {
  const shared = { ...scope, visibility: 'shared' } as const;
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'bob', scopes: [shared] });
  const branch = await agent.branches.create('written', [shared]);
  const memory = agent.memory.in(shared);
  const inBranch = agent.memory.in({ ...shared, branch: branch.id });
  for (let number = 0; number < RECORDS; number += 1) await memory.remember(`tea ${number}`);
  await inBranch.remember('a draft');
  const { digest } = await agent.branches.diffPage(branch.id);
  const erasure = erasureOf({ kind: 'scope', scope: shared, subject_id: null });
  await runtimeOf(keep).store.transact((tx) => {
    putErasure(tx, erasure);
  });
  const codeOf = async (write: Promise<unknown>): Promise<unknown> =>
    write.then(
      () => 'written',
      (error: unknown) => (error as { readonly code: unknown }).code,
    );
  for (let slices = 0; ; slices += 1) {
    expect(await codeOf(memory.remember('more'))).toBe('erasure_in_progress');
    expect(await codeOf(inBranch.remember('more'))).toBe('erasure_in_progress');
    const merged = await codeOf(agent.branches.merge(branch.id, { digest }));
    // It is gone as soon as the scope was taken out of it.
    expect(['erasure_in_progress', 'branch_not_found']).toContain(merged);
    await codeOf(worker(2).sweep());
    if ((await admin.erasures.get(erasure.id)).status === 'finished') break;
    if (slices > 1_000) throw new Error('The erasure does not end.');
  }
  expect((await memory.recall('tea')).length).toBe(0);
  await memory.remember('anew');
  expect(await memory.recall('anew')).toHaveLength(1);
});
