/** Audit files: names, lines, rotation and removal. */
import {
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import { bootstrapTenant } from '../../operator.js';
import { AUDIT_LINES_WAITING_MAX } from '../../contract/limits.js';
import { openKeep } from '../../keep/open-keep.js';
import { ManualClock } from '../../testing/manual-clock.js';
import type { RecordedEvent } from './append-events.js';
import { AuditFiles } from './audit-files.js';
import type { AuditOptions } from './audit-options.js';
import { testStore } from '@agentkeep/testkit/test-store';

let logPath: string;
beforeEach(async () => {
  logPath = join(await mkdtemp(join(tmpdir(), 'agentkeep-audit-')), 'logs');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(join(logPath, '..'), { recursive: true, force: true });
});

/** Opens a keep, creates so many tenants and closes it. */
async function run(tenants: number, options: AuditOptions = {}, clock = new ManualClock()) {
  const keep = await openKeep({ store: testStore(), clock, audit: { logPath, ...options } });
  for (let index = 0; index < tenants; index += 1) {
    await bootstrapTenant(keep, { tenantId: `t${index}`, subjectId: 'ops' });
  }
  await keep.close();
}

const lines = async (name: string): Promise<Record<string, unknown>[]> => {
  const text = await readFile(join(logPath, name), 'utf8');
  expect(text === '' || text.endsWith('\n')).toBe(true);
  const parts = text.split('\n').slice(0, -1);
  return parts.map((line) => JSON.parse(line) as Record<string, unknown>);
};

/** Returns the prototype of file handles. */
async function handlePrototype(): Promise<FileHandle> {
  const probe = await open(tmpdir(), 'r');
  await probe.close();
  return Object.getPrototypeOf(probe) as FileHandle;
}

const event: RecordedEvent = {
  authority: 'acme',
  sequence: 0,
  recordedAtMillis: 0,
  fields: ['id', 'login', 0, null, null, 'a', 'r', 'success', null, null, {}],
};

test('AUD-70, AUD-71 events are lines with the members of the API, in a private file', async () => {
  await run(2);
  expect(await readdir(logPath)).toEqual(['audit_20300101_000000.jsonl']);
  const [first, second, ...more] = await lines('audit_20300101_000000.jsonl');
  expect(more).toEqual([]);
  expect(Object.keys(first ?? {})).toEqual([
    'event_id',
    'event_type',
    'timestamp',
    'transaction_time',
    'user_id',
    'username',
    'action',
    'resource',
    'result',
    'ip_address',
    'user_agent',
    'metadata',
    'tenant_id',
  ]);
  expect([first?.['tenant_id'], second?.['tenant_id']]).toEqual(['t0', 't1']);
  expect((await stat(join(logPath, 'audit_20300101_000000.jsonl'))).mode & 0o777).toBe(0o600);
});

test('AUD-71 each start opens a new file, with a number if the name is taken', async () => {
  await run(1);
  await run(1);
  await run(0);
  expect((await readdir(logPath)).toSorted()).toEqual([
    'audit_20300101_000000.jsonl',
    'audit_20300101_000000_1.jsonl',
    'audit_20300101_000000_2.jsonl',
  ]);
  expect(await lines('audit_20300101_000000_1.jsonl')).toHaveLength(1);
});

test('AUD-72 a file that would become too large is followed by another', async () => {
  await run(12, { maxFileSize: 1_024 });
  const names = await readdir(logPath);
  expect(names.length).toBeGreaterThan(3);
  const tenants: unknown[] = [];
  for (const name of names) {
    expect((await stat(join(logPath, name))).size).toBeLessThanOrEqual(1_024);
    tenants.push(...(await lines(name)).map((event) => event['tenant_id']));
  }
  expect(tenants.toSorted()).toEqual(
    Array.from({ length: 12 }, (_, index) => `t${index}`).toSorted(),
  );
});

test('AUD-73 only audit files are removed, and only when all their events are too old', async () => {
  await mkdir(logPath);
  const line = (time: string): string => `${JSON.stringify({ transaction_time: time })}\n`;
  const files = {
    'audit_20290901_000000.jsonl': line('2029-09-01T00:00:00.000Z'),
    'audit_20290902_000000_7.jsonl': '',
    'audit_20290903_000000.jsonl': 'garbage\n',
    'audit_20290904_000000.jsonl': line('2029-12-31T00:00:00.000Z'),
    'audit_20291231_000000.jsonl': '',
    'audit_20290901.jsonl': '',
    'my_audit_20290901_000000.jsonl': '',
    'notes.txt': '',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(logPath, name), text);
  await run(0);
  expect((await readdir(logPath)).toSorted()).toEqual([
    'audit_20290901.jsonl',
    'audit_20290904_000000.jsonl',
    'audit_20291231_000000.jsonl',
    'audit_20300101_000000.jsonl',
    'my_audit_20290901_000000.jsonl',
    'notes.txt',
  ]);
});

test('AUD-74 a failed write is reported once, and everything else continues', async () => {
  await writeFile(logPath, 'a file where the directory should be');
  const told: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    told.push(String(text));
    return true;
  });
  await run(3);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/audit files cannot be written; events are still recorded in the store/);
});

