/**
 * Snapshots made by administrators while the service runs, and their restoration
 * (docs/contract/snapshots.md).
 */
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Keep, openKeep } from '@agentkeep/core';
import { bootstrapTenant, createAdmin, verifyStore } from '@agentkeep/core/operator';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { expect, test } from 'vitest';
import { outcome, result } from '../harness/answer.js';
import { Caller } from '../harness/caller.js';
import { scope } from '../harness/documents.js';
import { drivers } from '../harness/drivers.js';
import type { Driver, Transport } from '../harness/transport.js';

const PASSWORD = 'Correct-horse-1';
const STARTED_MS = Date.UTC(2026, 0, 1);
const WRITERS = 16;
const WRITES_BEFORE = 200;

/** A service with its own directory. */
interface Service {
  readonly dataDir: string;
  readonly clock: ManualClock;
  readonly transport: Transport;
  /** The token of an administrator of the installation. */
  readonly token: string;
  /** Writes and reads memory. */
  readonly agent: Caller;
  /** Closes the keep and opens it again. */
  reopen(): Promise<Transport>;
}

function withService(title: string, run: (service: Service) => Promise<void>): void {
  for (const driver of drivers) {
    test(`${title} (${driver.name})`, async () => {
      const home = await mkdtemp(join(tmpdir(), 'agentkeep-operations-'));
      const opened = new OpenedService(driver, join(home, 'data'));
      try {
        await run(await opened.start());
      } finally {
        await opened.stop();
        await rm(home, { recursive: true, force: true });
      }
    });
  }
}

class OpenedService {
  readonly #driver: Driver;
  readonly #dataDir: string;
  readonly #clock = new ManualClock(STARTED_MS);
  #keep: Keep | undefined;

  constructor(driver: Driver, dataDir: string) {
    this.#driver = driver;
    this.#dataDir = dataDir;
  }

