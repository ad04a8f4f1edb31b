/** Each quota of an authority keeps its own events, and repeats are stored with their number. */
import { useFakeTimers, useRealTimers } from '@agentkeep/testkit/fake-timers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { auditDraft } from '../../../test/audit-draft.js';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import type { AuditDraft } from '../audit/audit.js';
import { systemEntropy } from '../ports/entropy.js';
import { uuidV7Generator } from '../ports/ids.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { auditSettings } from './audit-options.js';
import { findHead, rawBlockFrom } from './audit-store.js';
import { memberOf } from './event-fields.js';
import { openAuditOver } from '../../../test/audit-kit.js';
import { quotaOf } from './quota-policy.js';
import { verifyAudit } from './verification/verify-audit.js';

beforeEach(() => {
  useFakeTimers('setTimeout', 'clearTimeout', 'setInterval', 'clearInterval');
});
afterEach(() => {
  useRealTimers();
});

function setUp(maxEvents = 5) {
  const clock = new ManualClock();
  const newId = uuidV7Generator(clock, systemEntropy);
  const inner = inMemoryStore();
  const { store, audit } = openAuditOver(inner, clock, auditSettings({ maxEvents }));
  const draft = (members: Partial<AuditDraft> = {}): AuditDraft =>
    auditDraft({ id: newId(), atMillis: clock.now(), ...members });
  const change = (members: Partial<AuditDraft> = {}) =>
    store.transact((tx) => audit.changed(tx, draft({ type: 'user_created', ...members })));
  const refuse = (members: Partial<AuditDraft> = {}) =>
    audit.observed(draft({ type: 'permission_denied', userId: 'ann', ...members }));
  const stored = () =>
    store.read((tx) => {
      const head = findHead(tx, 'acme');
      const events: [type: string, count: unknown][] = [];
      for (let raw = rawBlockFrom(tx, 'acme', 0); raw?.block !== undefined;) {
        const { quota, ordinal, events: all } = raw.block;
        const from = Math.max(0, (head?.chains[quota]?.first ?? 0) - ordinal);
        for (const [, fields] of all.slice(from)) {
          events.push([memberOf(fields, 'type'), memberOf(fields, 'metadata')['count']]);
        }
        raw = rawBlockFrom(tx, 'acme', raw.sequence + 1);
      }
      return events;
    });
  return { clock, store, audit, draft, change, refuse, stored };
}

describe('an event of a change', () => {
  test('AUD-76 stays, whatever the others', async () => {
    const { store, audit, draft, change, refuse, stored } = setUp();
    await change();
    await change({ type: 'login' });
    for (let index = 0; index < 200; index += 1) {
      refuse({ userId: `u${String(index)}` });
      audit.observed(draft({ userId: 'writer' }));
      if (index % 50 === 0) await audit.flush();
    }
    for (let index = 0; index < 20; index += 1) {
      await change({ type: 'login_failed', result: 'failure' });
    }
    await audit.flush();
    const types = (await stored()).map(([type]) => type);
    const count = (wanted: string): number => types.filter((type) => type === wanted).length;
    expect([count('user_created'), count('login')]).toEqual([1, 1]);
    expect([count('permission_denied'), count('access_granted')]).toEqual([5, 5]);
    expect(count('login_failed')).toBe(5);
    expect(await verifyAudit(store)).toMatchObject({ status: 'verified', events_checked: 17 });
    await audit.close();
  });

  test.each([
    [{ type: 'access_granted' }, 'writes'],
    [{ type: 'access_granted', isRoutine: true }, 'calls'],
    [{ type: 'token_refresh' }, 'changes'],
    [{ type: 'token_refresh', isRoutine: true }, 'calls'],
    [{ type: 'user_created', result: 'failure' }, 'calls'],
    [{ type: 'account_unlocked', metadata: { cause: 'expired' } }, 'logins'],
    [{ type: 'account_unlocked', metadata: { cause: 'manual' } }, 'changes'],
    [{ type: 'account_lockout_triggered', result: 'failure' }, 'logins'],
    [{ type: 'rate_limit_exceeded', result: 'forbidden' }, 'calls'],
    [{ type: 'system_startup' }, 'changes'],
  ] as const)('%j counts for the quota %s', (members, quota) => {
    expect(quotaOf(auditDraft({ id: 'x', atMillis: 0, ...members }))).toBe(quota);
  });
});

describe('repeats', () => {
  test('are stored when their minute ends, without further calls', async () => {
    const { audit, refuse, stored } = setUp();
    for (let count = 0; count < 4; count += 1) refuse();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await stored()).toEqual([['permission_denied', undefined]]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await stored()).toEqual([
      ['permission_denied', undefined],
      ['permission_denied', 3],
    ]);
    expect(vi.getTimerCount()).toBe(1);
    await audit.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each(['flush', 'close'] as const)('are stored at %s', async (how) => {
    const { audit, refuse, stored } = setUp();
    for (let count = 0; count < 4; count += 1) refuse();
    await audit[how]();
    expect(await stored()).toEqual([
      ['permission_denied', undefined],
      ['permission_denied', 3],
    ]);
    await audit.close();
  });
});

test('the quotas keep their own age: a sweep removes from each', async () => {
  const { clock, store, audit, change, refuse, stored } = setUp(1_000);
  await change();
  refuse();
  await audit.flush();
  clock.advance(91 * 86_400_000);
  await change();
  const swept = openAuditOver(store, clock, auditSettings({})).audit as unknown as {
    sweep(): Promise<void>;
    close(): Promise<void>;
  };
  await swept.sweep();
  expect(await stored()).toEqual([['user_created', undefined]]);
  expect(await verifyAudit(store)).toMatchObject({ status: 'verified', events_checked: 1 });
  await swept.close();
  await audit.close();
});
