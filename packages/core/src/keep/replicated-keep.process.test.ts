/** Keeps whose data directory is copied to a folder. */
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '@agentkeep/testkit/eventually';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inMemoryStore } from '../storage/in-memory-store/in-memory-store.js';
import {
  agentFor,
  bootstrapMaster,
  bootstrapTenant,
  createAdmin,
  recordShutdown,
  recordStartup,
} from '../operator.js';
import { type Keep, runtimeOf } from './keep.js';
import { openKeep } from './open-keep.js';

let home: string;
let dataDir: string;
let target: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-replicated-'));
  dataDir = join(home, 'data');
  target = join(home, 'target');
});

afterEach(() => rm(home, { recursive: true }));

const refusal = (code: string): unknown => expect.objectContaining({ code });

/** Waits until the target has a whole copy and every commit. */
async function untilCopied(keep: Keep): Promise<void> {
  await eventually(() => {
    expect(keep.replication()).toMatchObject({ state: 'shipping', lagFrames: 0 });
    expect(keep.replication()?.copyMs).toBeDefined();
  });
}

// docs/contract/replication.md#rep-1
test('a keep copies what it stores to the folder that replicateTo names', async () => {
  const replicateTo = { target: pathToFileURL(target).href, lagMs: 100 };
  const keep = await openKeep({ dataDir, replicateTo });
  await bootstrapMaster(keep, 'root');
  await untilCopied(keep);
  await keep.close();
  expect(await readdir(target)).toEqual(expect.arrayContaining(['base', 'log']));
  const plain = await openKeep({ dataDir });
  expect(plain.replication()).toBeUndefined();
  await plain.close();
});

// docs/contract/replication.md#rep-11
test('an acknowledged write is answered once the folder has it, and fails while it is away', async () => {
  const replicateTo = { target, mode: 'acknowledged' } as const;
  const first = await openKeep({ dataDir, replicateTo });
  await untilCopied(first);
  const { secret } = await bootstrapMaster(first, 'root');
  expect(first.replication()?.shippedPosition).toBeGreaterThan(0);
  await first.close();
  const keep = await openKeep({ dataDir, replicateTo: { ...replicateTo, acknowledgeMs: 500 } });
  await untilCopied(keep);
  const master = await keep.administer(secret);
  await rename(target, `${target}-away`);
  const register = (): Promise<unknown> =>
    master.tenants.register({ tenantId: 'acme', subjectId: 'ops' });
  await expect(register()).rejects.toThrow(refusal('replica_unavailable'));
  // The answer comes after 500 ms, even if a busy machine has not asked the folder yet.
  await eventually(() => {
    expect(keep.replication()).toMatchObject({ state: 'away' });
  });
  await rename(`${target}-away`, target);
  await untilCopied(keep);
  await expect(register()).rejects.toThrow(refusal('revision_conflict'));
  await keep.close();
});

/** A keep that has a whole copy in its target. Its answers wait for half a second at most. */
async function acknowledgedKeep(): Promise<Keep> {
  const replicateTo = { target, mode: 'acknowledged', acknowledgeMs: 500 } as const;
  const keep = await openKeep({ dataDir, replicateTo });
  await untilCopied(keep);
  return keep;
}

const SCOPE = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;
const ANN = { tenantId: 'acme', subjectId: 'ann', scopes: [SCOPE] };

// docs/contract/replication.md#rep-11
test('a repeated call waits as well for what its first try stored, and a read does not', async () => {
  const keep = await acknowledgedKeep();
  const memory = (await agentFor(keep, ANN)).memory.in(SCOPE);
  await rename(target, `${target}-away`);
  const content = { primary: 'The demo is on Friday.' };
  const record = { episode_type: 'Observation', content, event_time_millis: 0 } as const;
  const create = () => memory.create(record, { idempotencyKey: 'key' });
  await expect(create()).rejects.toThrow(refusal('replica_unavailable'));
  await expect(create()).rejects.toThrow(refusal('replica_unavailable'));
  const read = await memory.queryPage();
  expect(read.records.map(({ payload }) => payload.content)).toMatchObject([content]);
  await rename(`${target}-away`, target);
  await untilCopied(keep);
  expect((await create()).record_id).toBe(read.records[0]?.record_id);
  // Positions don't tell: the count of the read is stored a second after it.
  expect((await memory.queryPage()).records).toHaveLength(1);
  await keep.close();
});

// docs/contract/replication.md#rep-13
test('what a keep stores beside calls does not wait for the target, and is stored once', async () => {
  const keep = await acknowledgedKeep();
  await agentFor(keep, ANN);
  await rename(target, `${target}-away`);
  await recordStartup(keep);
  await expect(keep.authenticate('unknown')).rejects.toThrow(refusal('unauthorized'));
  await runtimeOf(keep).audit.flush();
  expect((await keep.waiting()).auditEvents).toBe(0);
  // An agent whose credential is stored is no change.
  expect((await (await agentFor(keep, ANN)).whoAmI()).spec.subject_id).toBe('ann');
  const other = agentFor(keep, { ...ANN, subjectId: 'ben' });
  await expect(other).rejects.toThrow(refusal('replica_unavailable'));
  await recordShutdown(keep, 1);
  await keep.close();
});

