/** What the check of a snapshot counts is right after every commit of a removal in slices. */
import { eventually } from '@agentkeep/testkit/eventually';
import { testStore } from '@agentkeep/testkit/test-store';
import { expect, onTestFinished, test } from 'vitest';
import { type Agent, type Keep, openKeep } from '../../index.js';
import { runtimeOf } from '../../keep/keep.js';
import { agentFor, bootstrapMaster, bootstrapTenant, verifyAuditOfStore } from '../../operator.js';
import { ManualClock } from '../../testing.js';
import type { Store } from '../../storage/store/store.js';
import { MemorySweeper } from '../../domains/memory/sweep/memory-sweeper.js';
import { ContentTally } from './content-tally.js';
import { families } from '../../domains.js';

const shared = { project_id: 'p', mission_id: null, agent_id: 'a', visibility: 'shared' } as const;
const own = { ...shared, visibility: 'private' } as const;
/** More than one slice of each removal. */
const RECORDS = 150;
const DAY_MS = 86_400_000;

/** A keep whose store is checked after every commit from a moment on. */
interface Checked {
  readonly keep: Keep;
  readonly clock: ManualClock;
  readonly admin: Agent;
  /** Runs an action, then waits until a removal has left nothing. Returns the number of commits. */
  readonly during: (action: () => Promise<unknown>, isOver: () => Promise<void>) => Promise<number>;
}

async function checkContent(store: Store): Promise<void> {
  await store.read((tx) => {
    // A store may run a body more than once.
    const tally = new ContentTally(families);
    for (const entry of tx.range({ from: new Uint8Array(), to: Buffer.alloc(64, 0xff) })) {
      tally.add(entry);
    }
    tally.report();
  });
  expect((await verifyAuditOfStore(store)).broken_at).toBeNull();
}

async function opened(): Promise<Checked> {
  const store = testStore();
  const transact = store.transact.bind(store);
  const faults: unknown[] = [];
  let [isChecking, commits] = [false, 0];
  // One commit at a time, so that each is looked at before the next one.
  let turn: Promise<unknown> = Promise.resolve();
  store.transact = (body) => {
    if (!isChecking) return transact(body);
    const done = turn.then(async () => {
      const result = await transact(body);
      commits += 1;
      await checkContent(store).catch((fault: unknown) => faults.push(fault));
      return result;
    });
    turn = done.catch(() => undefined);
    return done;
  };
  const clock = new ManualClock();
  const keep = await openKeep({ store, clock });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const during: Checked['during'] = async (action, isOver) => {
    isChecking = true;
    await action();
    await eventually(isOver);
    await turn;
    expect(faults).toEqual([]);
    return commits;
  };
  return { keep, clock, admin: await keep.authenticate(secret), during };
}

/** Writes records, of which some are named, changed and deleted. */
async function fill(agent: Agent, scope: Parameters<Agent['memory']['in']>[0]): Promise<void> {
  const memory = agent.memory.in(scope);
  for (let number = 0; number < RECORDS; number += 1) {
    const record = { content: { primary: `tea ${number}` } };
    const { record_id } = await memory.put(`n${number}`, record);
    if (number % 5 === 0) await memory.put(`n${number}`, { content: { primary: 'coffee' } });
    if (number % 7 === 0)
      await memory.delete({ recordId: record_id, expectedRevision: number % 5 ? 1 : 2 });
  }
}

/** Returns how many records and revisions the tenant has, also deleted ones. */
async function left(keep: Keep): Promise<number> {
  const ofRecords = new Set(['memoryRecords', 'memoryRevisions', 'memoryNames', 'memoryReceipts']);
  return runtimeOf(keep).store.read((tx) => {
    let count = 0;
    for (const { key } of tx.range({ from: new Uint8Array(), to: Buffer.alloc(64, 0xff) })) {
      if (ofRecords.has(families.ofKey(key) ?? '')) count += 1;
    }
    return count;
  });
}

test('SNP-12 a dropped branch goes without a state in which the numbers do not match', async () => {
  const { keep, during } = await opened();
  onTestFinished(() => keep.close());
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 's', scopes: [shared, own] });
  const { id } = await agent.branches.create('trial', [shared]);
  await fill(agent, { ...shared, branch: id });
  const commits = await during(
    () => agent.branches.drop(id),
    async () => expect(await left(keep)).toBe(0),
  );
  expect(commits).toBeGreaterThan(5);
});

test('SNP-12 a rejected proposal goes so too', async () => {
  const { keep, admin, during } = await opened();
  onTestFinished(() => keep.close());
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 's', scopes: [shared] });
  const capabilities = ['memory_read' as const, 'memory_review' as const];
  const reviewer = await keep.authenticate(
    (await admin.credentials.issue({ subject_id: 'r', capabilities, grants: [shared] })).secret,
  );
  const { id } = await agent.branches.create('trial', [shared]);
  await fill(agent, { ...shared, branch: id });
  await agent.proposals.submit(id);
  const commits = await during(
    () => reviewer.proposals.reject(id, 'no'),
    async () => expect(await left(keep)).toBe(0),
  );
  expect(commits).toBeGreaterThan(5);
});

test('SNP-12 what retention takes goes so too', async () => {
  const { keep, clock, admin, during } = await opened();
  onTestFinished(() => keep.close());
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 's', scopes: [shared] });
  await admin.retention.set({ expectedRevision: 0 }, { lifetime_seconds: 60, deleted_days: 1 });
  await fill(agent, shared);
  const before = await left(keep);
  clock.advance(3 * DAY_MS);
  await during(
    () => new MemorySweeper(runtimeOf(keep)).sweep(),
    () => Promise.resolve(),
  );
  expect(await left(keep)).toBeLessThan(before);
});

/** Makes a subject with memory, an account and two sessions. */
async function populated({ admin }: Checked): Promise<void> {
  const capabilities = ['memory_read' as const, 'memory_write' as const];
  for (const subject of ['s', 'other']) {
    const spec = { subject_id: subject, capabilities, grants: [shared, own] };
    const { credential } = await admin.credentials.issue(spec);
    const password = 'Correct-Horse-7';
    for (const username of [`${subject} one`, `${subject} two`]) {
      await admin.loginAccounts.create({ username, password, credentialId: credential.id });
    }
  }
}

const targets = [
  { kind: 'subject', subject_id: 's' },
  { kind: 'scope', scope: shared, subject_id: null },
] as const;

for (const target of targets) {
  test(`SNP-12 an erasure of a ${target.kind} goes so too`, async () => {
    const checked = await opened();
    const { keep, admin, during } = checked;
    onTestFinished(() => keep.close());
    await populated(checked);
    const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 's', scopes: [shared, own] });
    const { id } = await agent.branches.create('trial', [shared, own]);
    for (const scope of [shared, own, { ...own, branch: id }]) await fill(agent, scope);
    let erasure = '';
    await during(
      async () => {
        erasure = (await admin.erasures.start(target)).id;
      },
      async () => expect((await admin.erasures.get(erasure)).status).toBe('finished'),
    );
  });
}

test('SNP-12 an erasure of a tenant goes so too', async () => {
  const checked = await opened();
  const { keep, during } = checked;
  onTestFinished(() => keep.close());
  await populated(checked);
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 's', scopes: [shared, own] });
  for (const scope of [shared, own]) await fill(agent, scope);
  const master = await keep.administer((await bootstrapMaster(keep, 'root')).secret);
  let erasure = '';
  await during(
    async () => {
      erasure = (await master.tenants.erase('acme')).id;
    },
    async () => expect((await master.tenants.erasure(erasure)).status).toBe('finished'),
  );
});
