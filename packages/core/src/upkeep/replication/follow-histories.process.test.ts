/**
 * A standby against the model after a random history of a sealed store: records, branches, a sweep
 * by retention, snapshots, and the erasure of a subject.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomFrom } from '@agentkeep/testkit/random';
import { afterAll, expect, inject, test } from 'vitest';
import { newKeys } from '../../../test/key-kit.js';
import { contentOfStandby, ReplicatedStore } from '../../../test/replicated-store.js';
import type { Agent } from '../../client/agent.js';
import { MemorySweeper } from '../../domains/memory/sweep/memory-sweeper.js';
import { type Keep, runtimeOf } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import {
  agentFor,
  bootstrapTenant,
  type Follower,
  followReplica,
  promoteReplica,
  createSnapshot,
  verifyStore,
} from '../../operator.js';
import { ManualClock } from '../../testing/manual-clock.js';

const STEPS = 120;
const DAY_MS = 86_400_000;
const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;

const home = await mkdtemp(join(tmpdir(), 'agentkeep-follow-histories-'));
const [target, dataDir] = [join(home, 'target'), join(home, 'standby')];
afterAll(() => rm(home, { recursive: true }));

/** Erases a subject, and waits until that is finished. */
async function erase(admin: Agent, subjectId: string): Promise<void> {
  const { id } = await admin.erasures.start({ kind: 'subject', subject_id: subjectId });
  const status = async () => (await admin.erasures.get(id)).status;
  await expect.poll(status).toBe('finished');
}

/** Returns what Ann finds. */
async function textsOf(keep: Keep): Promise<string[]> {
  const ann = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes: [scope] });
  const texts: string[] = [];
  for await (const { record } of ann.memory.in(scope).search({}))
    texts.push(record.payload.content.primary);
  return texts.toSorted();
}

test('REP-70 REP-75 a standby equals the model after any history', async () => {
  const next = randomFrom(Number(inject('seed')) + 70);
  const clock = new ManualClock();
  const source = await ReplicatedStore.open(join(home, 'data'), target, () => clock.now());
  const encryption = await newKeys();
  const options = { dataDir: join(home, 'beside'), encryption, clock };
  const keep = await openKeep({ store: source.store, ...options });
  const agents = await Promise.all(
    ['ann', 'bob'].map((subjectId) =>
      agentFor(keep, { tenantId: 'acme', subjectId, scopes: [scope] }),
    ),
  );
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(secret);
  await admin.retention.set({ expectedRevision: 0 }, { deleted_days: 1, revisions_max: 2 });
  const sweeper = new MemorySweeper(runtimeOf(keep));
  let follower: Follower | undefined;
  const follow = async (): Promise<void> => {
    if (follower === undefined) follower = await followReplica({ target, dataDir, pollMs: 60_000 });
    else await follower.catchUp();
    expect(follower.status.position).toBe(source.log.tip?.last.position);
    if (next(3) > 0) return;
    await follower.close();
    follower = undefined;
    expect(await contentOfStandby(dataDir)).toEqual(
      source.contentAt(source.log.tip?.last.position ?? 0),
    );
  };
  for (let step = 0; step < STEPS; step += 1) {
    const agent = agents[next(agents.length)]!;
    const memory = agent.memory.in(scope);
    const name = `fact-${next(20)}`;
    const kind = next(10);
    if (kind < 5) await memory.remember(`${step} `.repeat(1 + next(100)), { name });
    else if (kind < 7) await memory.delete({ name }).catch(() => undefined);
    else if (kind < 8) await agent.branches.create(`trial-${step}`, [scope]);
    else if (kind < 9 || next(4) > 0) clock.advance(next(3 * DAY_MS));
    else await createSnapshot(keep);
    if (step === 60) await erase(admin, 'bob').then(() => agents.pop());
    if (next(6) === 0) await sweeper.sweep();
    if (next(4) === 0) await source.ship(1 + next(10));
    if (next(30) === 0) {
      await source.ship();
      await source.base(clock.now());
    }
    if (next(8) === 0) await follow();
  }
  const texts = await textsOf(keep);
  await source.ship();
  await follow();
  await follower?.close();
  expect(await contentOfStandby(dataDir)).toEqual(
    source.contentAt(source.log.tip?.last.position ?? 0),
  );
  await keep.close();
  await promoteReplica({ target, dataDir, newGeneration: true });
  expect(await verifyStore({ dataDir })).toMatchObject({ status: 'verified' });
  const promoted = await openKeep({ dataDir, encryption, clock });
  expect(await textsOf(promoted)).toEqual(texts);
  const bob = agentFor(promoted, { tenantId: 'acme', subjectId: 'bob', renew: true });
  await expect(bob).rejects.toMatchObject({ code: 'subject_erased' });
  await promoted.close();
});
