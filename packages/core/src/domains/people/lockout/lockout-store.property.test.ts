/** Random changes of lockouts against a plain map: indexes agree with the records. */
import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inMemoryStore } from '../../../storage/in-memory-store/in-memory-store.js';
import { openLmdbStore } from '../../../storage/lmdb-store/open-lmdb-store.js';
import type { Store, WriteTx } from '../../../storage/store/store.js';
import {
  afterAdminLock,
  afterAdminUnlock,
  afterFailure,
  lockoutAt,
  lockoutDue,
} from './lockout-policy.js';
import {
  countNames,
  findLockout,
  listDue,
  listLocked,
  type LockoutName,
  saveLockout,
  type StoredLockout,
} from './lockout-store.js';
import { families } from '../../../domains.js';

const START_MS = Date.UTC(2030, 0, 1);
const FAR_MS = START_MS * 4;
const NAMES_MAX = 3;
const REMOVALS_MAX = 4;

type Action = 'fail' | 'lock' | 'unlock' | 'pass' | 'drop';

interface Step {
  readonly deed: Action;
  readonly name: LockoutName;
  readonly isKnown: boolean;
  readonly afterMs: number;
}

const names = ['', 'acme', 'a\u0001b'].flatMap((authority) =>
  ['ann', 'bob', 'ann\u{1F600}', 'añn', 'Z'].map((username) => ({ authority, username })),
);

const step: fc.Arbitrary<Step> = fc.record({
  deed: fc.oneof(
    { weight: 6, arbitrary: fc.constant<Action>('fail') },
    { weight: 5, arbitrary: fc.constantFrom<Action[]>('lock', 'unlock', 'pass', 'drop') },
  ),
  name: fc.constantFrom(...names),
  isKnown: fc.integer({ min: 0, max: 3 }).map((number) => number === 0),
  afterMs: fc.oneof(
    { weight: 2, arbitrary: fc.nat({ max: 120_000 }) },
    // Often no time at all, so that two changes of a name have the same due time.
    { weight: 1, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -3_600_000, max: 86_400_000 }) },
  ),
});

function become(
  stored: StoredLockout | undefined,
  { deed, isKnown }: Step,
  nowMs: number,
): StoredLockout | undefined {
  const { lockout } = lockoutAt(stored, nowMs);
  if (deed === 'drop') return undefined;
  if (deed === 'fail') return { ...afterFailure(lockout, nowMs), isKnown };
  if (deed === 'lock') return { ...afterAdminLock(lockout, null, nowMs), isKnown };
  const left = deed === 'unlock' ? lockout && afterAdminUnlock(lockout, nowMs) : lockout;
  return left && { ...left, isKnown: stored?.isKnown ?? isKnown };
}

const byBytes = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other));

/** A plain list that is searched from the beginning. */
class PlainLockouts {
  #rows: { readonly name: LockoutName; readonly stored: StoredLockout }[] = [];

