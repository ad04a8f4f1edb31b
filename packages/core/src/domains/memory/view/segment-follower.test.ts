/** Tests of reads whose state is not that of the segments. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import type { ScopeInput } from '../../../kernel/access/scope.js';
import type { Agent } from '../../../client/agent.js';
import { type Keep, runtimeOf } from '../../../keep/keep.js';
import { openKeep } from '../../../keep/open-keep.js';
import { agentFor, bootstrapTenant } from '../../../operator.js';
import { sharedMemory } from '../../../storage/in-memory-store/in-memory-store.js';
import { Overlay } from '../../../storage/store/overlay.js';
import type { SnapshotTx } from '../../../storage/store/store.js';
import { noteErasedNamespaces } from '../../../kernel/erased/removal-store.js';
import { scanStored } from '../record/scan-memory.js';
import { SegmentCache } from '../segments/segment-cache.js';
import { SegmentFollower } from './segment-follower.js';

const SCOPE: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };
const NAMESPACE = namespaceOf({ tenantId: 'acme' } as Parameters<typeof namespaceOf>[0], {
  ...SCOPE,
  mission_id: null,
});
const EVERYTHING = { text: null, type: null, tags: [], terms: null };
const PART = { namespace: NAMESPACE, filter: EVERYTHING, nowMs: 0, after: undefined };
const BOUNDS = { entries: 1_000, records: 1_000 };

let keep: Keep;
let agent: Agent;
let cache: SegmentCache;
let follower: SegmentFollower;

beforeEach(async () => {
  keep = await openKeep({ store: sharedMemory().open() });
  await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  agent = await agentFor(keep, { tenantId: 'acme', subjectId: 's', scopes: [SCOPE] });
  cache = new SegmentCache({ maxBytes: 1 << 24 });
  follower = new SegmentFollower(cache);
});

afterEach(() => keep.close());

const write = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, at) => agent.memory.in(SCOPE).remember(`t${at}`)));

/** Returns a copy of the state now. */
function stateNow(): Promise<SnapshotTx> {
  return runtimeOf(keep).store.read((tx) => {
    const copy = new Overlay({ get: () => undefined, range: () => [] });
    for (const { key, value } of tx.range({ from: Buffer.of(0), to: Buffer.of(0xff, 0xff) })) {
      copy.put(Uint8Array.from(key), Uint8Array.from(value));
    }
    const horizon = Uint8Array.from(tx.horizon());
    return { get: (key) => copy.get(key), range: (it) => copy.range(it), horizon: () => horizon };
  });
}

/** Runs one read: returns what it found and what it would remember, unless it must begin again. */
function readOnce(state: SnapshotTx, namespace = follower.follow(NAMESPACE)) {
  const opened = namespace.open(state);
  const scanned = opened.isWhole ? namespace.scan(state, { ...PART, ...BOUNDS }) : undefined;
  opened.adopt();
  return scanned;
}

test('the segments hold what was read, and take over what others write', async () => {
  await write(20);
  const first = await stateNow();
  // The first read finds out from where to follow.
  expect(readOnce(first)?.cached).toBeUndefined();
  readOnce(first)?.remember?.();
  expect(readOnce(first)).toMatchObject({ cached: 20, examined: 20 });
  await write(2);
  const second = await stateNow();
  expect(readOnce(second)).toBeUndefined();
  expect(readOnce(second)).toMatchObject({ examined: 22 });
});

test('a read of an older state begins again, and reads the store in the end', async () => {
  await write(20);
  const older = await stateNow();
  readOnce(older);
  readOnce(older)?.remember?.();
  await write(100);
  const newer = await stateNow();
  expect(readOnce(newer)).toBeUndefined();
  expect(readOnce(newer)?.examined).toBe(120);
  const namespace = follower.follow(NAMESPACE);
  for (let tries = 0; tries < 3; tries += 1) expect(readOnce(older, namespace)).toBeUndefined();
  const found = readOnce(older, namespace);
  expect(found?.cached).toBeUndefined();
  expect(found?.matches).toEqual(scanStored(older, { ...PART, ...BOUNDS }).matches);
});

test('what was read is not remembered once the segments have other changes', async () => {
  await write(20);
  const first = await stateNow();
  readOnce(first);
  const slow = readOnce(first);
  await write(2);
  // They are forgotten, since there is more to follow than it takes to read the store.
  await write(300);
  const second = await stateNow();
  expect(readOnce(second)?.cached).toBeUndefined();
  slow?.remember?.();
  expect(cache.bytes).toBe(0);
  readOnce(second)?.remember?.();
  expect(readOnce(second)?.examined).toBe(322);
});

test('an erasure at another server drops the segments', async () => {
  await write(20);
  const before = await stateNow();
  readOnce(before);
  readOnce(before)?.remember?.();
  expect(readOnce(before)).toMatchObject({ cached: 20 });
  await runtimeOf(keep).store.transact(noteErasedNamespaces);
  expect(readOnce(await stateNow())?.cached).toBeUndefined();
  expect(cache.bytes).toBe(0);
});
