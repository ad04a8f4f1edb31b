/**
 * What the audit log buffers and for how long, what it keeps, and how it handles store failures.
 */
import { useFakeTimers, useRealTimers } from '@agentkeep/testkit/fake-timers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { auditDraft } from '../../../test/audit-draft.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import { AUDIT_WAITING_MAX } from '../../contract/limits.js';
import type { AuditDraft } from '../audit/audit.js';
import { systemEntropy } from '../ports/entropy.js';
import { uuidV7Generator } from '../ports/ids.js';
import { storeOver } from '../../storage/store-testing/store-over.js';
import type { Store } from '../../storage/store/store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { AuditLog } from './audit-log.js';
import { type AuditOptions, auditSettings } from './audit-options.js';
import { ChangeEvents } from './change-events.js';
import { withParticipants } from '../../storage/store/participant.js';
import { findHead, postingsBefore, rawBlockFrom } from './audit-store.js';
import { memberOf } from './event-fields.js';

const clock = new ManualClock();
const newId = uuidV7Generator(clock, systemEntropy);

beforeEach(() => {
  useFakeTimers('setTimeout', 'clearTimeout', 'setInterval', 'clearInterval');
});
afterEach(() => {
  useRealTimers();
});

function draft(members: Partial<AuditDraft> = {}): AuditDraft {
  return auditDraft({ id: newId(), atMillis: clock.now(), ...members });
}

function setUp(options: AuditOptions = {}, store: Store = inMemoryStore()) {
  const settings = auditSettings(options);
  const changes = new ChangeEvents(settings);
  const followed = withParticipants(store, [changes]);
  const log = new AuditLog({ store: followed, clock, settings, changes });
  const head = () => store.read((tx) => findHead(tx, 'acme'));
  const change = () => followed.transact((tx) => log.changed(tx, draft()));
  return { store, log, head, change };
}

/** Returns a store that refuses transactions on demand. */
function failing(store: Store) {
  const state = { isFailing: true };
  const transact: Store['transact'] = (body) =>
    state.isFailing
      ? Promise.reject(new AgentkeepError('store_unavailable'))
      : store.transact(body);
  const wrapped = storeOver(store, {
    transact,
  });
  return { state, wrapped };
}

describe('observed events', () => {
  test('are stored within a second, in order, as one block', async () => {
    const { log, head, store } = setUp();
    for (let index = 0; index < 3; index += 1) log.observed(draft({ username: `u${index}` }));
    expect(await head()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await head()).toMatchObject({ next: 3, chains: { writes: { first: 0, next: 3 } } });
    const raw = await store.read((tx) => rawBlockFrom(tx, 'acme', 0));
    const names = raw?.block?.events.map(([, fields]) => memberOf(fields, 'username'));
    expect(names).toEqual(['u0', 'u1', 'u2']);
    await log.close();
  });

  // docs/contract/audit.md#aud-63
  test('are stored once where the store has them after a commit that seemed to fail', async () => {
    const store = inMemoryStore();
    let fails = 3;
    const broken = storeOver(store, {
      transact: async (body) => {
        const result = await store.transact(body);
        fails -= 1;
        if (fails >= 0) throw new AgentkeepError('store_unavailable');
        return result;
      },
    });
    const { log, head } = setUp({}, broken);
    const other = setUp({}, store).log;
    log.observed(draft({ username: 'first' }));
    log.observed(draft({ username: 'second' }));
    await vi.advanceTimersByTimeAsync(600);
    // Meanwhile another server and this one have more.
    other.observed(draft({ username: 'of another server' }));
    log.observed(draft({ username: 'third' }));
    await other.close();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(fails).toBeLessThan(0);
    expect(log.waitingEvents).toBe(0);
    expect(await head()).toMatchObject({ next: 4 });
    await log.close();
  });

  test('are stored at once when many are waiting', async () => {
    const { log, head } = setUp();
    for (let index = 0; index < 512; index += 1) log.observed(draft());
    await vi.advanceTimersByTimeAsync(0);
    expect(await head()).toMatchObject({ next: 512 });
    await log.close();
  });

  test('are stored on closing', async () => {
    const { log, head } = setUp();
    log.observed(draft());
    await log.close();
    expect(await head()).toMatchObject({ next: 1 });
  });

  test('wait in bounded memory while the store fails', async () => {
    const { state, wrapped } = failing(inMemoryStore());
    const { log, head } = setUp({ maxEvents: 1_000_000 }, wrapped);
    for (let index = 0; index < AUDIT_WAITING_MAX + 5; index += 1) log.observed(draft());
    await expect(log.flush()).rejects.toThrow();
    state.isFailing = false;
    await log.flush();
    expect(await head()).toMatchObject({ next: AUDIT_WAITING_MAX });
    await log.close();
  });

  test('do not prevent a flush from ending while more arrive', async () => {
    const store = inMemoryStore();
    let commits = 0;
    const busy = storeOver(store, {
      transact: (body) => {
        commits += 1;
        // Simulates continuous calls, each with an event.
        if (commits < 1_000) log.observed(draft());
        return store.transact(body);
      },
    });
    const { log, head } = setUp({}, busy);
    log.observed(draft());
    await log.flush();
    expect(commits).toBe(1);
    await vi.advanceTimersByTimeAsync(500);
    expect(await head()).toMatchObject({ next: 2 });
    commits = 1_000;
    await log.close();
    expect(await head()).toMatchObject({ next: 3 });
  });

  test('of one authority wait for those of no other', async () => {
    const memory = inMemoryStore();
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let begun = 0;
    const slow = storeOver(memory, {
      transact: async (body) => {
        begun += 1;
        if (begun <= 3) await gate;
        return memory.transact(body);
      },
    });
    const { log, head } = setUp({}, slow);
    for (const tenantId of ['one', 'two', 'three']) log.observed(draft({ tenantId }));
    const flushed = log.flush();
    log.observed(draft());
    let isStored = false;
    const own = log.flush('acme').then(() => (isStored = true));
    await vi.advanceTimersByTimeAsync(0);
    expect({ begun, isStored }).toEqual({ begun: 4, isStored: true });
    expect(await head()).toMatchObject({ next: 1 });
    open();
    await Promise.all([flushed, own]);
    await log.close();
  });

  test('are reported as lost when the store still fails on closing', async () => {
    const { wrapped } = failing(inMemoryStore());
    const { log } = setUp({}, wrapped);
    log.observed(draft());
    await expect(log.close()).rejects.toMatchObject({ code: 'store_unavailable' });
  });
});