  save(name: LockoutName, stored: StoredLockout | undefined): void {
    const before = this.#rows.length;
    this.#rows = this.#rows.filter((row) => row.name !== name);
    if (stored !== undefined) this.#rows.push({ name, stored });
    if (this.#rows.length <= before) return;
    const excess = Math.min(this.#rows.length - NAMES_MAX, REMOVALS_MAX);
    const going = this.#rows
      .filter(({ stored: { lock } }) => lock === null)
      .sort(
        (one, other) =>
          one.stored.lastChangeMs - other.stored.lastChangeMs ||
          byBytes(one.name.authority, other.name.authority) ||
          byBytes(one.name.username, other.name.username),
      )
      .slice(0, Math.max(excess, 0));
    this.#rows = this.#rows.filter((row) => !going.includes(row));
  }

  find(name: LockoutName): StoredLockout | undefined {
    return this.#rows.find((row) => row.name === name)?.stored;
  }

  locked(authority: string): string[] {
    return this.#rows
      .filter(({ name, stored }) => name.authority === authority && stored.lock !== null)
      .map(({ name }) => name.username)
      .sort(byBytes);
  }

  /** Names with the time at which something is due for them, in no order. */
  due(nowMs: number): string[] {
    return this.#rows
      .flatMap(({ name, stored }) => {
        const due = lockoutDue(stored);
        return due === null || due.atMs > nowMs ? [] : [`${due.atMs} ${JSON.stringify(name)}`];
      })
      .sort();
  }

  get counts() {
    const locked = this.#rows.filter(({ stored }) => stored.lock !== null).length;
    return { records: this.#rows.length, locked };
  }
}

async function countEntries(store: Store): Promise<Record<string, number>> {
  const counts: Record<string, number> = { lockouts: 0, lockoutTimes: 0, lockedNames: 0 };
  await store.scan(({ key }) => {
    const family = families.ofKey(key) ?? '';
    counts[family] = (counts[family] ?? 0) + 1;
  });
  return counts;
}

async function runHistory(store: Store, steps: readonly Step[]): Promise<void> {
  const plain = new PlainLockouts();
  let nowMs = START_MS;
  for (const one of steps) {
    nowMs += one.afterMs;
    const atMs = nowMs;
    await store.transact((tx: WriteTx) => {
      const before = findLockout(tx, one.name);
      saveLockout(tx, one.name, { before, after: become(before, one, atMs) }, NAMES_MAX);
    });
    plain.save(one.name, become(plain.find(one.name), one, atMs));
    await store.read((tx) => {
      for (const name of names) expect(findLockout(tx, name)).toEqual(plain.find(name));
      for (const authority of new Set(names.map((name) => name.authority))) {
        const found = listLocked(tx, authority, { after: undefined, limit: 100 });
        expect(found.map(({ username }) => username)).toEqual(plain.locked(authority));
      }
      for (const untilMs of [atMs, FAR_MS]) {
        const found = listDue(tx, untilMs, 100);
        const shown = found.map((due) => `${due.atMs} ${JSON.stringify(due.name)}`);
        expect(shown.sort()).toEqual(plain.due(untilMs));
      }
      expect(countNames(tx)).toBe(plain.counts.records);
    });
  }
  const { records, locked } = plain.counts;
  expect(await countEntries(store)).toMatchObject({
    lockouts: records,
    lockoutTimes: plain.due(FAR_MS).length,
    lockedNames: locked,
  });
}

const history = (maxLength: number) => fc.array(step, { maxLength, size: 'max' });

test('LCK-28 in memory, the indexes agree with the records, of which the oldest go', async () => {
  await fc.assert(
    fc.asyncProperty(history(80), async (steps) => {
      await runHistory(inMemoryStore(), steps);
    }),
    { numRuns: 150 },
  );
});

test('on disk, the indexes agree with the records', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'agentkeep-'));
  try {
    const steps = fc.sample(history(120), { numRuns: 1, seed: 7 }).flat();
    const store = await openLmdbStore({ directory, durability: 'relaxed' });
    await runHistory(store, steps);
    await store.close();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test('names are listed in pages after a name', async () => {
  const store = inMemoryStore();
  const lock = { ...afterAdminLock(undefined, null, START_MS), isKnown: true };
  await store.transact((tx) => {
    for (const name of names) saveLockout(tx, name, { before: undefined, after: lock });
  });
  const page = (after: string | undefined) =>
    store.read((tx) => listLocked(tx, 'acme', { after, limit: 2 }).map((name) => name.username));
  expect(await page(undefined)).toEqual(['Z', 'ann']);
  expect(await page('ann')).toEqual(['ann\u{1F600}', 'añn']);
  expect(await page('añn')).toEqual(['bob']);
});

test.each([true, false])(
  'too many names push out the oldest, known or not: %s',
  async (isKnown) => {
    const store = inMemoryStore();
    const failed = (known: boolean, atMs: number) => ({
      ...afterFailure(undefined, atMs),
      isKnown: known,
    });
    const save = (username: string, after: StoredLockout) =>
      store.transact((tx) => {
        saveLockout(tx, { authority: 'acme', username }, { before: undefined, after }, NAMES_MAX);
      });
    await save('ann', failed(isKnown, START_MS));
    for (let made = 1; made <= NAMES_MAX; made += 1) {
      await save(`flood-${String(made)}`, failed(!isKnown, START_MS + made));
    }
    const names = await store.read((tx) => listDue(tx, FAR_MS, 9).map(({ name }) => name.username));
    expect(names.sort()).toEqual(['flood-1', 'flood-2', 'flood-3']);
  },
);
