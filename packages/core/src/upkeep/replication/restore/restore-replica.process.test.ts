/** Restoring from a target: any moment, verified, erased things stay erased, or nothing at all. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newKeys } from '../../../../test/key-kit.js';
import { contentOf, ReplicatedStore } from '../../../../test/replicated-store.js';
import { openKeep } from '../../../keep/open-keep.js';
import { agentFor, bootstrapTenant, restoreReplica, verifyStore } from '../../../operator.js';
import { framePointIn } from '../../../storage/lmdb-store/frame-point.js';
import type { Keep } from '../../../keep/keep.js';
import { directoryId } from '../directory-id.js';
import { openReplicaTarget } from '../targets/open-replica-target.js';
import { ReplicaLog } from '../log/replica-log.js';
import { shipLedger } from '../copies/ship-ledger.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;

let home: string;
let from: string;
let restored: string;
const open: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-replica-'));
  from = join(home, 'target');
  restored = join(home, 'restored');
});

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await rm(home, { recursive: true });
});

let timeMs = Date.UTC(2026, 0, 1);

async function replicated(): Promise<ReplicatedStore> {
  timeMs = Date.UTC(2026, 0, 1);
  const made = await ReplicatedStore.open(join(home, 'data'), from, () => (timeMs += 1_000));
  open.push(made.store);
  return made;
}

async function keepOver({ store }: ReplicatedStore): Promise<Keep> {
  const keep = await openKeep({ store, dataDir: join(home, 'beside') });
  open.splice(0, open.length, keep);
  return keep;
}

async function rememberIn(keep: Keep, texts: readonly string[]): Promise<void> {
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes: [scope] });
  for (const text of texts) await agent.memory.in(scope).remember(text);
}

async function textsIn(dataDir: string): Promise<string[]> {
  const keep = await openKeep({ dataDir });
  open.push(keep);
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes: [scope] });
  const texts: string[] = [];
  for await (const { record } of agent.memory.in(scope).search({}))
    texts.push(record.payload.content.primary);
  return texts.sort();
}

const refused = (given: Parameters<typeof restoreReplica>[0]): Promise<unknown> =>
  restoreReplica(given).catch((error: unknown) => error);

describe('REP-50 a restore', () => {
  test('gives each position and each time as it was, across base copies', async () => {
    const source = await replicated();
    const keep = await keepOver(source);
    await rememberIn(keep, ['one', 'two']);
    await source.ship(3);
    await source.base(timeMs);
    await rememberIn(keep, ['three']);
    await source.ship();
    await rememberIn(keep, ['four', 'five']);
    await source.base(timeMs);
    await source.ship();
    const { position: end } = source.frames.tip;
    for (const position of new Set([0, 1, 4, Math.floor(end / 2), end - 1, end])) {
      const dataDir = join(home, `at-${position}`);
      const report = await restoreReplica({ from, dataDir, position });
      expect(report).toMatchObject({ status: 'restored', generation: 1, position });
      const point = await framePointIn(dataDir);
      expect(point?.position).toBe(position);
      expect(await contentOf(dataDir)).toEqual(source.contentAt(position));
    }
    for (const position of new Set([3, end])) {
      const dataDir = join(home, `time-${position}`);
      const at = source.timeOf(position) + 999;
      const report = await restoreReplica({ from, dataDir, at });
      expect(report).toMatchObject({
        position,
        committed_at: new Date(source.timeOf(position)).toISOString(),
        data_directory: dataDir,
      });
      expect((await readdir(dataDir)).sort()).toEqual(['agentkeep.json', 'data.mdb']);
    }
    await restoreReplica({ from, dataDir: restored });
    expect(await textsIn(restored)).toEqual(['five', 'four', 'one', 'three', 'two']);
  });

  test('takes the newest generation that has it, and REP-52 does not write by itself', async () => {
    const first = await replicated();
    const keep = await keepOver(first);
    await rememberIn(keep, ['one', 'two', 'three']);
    await first.ship();
    const { position: middle } = first.frames.tip;
    await rememberIn(keep, ['four']);
    await first.ship();
    const { position: end } = first.frames.tip;
    const endMs = first.timeOf(end);
    await keep.close();
    open.length = 0;
    // The directory goes back in time, and continues as another generation.
    await restoreReplica({ from, dataDir: restored, position: middle });
    timeMs = endMs + 60_000;
    const options = { target: first.target, store: first.log.tip?.store ?? '' };
    const log = await ReplicaLog.open({ ...options, directory: await directoryId(restored) });
    expect(log.isOurs).toBe(false);
    const begunMs = timeMs;
    const second = await ReplicatedStore.open(restored, from, () => (timeMs += 1_000));
    open.push(second.store);
    await keepOver(second);
    await second.ship();
    expect(second.log.tip).toMatchObject({ generation: 2, epoch: 2 });
    const reports = await Promise.all(
      [{ position: middle }, { position: end }, { at: endMs }, { at: begunMs + 500 }, {}].map(
        (moment, index) => restoreReplica({ from, dataDir: join(home, `r${index}`), ...moment }),
      ),
    );
    const found = reports.map(({ generation, position }) => ({ generation, position }));
    const { position: newest } = second.frames.tip;
    expect(found[0]).toEqual({ generation: 2, position: middle });
    expect(found[1]).toEqual({ generation: newest >= end ? 2 : 1, position: end });
    expect(found.slice(2)).toEqual([
      { generation: 1, position: end },
      { generation: 1, position: end },
      { generation: 2, position: newest },
    ]);
    const asked = { from, dataDir: join(home, 'named'), position: end, generation: 1 };
    expect(await restoreReplica(asked)).toMatchObject({ generation: 1, position: end });
  });

  test('REP-47 is not of an earlier generation where no copy of the newest one verifies', async () => {
    const source = await replicated();
    const keep = await keepOver(source);
    await rememberIn(keep, ['one']);
    await source.ship();
    const { last: end } = source.log.tip ?? { last: source.frames.tip };
    await source.log.claim({ last: end, generation: 'next' });
    await source.base(timeMs);
    await rememberIn(keep, ['two']);
    await source.ship();
    const [, name = ''] = await readdir(join(from, 'base'));
    await writeFile(join(from, 'base', name, 'manifest.json'), '{');
    const later = (source.log.tip?.last.position ?? 0) + 1_000;
    for (const moment of [{}, { at: timeMs + 60_000 }, { position: end.position }]) {
      const found = await refused({ from, dataDir: restored, ...moment });
      expect(found).toMatchObject({ code: 'replica_damaged' });
    }
    const asked = { from, dataDir: restored, position: later };
    expect(await refused(asked)).toMatchObject({ code: 'replica_moment_unknown' });
    expect(await readdir(restored)).toEqual([]);
    const before = { from, at: source.timeOf(end.position) - 1 };
    const earlier = await restoreReplica({ ...before, dataDir: restored });
    expect(earlier).toMatchObject({ generation: 1, position: end.position - 1 });
    const first = await restoreReplica({ from, dataDir: join(home, 'first'), generation: 1 });
    expect(first).toMatchObject({ generation: 1, position: end.position });
  });

  test('names what there is where the moment is not in the target', async () => {
    expect(await refused({ from, dataDir: restored })).toMatchObject({
      code: 'replica_moment_unknown',
      message: expect.stringContaining('no complete base copy yet. Is it the right address?'),
    });
    const source = await replicated();
    await rememberIn(await keepOver(source), ['one']);
    await source.ship();
    const { position } = source.frames.tip;
    expect(await refused({ from, dataDir: restored, at: 1 })).toMatchObject({
      code: 'replica_moment_unknown',
      message: expect.stringMatching(/^The replication target reaches back to position 0, /),
    });
    expect(await refused({ from, dataDir: restored, position: position + 1 })).toMatchObject({
      code: 'replica_moment_unknown',
      message: expect.stringContaining(`ends with position ${position}, 2026-01-01T00:00:`),
    });
    expect(await readdir(restored)).toEqual([]);
  });

  test('leaves an empty directory empty where a part of the target is damaged', async () => {
    const source = await replicated();
    await rememberIn(await keepOver(source), ['one', 'two']);
    await source.ship(2);
    await source.ship();
    const path = join(from, 'log', '0000000000000003');
    const bytes = await readFile(path);
    bytes[bytes.length - 1]! ^= 1;
    await writeFile(path, bytes);
    expect(await refused({ from, dataDir: restored })).toMatchObject({ code: 'replica_damaged' });
    expect(await readdir(restored)).toEqual([]);
    const report = await restoreReplica({ from, dataDir: restored, position: 2 });
    expect(report.position).toBe(2);
    const again = await refused({ from, dataDir: restored, position: 1 });
    expect(again).toMatchObject({ code: 'directory_not_empty' });
  });
});

describe('REP-51 what was erased', () => {
  test('is erased again in a restore of a moment before', async () => {
    const source = await replicated();
    const keep = await keepOver(source);
    const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
    await rememberIn(keep, ['of Ann']);
    const { position } = source.frames.tip;
    await source.ship();
    const admin = await keep.authenticate(secret);
    const erasure = await admin.erasures.start({ kind: 'subject', subject_id: 'ann' });
    await expect.poll(async () => (await admin.erasures.get(erasure.id)).status).toBe('finished');
    await shipLedger(await openReplicaTarget(from), join(home, 'beside'));
    await restoreReplica({ from, dataDir: restored, position });
    expect((await readdir(restored)).sort()).toContain('erasures.jsonl');
    const again = await openKeep({ dataDir: restored });
    open.push(again);
    const subjects: (string | null)[] = [];
    const { access } = await again.authenticate(secret);
    for await (const { subject_id: subject } of access.scopes()) subjects.push(subject);
    expect(subjects).toEqual([]);
  });

  test('of an encrypted store is unreadable, because its key stays destroyed', async () => {
    const encryption = await newKeys();
    const source = await replicated();
    const keep = await openKeep({ store: source.store, dataDir: join(home, 'beside'), encryption });
    open.splice(0, open.length, keep);
    const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
    await rememberIn(keep, ['of Ann']);
    const { position } = source.frames.tip;
    await source.ship();
    const admin = await keep.authenticate(secret);
    const erasure = await admin.erasures.start({ kind: 'subject', subject_id: 'ann' });
    await expect.poll(async () => (await admin.erasures.get(erasure.id)).status).toBe('finished');
    await restoreReplica({ from, dataDir: restored, position });
    const values = [...(await contentOf(restored)).values()].join('');
    expect(values).not.toContain('of Ann');
    await expect(verifyStore({ dataDir: restored })).resolves.toMatchObject({ status: 'verified' });
    const again = await openKeep({ dataDir: restored, encryption });
    open.push(again);
    const ann = await agentFor(again, { tenantId: 'acme', subjectId: 'ann', scopes: [scope] });
    const read = async () => {
      for await (const { record } of ann.memory.in(scope).search({})) return record;
      return undefined;
    };
    await expect(read()).rejects.toMatchObject({ code: 'key_destroyed' });
  });
});