test('on a full disk, a file keeps whole lines and continues once there is space', async () => {
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const keep = await openKeep({
    store: testStore(),
    clock: new ManualClock(),
    audit: { logPath },
  });
  const make = (tenantId: string) => bootstrapTenant(keep, { tenantId, subjectId: 'ops' });
  await make('before');
  const file = 'audit_20300101_000000.jsonl';
  await eventually(async () => expect(await lines(file)).toHaveLength(1));
  const full = vi.spyOn(await handlePrototype(), 'appendFile').mockImplementation(async function (
    this: FileHandle,
    text,
  ) {
    // Writes as much as fits.
    await this.write(String(text).slice(0, 100));
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  });
  for (const tenantId of ['full 1', 'full 2', 'full 3']) {
    await make(tenantId);
    await eventually(() => expect(full).toHaveBeenCalled());
    full.mockClear();
  }
  full.mockRestore();
  await make('after');
  await keep.close();
  expect(await readdir(logPath)).toEqual([file]);
  const tenants = (await lines(file)).map(({ tenant_id }) => tenant_id);
  expect(tenants).toEqual(['before', 'after']);
  expect(told).toHaveBeenCalledOnce();
});

test('a bounded number of events wait, and they count until they are in a file', async () => {
  const onFailure = vi.fn();
  const options = { directory: logPath, maxFileBytes: 2 ** 30, retentionMs: 1, onFailure };
  const files = new AuditFiles({ ...options, clock: new ManualClock() });
  files.open();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const append = vi.spyOn(await handlePrototype(), 'appendFile').mockReturnValue(held);
  files.write(Array.from({ length: AUDIT_LINES_WAITING_MAX - 1 }, () => event));
  await eventually(() => expect(append).toHaveBeenCalled());
  files.write([event]);
  expect([files.waiting, onFailure.mock.calls.length]).toEqual([AUDIT_LINES_WAITING_MAX, 0]);
  files.write([event]);
  expect([files.waiting, onFailure.mock.calls.length]).toEqual([AUDIT_LINES_WAITING_MAX, 1]);
  release();
  await files.close();
  expect([files.waiting, append.mock.calls.length]).toEqual([0, 2]);
});

test('events that are rolled back are not in files', async () => {
  const keep = await openKeep({ store: testStore(), audit: { logPath } });
  const tenant = { tenantId: 'acme', subjectId: 'ops' };
  await bootstrapTenant(keep, tenant);
  await expect(bootstrapTenant(keep, tenant)).rejects.toThrow();
  await keep.close();
  const [name = ''] = await readdir(logPath);
  expect(await lines(name)).toHaveLength(1);
});

test('no file or directory is created when the log is off', async () => {
  await run(1, { enabled: false });
  await expect(readdir(logPath)).rejects.toThrow(/ENOENT/);
});