// docs/contract/replication.md#rep-11
test('a change that the target lacks is in force where it is stored', async () => {
  const keep = await acknowledgedKeep();
  const login = { username: 'root', password: 'Correct-Horse-7' };
  await createAdmin(keep, login);
  const { administrator: root } = await keep.openSession(login);
  await rename(target, `${target}-away`);
  const policy = { endpointType: 'Login', maxRequests: 3, windowSecs: 60 } as const;
  await expect(root.rateLimits.create({ name: 'tight', ...policy })).rejects.toThrow(
    refusal('replica_unavailable'),
  );
  expect(keep.rateLimiter.peek('/api/v1/login', 'a').limit).toBe(3);
  // A snapshot stores nothing in the store, so it is no change that the target could lack.
  expect(await root.snapshots.create()).toHaveProperty('snapshot_id');
  await keep.close();
});

// docs/contract/snapshots.md#snp-36
test('statistics show the target, its mode and position, and its last error once it is back', async () => {
  const alone = await openKeep({ dataDir });
  const { secret } = await bootstrapMaster(alone, 'root');
  await alone.close();
  const replicateTo = { target, mode: 'acknowledged', acknowledgeMs: 500 } as const;
  const keep = await openKeep({ dataDir, replicateTo });
  await untilCopied(keep);
  const master = await keep.administer(secret);
  const before = await master.stats.get();
  expect(before.replication).toEqual({
    ...{ target, mode: 'acknowledged', state: 'shipping', generation: 1, last_error: null },
    position: keep.replication()?.shippedPosition,
  });
  await rename(target, `${target}-away`);
  await expect(master.tenants.register({ tenantId: 'acme', subjectId: 'ops' })).rejects.toThrow(
    refusal('replica_unavailable'),
  );
  await eventually(async () => {
    expect((await master.stats.get()).replication).toMatchObject({
      state: 'away',
      last_error: { code: 'replica_unavailable', reason: 'ENOENT' },
    });
  });
  await rename(`${target}-away`, target);
  await untilCopied(keep);
  const after = await master.stats.get();
  expect(after.replication).toMatchObject({
    state: 'shipping',
    last_error: { message: expect.stringContaining('does not answer') as unknown },
  });
  expect(after.replication?.position).toBeGreaterThan(before.replication?.position ?? Infinity);
  expect(Date.parse(after.replication?.last_error?.at ?? '')).toBeLessThanOrEqual(Date.now());
  await keep.close();
  const plain = await openKeep({ dataDir });
  const stats = await (await plain.administer(secret)).stats.get();
  expect(stats).not.toHaveProperty('replication');
  await plain.close();
});

// docs/contract/snapshots.md#snp-36
test.each([
  's3://key:secret@copies/desk',
  's3://copies/desk?X-Amz-Signature=secret',
  's3://copies/desk?endpoint=https://key:secret@storage.example',
  'file:///copies?token=secret',
])('an address with a secret is no target, and its refusal has no secret: %s', async (address) => {
  const opening = openKeep({ dataDir, replicateTo: address });
  await expect(opening).rejects.toThrow(refusal('replica_unsuitable'));
  await expect(opening).rejects.not.toThrow(/secret/);
});

// docs/contract/erasure.md#era-16
test('a certificate of erasure names the target among the copies that are beyond reach', async () => {
  const keep = await openKeep({ dataDir, replicateTo: target });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const ops = await keep.authenticate(secret);
  const { id } = await ops.erasures.start({ kind: 'subject', subject_id: 'ann' });
  const certificate = await eventually(async () => {
    const { certificate: signed } = await ops.erasures.get(id);
    expect(signed).toEqual(expect.any(String));
    return String(signed);
  });
  const [, claims = ''] = certificate.split('.');
  const { beyond_reach: copies } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
    readonly beyond_reach: readonly unknown[];
  };
  expect(copies).toContainEqual({ kind: 'replication_target' });
  await keep.close();
});

// docs/contract/replication.md#rep-6
test('a target of another store is refused at the opening', async () => {
  const first = await openKeep({ dataDir, replicateTo: target });
  await untilCopied(first);
  await first.close();
  const opening = openKeep({ dataDir: join(home, 'other'), replicateTo: target });
  await expect(opening).rejects.toThrow(refusal('replica_foreign'));
});

// docs/contract/replication.md#rep-2
test('wrong options of replication are refused by name', async () => {
  const wrong = [
    [{ target: '' }, 'replicateTo.target'],
    [{ target, mode: 'sync' }, 'replicateTo.mode'],
    [{ target, lagMs: 99 }, 'replicateTo.lagMs'],
    [{ target, days: 0 }, 'replicateTo.days'],
    [{ target, waitingBytes: 1 }, 'replicateTo.waitingBytes'],
    [{ target, bucket: 'b' }, 'replicateTo.bucket'],
  ] as const;
  for (const [replicateTo, path] of wrong) {
    await expect(openKeep({ dataDir, replicateTo: replicateTo as never })).rejects.toMatchObject({
      code: 'invalid_request',
      members: [expect.objectContaining({ path })],
    });
  }
  const over = openKeep({ store: inMemoryStore(), replicateTo: target });
  await expect(over).rejects.toThrow(refusal('invalid_request'));
});
