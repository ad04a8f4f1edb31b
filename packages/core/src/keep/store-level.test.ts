/** The level of a store: which versions may open it, and when it is raised. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codeOf } from '../../test/servers.js';
import { LEVEL_RAISE_AFTER_MS, type Levels, SERVER_GONE_MS } from '../contract/levels.js';
import { operations } from '../domains.js';
import { levelInForce } from '../kernel/installation/level-keeper.js';
import { embeddedInput } from '../kernel/input/input.js';
import { agentFor } from '../operator.js';
import { inMemoryStore, sharedMemory } from '../storage/in-memory-store/in-memory-store.js';
import { openLmdbStore } from '../storage/lmdb-store/open-lmdb-store.js';
import { storeOver } from '../storage/store-testing/store-over.js';
import type { Store } from '../storage/store/store.js';
import { ManualClock } from '../testing/manual-clock.js';
import { type Keep, levelKeeperOf, runtimeOf } from './keep.js';
import { openKeepAt } from './open-keep.js';
import { levelReport } from '../kernel/installation/level-store.js';
import { storeLevel } from './store-level.js';

const OLDER: Levels = { oldest: 1, newest: 1 };
const NEWER: Levels = { oldest: 1, newest: 2 };
const SCOPE = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;

let home: string;
let clock: ManualClock;
const open: Keep[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-level-'));
  clock = new ManualClock();
});

afterEach(async () => {
  for (const keep of open.splice(0)) await keep.close();
  await rm(home, { recursive: true });
});

async function opened(levels: Levels, store: Store, raise = true): Promise<Keep> {
  const keep = await openKeepAt(levels, { store, clock, raiseLevel: raise });
  open.push(keep);
  return keep;
}

/** Reads the level of a store at the time of the clock. */
const listed = (store: Store) => store.read((tx) => levelReport(tx, OLDER, clock.now()));

/** Gives a sign of life, as a server does every ten seconds. */
const lives = (keep: Keep): Promise<void> => levelKeeperOf(keep).sweep();

async function remembers(keep: Keep, text: string): Promise<string[]> {
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes: [SCOPE] });
  await agent.memory.in(SCOPE).remember(text);
  const found: string[] = [];
  for await (const { payload } of agent.memory.in(SCOPE).query()) {
    found.push(payload.content.primary);
  }
  return found.toSorted();
}

/** Stores that one process has open at a time, and how each is opened again. */
const ownStores = {
  'in memory': () => {
    const kept = inMemoryStore();
    return () => Promise.resolve(storeOver(kept, { close: () => Promise.resolve() }));
  },
  'on disk': () => () => openLmdbStore({ directory: join(home, 'data') }),
};

describe.each(Object.entries(ownStores))('a store %s', (_name, make) => {
  test('OPR-153 the older version comes back at each step before the level is raised', async () => {
    const openAgain = make();
    const texts: string[] = [];
    for (const levels of [OLDER, NEWER, OLDER, NEWER, NEWER, OLDER]) {
      const keep = await openKeepAt(levels, { store: await openAgain(), clock });
      texts.push(`text ${texts.length}`);
      expect(await remembers(keep, texts.at(-1)!)).toEqual(texts);
      expect(storeLevel.of(keep)).toMatchObject({ level: 1, newest_level: levels.newest });
      await keep.close();
    }
  });

  test('OPR-152 it is refused after the raise, and nothing is changed', async () => {
    const openAgain = make();
    await (await openKeepAt(OLDER, { store: await openAgain(), clock })).close();
    const newer = await openKeepAt(NEWER, { store: await openAgain(), clock });
    expect(await storeLevel.raise(newer)).toEqual({
      level: 2,
      is_raised: true,
      unsupported_by: [],
    });
    expect(levelInForce.of(runtimeOf(newer))()).toBe(2);
    await newer.close();
    const store = await openAgain();
    const before = await store.stats();
    await expect(openKeepAt(OLDER, { store, clock })).rejects.toMatchObject({
      code: 'store_incompatible',
      message: expect.stringMatching(/level 2.*supports 1 to 1.*Start version .* or a later one/u),
    });
    expect((await store.stats()).entries).toBe(before.entries);
    await store.close();
  });

  test('OPR-156 it is raised a day after the older version last had it open', async () => {
    const openAgain = make();
    await (await openKeepAt(OLDER, { store: await openAgain(), clock })).close();
    await (await openKeepAt(NEWER, { store: await openAgain(), clock })).close();
    clock.advance(LEVEL_RAISE_AFTER_MS / 2);
    await (await openKeepAt(OLDER, { store: await openAgain(), clock })).close();
    const newer = await openKeepAt(NEWER, { store: await openAgain(), clock });
    open.push(newer);
    expect(storeLevel.of(newer).raised_at_millis).toBe(clock.now() + LEVEL_RAISE_AFTER_MS);
    clock.advance(LEVEL_RAISE_AFTER_MS - 1);
    await lives(newer);
    expect(storeLevel.of(newer).level).toBe(1);
    clock.advance(1);
    await lives(newer);
    expect(storeLevel.of(newer)).toMatchObject({ level: 2, raised_at_millis: null });
  });

  test('OPR-151 a new store has the newest level', async () => {
    const newer = await opened(NEWER, await make()());
    expect(storeLevel.of(newer)).toMatchObject({ level: 2, servers: [{ newest_level: 2 }] });
  });
});

