/** Each queue of a keep shows its waiting work, and zero once that is done. */
import { passwords as hashing } from '../ports/counted-hasher.js';
import { useLog } from './use-log.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import { PlainHasher } from '../../../test/login-kit.js';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import { type Keep, runtimeOf } from '../../keep/keep.js';
import { openKeep } from '../../keep/open-keep.js';
import type { AuditDraft } from '../audit/audit.js';
import type { WaitingWork } from './waiting-work.js';

const NOTHING: WaitingWork = {
  transactions: 0,
  auditEvents: 0,
  auditLines: 0,
  uses: 0,
  passwords: 0,
  embeddings: 0,
  heavyCalls: 0,
};

let folder: string;
let passwords: PlainHasher;
let keep: Keep;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentkeep-waiting-'));
  passwords = new PlainHasher();
  const audit = { logPath: join(folder, 'logs') };
  keep = await openKeep({ dataDir: join(folder, 'data'), passwords, audit, reserveBytes: 0 });
});
afterEach(async () => {
  await keep.close();
  await rm(folder, { recursive: true, force: true });
});

const event: AuditDraft = {
  id: '01943e60-0000-7000-8000-000000000000',
  type: 'permission_denied',
  atMillis: 0,
  tenantId: 'acme',
  userId: null,
  username: null,
  action: 'a',
  resource: 'r',
  result: 'failure',
  ipAddress: null,
  userAgent: null,
  metadata: {},
};

test('an idle keep has no waiting work', async () => {
  expect(await keep.waiting()).toEqual(NOTHING);
});

test('work that was begun in one turn waits until it is done', async () => {
  const runtime = runtimeOf(keep);
  const { store, audit } = runtime;
  const [uses, counted] = [useLog.of(runtime), hashing.of(runtime)];
  const release = passwords.hold();
  const writes = [1, 2, 3].map((value) => store.transact(() => value));
  const checks = ['a', 'b'].map((password) =>
    counted.verify(undefined, password, { authority: '', purpose: 'login' }),
  );
  for (const userId of ['a', 'b', 'c', 'd']) audit.observed({ ...event, userId });
  uses.note({ name: 'key', storedMs: null, store: () => undefined }, 0);
  const seen = await keep.waiting();
  release();
  await Promise.all([...writes, ...checks, uses.flush()]);
  expect(seen).toEqual({ ...NOTHING, transactions: 3, auditEvents: 4, uses: 1, passwords: 2 });
  await audit.flush();
  // They are stored, and a file takes longer.
  expect(await keep.waiting()).toEqual({ ...NOTHING, auditLines: 4 });
  await eventually(async () => expect(await keep.waiting()).toEqual(NOTHING));
});

test('the queues can be read while a keep closes and afterwards', async () => {
  const { store } = runtimeOf(keep);
  const write = store.transact(() => 1);
  const closing = keep.close();
  expect(await keep.waiting()).toEqual({ ...NOTHING, transactions: 1 });
  await Promise.all([write, closing]);
  expect(await keep.waiting()).toEqual(NOTHING);
});

test('a keep without an audit log has no waiting events', async () => {
  await using silent = await openKeep({ store: inMemoryStore(), audit: { enabled: false } });
  runtimeOf(silent).audit.observed(event);
  expect(await silent.waiting()).toEqual(NOTHING);
});