describe('the stored log', () => {
  test('keeps the maximum number of events, and nothing of the removed ones', async () => {
    const { log, head, store, change } = setUp({ maxEvents: 3 });
    for (let index = 0; index < 9; index += 1) {
      await change();
    }
    expect(await head()).toMatchObject({ chains: { writes: { first: 6, next: 9 } } });
    const numbers = await store.read((tx) => postingsBefore(tx, 'acme', ['action', 'a'], 99, 99));
    expect(numbers).toEqual([8, 7, 6]);
    await log.close();
  });

  test('removes events that are too old, even from chains without new events', async () => {
    const { log, head, store } = setUp({ retentionDays: 1 });
    for (let index = 0; index < 100; index += 1) log.observed(draft());
    await log.flush();
    clock.advance(86_400_000);
    await log.sweep();
    expect(await head()).toMatchObject({ chains: { writes: { first: 0, next: 100 } } });
    clock.advance(1);
    await log.sweep();
    expect(await head()).toMatchObject({ chains: { writes: { first: 100, next: 100 } } });
    expect(await store.read((tx) => rawBlockFrom(tx, 'acme', 0))).toBeUndefined();
    await log.close();
  });

  test('removes a bounded number of events per write after the maximum is lowered', async () => {
    const { store, log, change } = setUp();
    for (let index = 0; index < 50; index += 1) {
      await change();
    }
    const lower = setUp({ maxEvents: 2 }, store);
    await lower.change();
    const raw = await store.read((tx) => rawBlockFrom(tx, 'acme', 0));
    expect(raw?.sequence).toBe(5);
    expect(await lower.head()).toMatchObject({ chains: { writes: { first: 49, next: 51 } } });
    await log.close();
    await lower.log.close();
  });
});

test('the transaction time never decreases', async () => {
  const { log, head, change } = setUp();
  await change();
  const before = clock.now();
  clock.stepTo(before - 1_000);
  await change();
  expect(await head()).toMatchObject({ recordedAtMillis: before, lagMillis: 1_000 });
  await log.close();
});

test.each([{ maxEvents: 0 }, { maxEvents: 1.5 }, { retentionDays: 0 }, { maxFileSize: 10 }])(
  'the settings %j are refused',
  (options) => {
    expect(() => auditSettings(options)).toThrow(TypeError);
  },
);