  async start(): Promise<Service> {
    const transport = await this.#open();
    const made = await bootstrapTenant(this.#keep!, { tenantId: 'acme', subjectId: 'ops' });
    const admin = new Caller(transport, made.secret, made.credential);
    const capabilities = ['memory_read', 'memory_write'];
    const agent = await admin.appoint({ subject_id: 'alice', capabilities, grants: [scope] });
    await createAdmin(this.#keep!, { username: 'root', password: PASSWORD, role: 'Admin' });
    const document = { username: 'root', password: PASSWORD };
    const { access_token } = result(await transport('authLogin', undefined, { document }));
    return {
      dataDir: this.#dataDir,
      clock: this.#clock,
      transport,
      token: access_token,
      agent,
      reopen: async () => {
        await this.stop();
        return this.#open();
      },
    };
  }

  async stop(): Promise<void> {
    await this.#keep?.close();
    this.#keep = undefined;
  }

  async #open(): Promise<Transport> {
    const ports = { clock: this.#clock, passwords: quickPasswords };
    this.#keep = await openKeep({ dataDir: this.#dataDir, ...ports });
    return this.#driver.open(this.#keep);
  }
}

async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

// SNP-6, SNP-7, SNP-10
withService(
  'SNP-C57 two in the same moment have two names, and neither is overwritten',
  async (s) => {
    const first = result(await s.transport('createSnapshot', s.token, {}));
    const before = await readFile(join(first.path, 'manifest.json'), 'utf8');
    const second = result(await s.transport('createSnapshot', s.token, {}));
    expect([first, second]).toMatchObject([
      { snapshot_id: '20260101-000000-000' },
      { snapshot_id: '20260101-000000-001' },
    ]);
    expect(first.path).toBe(join(s.dataDir, 'snapshots', first.snapshot_id));
    expect(await readFile(join(first.path, 'manifest.json'), 'utf8')).toBe(before);
    const listed = result(await s.transport('listSnapshots', s.token, {}));
    const shown = { stored_version: 1, is_scheduled: false };
    expect(listed).toEqual({
      snapshots: [
        { ...second, ...shown, created_at: '2026-01-01T00:00:00.001Z' },
        { ...first, ...shown, created_at: '2026-01-01T00:00:00.000Z' },
      ],
      count: 2,
    });
  },
);

withService('SNP-C57, CON-89 a request during another snapshot is refused', async (s) => {
  const answers = await Promise.all([
    s.transport('createSnapshot', s.token, {}),
    s.transport('createSnapshot', s.token, {}),
  ]);
  expect(answers.map(outcome).sort()).toEqual(['201', '409 snapshot_in_progress']);
  expect(result(await s.transport('listSnapshots', s.token, {})).count).toBe(1);
  s.clock.advance(1_000);
  expect(outcome(await s.transport('createSnapshot', s.token, {}))).toBe('201');
});

withService('SNP-31, SNP-32, SNP-C61 a service without a schedule says so', async (s) => {
  await s.transport('createSnapshot', s.token, {});
  const nothing = { every_secs: null, keep: null, due_at: null, newest_id: null };
  const unset = { ...nothing, is_stored: false, revision: 0 };
  expect(result(await s.transport('getSnapshotSchedule', s.token, {}))).toEqual(unset);
});

withService('SNP-33, SNP-34, SNP-35 a schedule is stored, also across a restart', async (s) => {
  const put = (document: object, token = s.token) =>
    s.transport('setSnapshotSchedule', token, { document });
  const stored = { every_secs: 3_600, keep: 7, is_stored: true, revision: 1 };
  const due = { ...stored, due_at: '2026-01-01T00:00:00.000Z', newest_id: null };
  expect(result(await put({ every_secs: 3_600 }))).toEqual(due);
  expect(result(await put({ every_secs: 3_600, keep: 7, expected_revision: 1 }))).toEqual(due);
  expect(outcome(await put({ every_secs: 60, expected_revision: 0 }))).toBe(
    '409 revision_conflict',
  );
  for (const wrong of [
    { every_secs: 59 },
    { every_secs: 31_622_401 },
    { keep: 0 },
    { keep: 1_001 },
  ]) {
    expect(outcome(await put({ every_secs: 60, ...wrong })), JSON.stringify(wrong)).toBe(
      '400 invalid_request',
    );
  }
  expect(outcome(await put({ every_secs: 60 }, s.agent.token))).toBe('403 forbidden');
  const transport = await s.reopen();
  expect(result(await transport('getSnapshotSchedule', s.token, {}))).toMatchObject(stored);
  const off = { document: { every_secs: null } };
  const shown = { every_secs: null, keep: null, due_at: null };
  expect(result(await transport('setSnapshotSchedule', s.token, off))).toMatchObject({
    ...shown,
    ...{ is_stored: true, revision: 2 },
  });
  const none = result(await transport('setSnapshotSchedule', s.token, { document: {} }));
  expect(none).toMatchObject({ ...shown, is_stored: false, revision: 3 });
});

withService('SNP-C58 a copy made during writes is restored completely', async (s) => {
  const acknowledged: string[] = [];
  let isDone = false;
  const enough = new Promise<void>((resolve) => {
    void Promise.all(
      Array.from({ length: WRITERS }, async () => {
        while (!isDone) {
          acknowledged.push(await s.agent.created(scope));
          if (acknowledged.length === WRITES_BEFORE) resolve();
        }
      }),
    );
  });
  await enough;
  const before = [...acknowledged];
  const snapshot = result(await s.transport('createSnapshot', s.token, {}));
  isDone = true;
  expect(acknowledged.length).toBeGreaterThan(before.length);
  expect(snapshot.size_bytes).toBe(await bytesIn(snapshot.path));

  const restored = join(s.dataDir, '..', 'restored');
  await cp(snapshot.path, restored, { recursive: true });
  const { families } = await verifyStore({ dataDir: restored });
  const records = families.find(({ family }) => family === 'memoryRecords')?.records;
  expect(records).toBeGreaterThanOrEqual(before.length);
  await using keep = await openKeep({ dataDir: restored, clock: s.clock });
  const agent = await keep.authenticate(s.agent.token);
  for (const id of before) expect((await agent.memory.in(scope).read(id)).record_id).toBe(id);
  const root = await keep.administer(s.token);
  expect((await root.stats.get()).entries).toMatchObject({
    memory_records: records,
    receipts: records,
    accounts: 1,
    sessions: 1,
  });
});

withService(
  'SNP-16, SNP-17 the folder is private, and `latest` points to the newest',
  async (s) => {
    const { path, snapshot_id } = result(await s.transport('createSnapshot', s.token, {}));
    const folder = join(s.dataDir, 'snapshots');
    for (const name of [folder, path]) expect((await stat(name)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(path)) {
      expect((await stat(join(path, name))).mode & 0o777, name).toBe(0o600);
    }
    expect(await readlink(join(folder, 'latest'))).toBe(snapshot_id);
    s.clock.advance(60_000);
    const newer = result(await s.transport('createSnapshot', s.token, {}));
    expect(await readlink(join(folder, 'latest'))).toBe(newer.snapshot_id);
  },
);

withService('SNP-15 an unfinished one is never listed, and removed at a restart', async (s) => {
  const unfinished = join(s.dataDir, 'snapshots', '.unfinished-1');
  await mkdir(unfinished, { recursive: true });
  await mkdir(join(s.dataDir, 'snapshots', '20270101-000000-000'));
  expect(result(await s.transport('listSnapshots', s.token, {}))).toEqual({
    snapshots: [],
    count: 0,
  });
  await s.reopen();
  await expect(lstat(unfinished)).rejects.toMatchObject({ code: 'ENOENT' });
});

withService('statistics are the same after a restart', async (s) => {
  for (let number = 0; number < 5; number++) await s.agent.created(scope);
  const before = result(await s.transport('getStats', s.token, {}));
  expect(before.entries).toMatchObject({ memory_records: 5, receipts: 5, sessions: 1 });
  const dataFile = await stat(join(s.dataDir, 'data.mdb'));
  expect(before.storage.size_bytes).toBe(dataFile.size);
  const transport = await s.reopen();
  const after = result(await transport('getStats', s.token, {}));
  expect({ ...after.entries, audit_events: 0 }).toEqual({ ...before.entries, audit_events: 0 });
  expect(after.entries.audit_events).toBeGreaterThanOrEqual(before.entries.audit_events);
});