describe('a store that servers share', () => {
  test('OPR-154 each server lists all that are alive', async () => {
    const memory = sharedMemory();
    const one = await opened(OLDER, memory.open());
    clock.advance(1);
    const other = await opened(NEWER, memory.open());
    await lives(one);
    const newestOf = (keep: Keep) => storeLevel.of(keep).servers.map(({ newest_level: n }) => n);
    expect([newestOf(one), newestOf(other)]).toEqual([
      [1, 2],
      [1, 2],
    ]);
    await one.close();
    await lives(other);
    expect(newestOf(other)).toEqual([2]);
  });

  test('OPR-154 a server that was killed counts for two minutes', async () => {
    const memory = sharedMemory();
    await opened(OLDER, memory.open());
    const newer = await opened(NEWER, memory.open());
    clock.advance(SERVER_GONE_MS - 1);
    expect((await storeLevel.raise(newer)).is_raised).toBe(false);
    clock.advance(1);
    expect((await storeLevel.raise(newer)).is_raised).toBe(true);
    // Its entry goes at the next start.
    await opened(NEWER, memory.open());
    expect((await listed(memory.open())).servers).toHaveLength(2);
  });

  test('OPR-160 a raise is refused while an older server is there, and named', async () => {
    const memory = sharedMemory();
    const older = await opened(OLDER, memory.open());
    const newer = await opened(NEWER, memory.open());
    const { is_raised, level, unsupported_by } = await storeLevel.raise(newer);
    expect({ is_raised, level }).toEqual({ is_raised: false, level: 1 });
    expect(unsupported_by).toMatchObject([{ oldest_level: 1, newest_level: 1 }]);
    await older.close();
    expect(await storeLevel.raise(newer)).toEqual({
      level: 2,
      is_raised: true,
      unsupported_by: [],
    });
    expect(await codeOf(opened(OLDER, memory.open()))).toBe('store_incompatible');
  });

  test('OPR-156 an older server that starts begins the day anew', async () => {
    const memory = sharedMemory();
    const first = await opened(OLDER, memory.open());
    const newer = await opened(NEWER, memory.open());
    expect(storeLevel.of(newer).raised_at_millis).toBeNull();
    await first.close();
    await lives(newer);
    expect(storeLevel.of(newer).raised_at_millis).toBe(clock.now() + LEVEL_RAISE_AFTER_MS);
    const second = await opened(OLDER, memory.open());
    await lives(newer);
    expect(storeLevel.of(newer).raised_at_millis).toBeNull();
    await second.close();
    await lives(newer);
    clock.advance(LEVEL_RAISE_AFTER_MS);
    await lives(newer);
    expect(storeLevel.of(newer).level).toBe(2);
  });

  test('OPR-156 it is never raised by itself where that is turned off', async () => {
    const memory = sharedMemory();
    await (await opened(OLDER, memory.open())).close();
    const newer = await opened(NEWER, memory.open(), false);
    await lives(newer);
    clock.advance(10 * LEVEL_RAISE_AFTER_MS);
    await lives(newer);
    expect(storeLevel.of(newer).level).toBe(1);
    expect((await storeLevel.raise(newer)).is_raised).toBe(true);
  });

  test('OPR-155 a server that slept while the level was raised refuses all calls', async () => {
    const memory = sharedMemory();
    const slept = await opened(OLDER, memory.open());
    const newer = await opened(NEWER, memory.open());
    clock.advance(SERVER_GONE_MS);
    expect((await storeLevel.raise(newer)).is_raised).toBe(true);
    const call = (): Promise<unknown> => slept.invoke(operations.getHealth, embeddedInput({}), {});
    expect([await codeOf(call()), await codeOf(call())]).toEqual([
      'store_incompatible',
      'store_incompatible',
    ]);
    expect(await slept.isReady()).toBe(false);
  });

  test('OPR-155 a server that slept gives a sign of life before its next call', async () => {
    const memory = sharedMemory();
    const slept = await opened(OLDER, memory.open());
    clock.advance(SERVER_GONE_MS);
    expect((await listed(memory.open())).servers).toHaveLength(0);
    await slept.invoke(operations.getHealth, embeddedInput({}), {});
    expect((await listed(memory.open())).servers).toHaveLength(1);
  });

  test('OPR-157 a raise is an event of the audit log of the installation', async () => {
    const memory = sharedMemory();
    await (await opened(OLDER, memory.open())).close();
    const newer = await opened(NEWER, memory.open());
    await storeLevel.raise(newer);
    await newer.close();
    const entries: string[] = [];
    const store = memory.open();
    await store.scan(({ value }) => entries.push(Buffer.from(value).toString('latin1')));
    expect(entries.join('\n')).toContain('store_level');
  });
});
