/**
 * What a replication target has after each kill of a process that writes without a pause. The
 * variable AGENTKEEP_KILLS sets the number of kills; each mode has one half of them. A bucket has
 * fewer, that of AGENTKEEP_TEST_BUCKET if it is set.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleModule } from '@agentkeep/testkit/bundle-module';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { BucketServer } from '@agentkeep/testkit/bucket-server';
import { readManifest } from '../../storage/lmdb-store/manifest.js';
import { decodeFrame } from '../../storage/frames/frame.js';
import { openReplicaTarget } from './targets/open-replica-target.js';
import { framesOf } from './log/replica-slot.js';
import type { ReplicaTarget } from './targets/replica-target.js';
import { slotsAfter } from './log/verify-slots.js';

const KILLS = Number(process.env['AGENTKEEP_KILLS'] ?? 6);
const BUCKET_KILLS = Math.max(2, Math.ceil(KILLS / 4));

/** Lag of `async` in milliseconds. */
const LAG_MS = 1_000;

/**
 * Writes in 30 loops, and prints for each write that was answered its key, the time, and the lag
 * that the store states, read after the time.
 */
const WRITER = `
const [, replicate, options, directory, target, mode, round] = process.argv;
const { openReplicated } = await import(replicate);
const { replicationSettings } = await import(options);
const clock = { now: () => Date.now(), monotonic: () => performance.now() };
const settings = replicationSettings({ target, mode, lagMs: ${LAG_MS} });
// The entries are of no family, so a check of the copy would refuse them.
const ports = { clock, check: () => Promise.resolve() };
const store = await openReplicated({ directory, reserveBytes: 0 }, settings, ports);
// The first copy is of an empty store, so every write is in a frame of the log.
while (store.replication.copyMs === undefined) await new Promise((done) => setTimeout(done, 20));
let next = 0;
const write = async () => {
  for (;;) {
    const key = round + '-' + next++;
    await store.transact((tx) => tx.put(Buffer.from(key), Buffer.alloc(300)));
    if (store.isAcknowledged) await store.delivered();
    const atMs = Date.now();
    console.log(key + ' ' + atMs + ' ' + store.replication.lagMs);
  }
};
for (let writer = 0; writer < 30; writer += 1) void write();
`;

const core = new URL('../../../', import.meta.url);
let modules: readonly string[];

/** A write that was answered. */
interface Answered {
  readonly key: string;
  readonly atMs: number;
  /** The lag at that time, by the store. A busy machine makes it longer than the option. */
  readonly lagMs: number;
}

let home: string;
let directory: string;

beforeAll(async () => {
  const names = ['replicate.ts', 'replication-options.ts'];
  modules = await Promise.all(
    names.map((name) => bundleModule(`upkeep/replication/${name}`, core)),
  );
});

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-kills-'));
  directory = join(home, 'data');
});

afterEach(() => rm(home, { recursive: true, force: true }));

/** Lets a process write, and kills it after some answers. Returns them. */
async function killed(
  target: string,
  mode: string,
  round: number,
  answers: number,
): Promise<Answered[]> {
  const flags = ['--input-type=module', '--eval', WRITER];
  const places = [...modules, directory, target, mode, String(round)];
  const child = spawn(process.execPath, [...flags, ...places], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const answered: Answered[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [key = '', atMs, lagMs] = line.split(' ');
    answered.push({ key, atMs: Number(atMs), lagMs: Number(lagMs) });
    if (answered.length >= answers) break;
  }
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  return answered;
}

/** Adds the keys that the slots of a target have after one. Returns the last slot. */
async function addKeys(target: ReplicaTarget, after: number, keys: Set<string>): Promise<number> {
  const manifest = await readManifest(directory);
  let last = after;
  for await (const slot of slotsAfter(target, after, manifest?.storeId ?? '')) {
    last = slot.head.slot;
    for (const frame of await framesOf(slot)) {
      for (const [key] of decodeFrame(frame).writes) keys.add(key);
    }
  }
  return last;
}

/** Kills writers, and compares what was answered with what the target has. */
async function expectAllAnswered(address: string, kills: number): Promise<void> {
  const keys = new Set<string>();
  let slot = 0;
  let lost = 0;
  let all = 0;
  for (let round = 0; round < kills; round += 1) {
    const mode = round % 2 === 0 ? 'acknowledged' : 'async';
    const answers = 100 + ((round * 131) % 1_500);
    const answered = await killed(address, mode, round, answers);
    const target = await openReplicaTarget(address);
    slot = await addKeys(target, slot, keys);
    await target.close();
    const { atMs: lastMs, lagMs } = answered.at(-1)!;
    const dueMs = mode === 'acknowledged' ? Infinity : lastMs - lagMs;
    const missing = answered.filter(({ key }) => !keys.has(key));
    expect(missing.filter(({ atMs }) => atMs < dueMs)).toEqual([]);
    if (mode === 'async') lost += missing.length;
    all += answered.length;
  }
  console.log(
    `${String(kills)} kills, ${String(all)} answered writes, ${String(lost)} of async lost`,
  );
}

// docs/contract/replication.md#rep-5, docs/contract/replication.md#rep-11
test(
  'acknowledged writes survive each kill in the target, others all but the lag',
  { timeout: 300_000 + KILLS * 60_000 },
  () => expectAllAnswered(join(home, 'target'), KILLS),
);

// docs/contract/replication.md#rep-41
test('and so in a bucket', { timeout: 300_000 + BUCKET_KILLS * 60_000 }, async () => {
  const named = process.env['AGENTKEEP_TEST_BUCKET'];
  if (named !== undefined) {
    const url = new URL(named);
    url.pathname += `/kills-${String(Date.now())}`;
    return expectAllAnswered(url.href, BUCKET_KILLS);
  }
  const server = await BucketServer.start();
  try {
    await expectAllAnswered(server.address('kills'), BUCKET_KILLS);
  } finally {
    await server.close();
  }
});
