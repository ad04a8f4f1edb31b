/**
 * Administration of lockouts: listLockouts, getLockout, lockAccount, unlockAccount
 * (docs/contract/lockouts.md).
 */
import { useFakeTimers, useRealTimers } from '@agentkeep/testkit/fake-timers';
import { describe, expect, test, vi } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import { outcome, type Parts, refused, result } from '../harness/answer.js';
import { drivers } from '../harness/drivers.js';
import { Lockouts, withLockouts } from './lockout-fixture.js';
import { PASSWORD, sessions } from '../sessions/session-fixture.js';

const NAME = 'bob';
const names = ['getLockout', 'lockAccount', 'unlockAccount'] as const;
const parts = { id: NAME, document: {} };

/** Returns the parts of a call; only a lock has a document. */
const partsOf = (name: (typeof names)[number], members: Parts = {}): Parts => {
  const { document = {}, ...rest } = members;
  const known = { id: NAME, ...rest };
  return name === 'lockAccount' ? { ...known, document } : known;
};

describe('who may', () => {
  withLockouts('LCK-5, LCK-37 proof and role are checked first', async (l) => {
    const agent = await l.s.t.agent();
    const broken = { id: ' ', parameters: { no: 'such' }, document: 7 };
    for (const name of names) {
      const call = partsOf(name, broken);
      expect(outcome(await l.s.t.transport(name, undefined, call))).toBe(refused.unauthorized);
      expect(outcome(await agent.call(name, call))).toBe(refused.forbidden);
    }
    const { parameters } = broken;
    expect(outcome(await l.s.t.transport('listLockouts', undefined, { parameters }))).toBe(
      refused.unauthorized,
    );
    expect(outcome(await agent.call('listLockouts', { parameters }))).toBe(refused.forbidden);
  });

  withLockouts('LCK-35 only a SuperAdmin locks and unlocks administrators', async (l) => {
    for (const name of ['lockAccount', 'unlockAccount'] as const) {
      const answer = await l.admin.call(name, partsOf(name, { id: 'ann' }));
      expect(outcome(answer)).toBe(refused.forbidden);
    }
    expect(await l.status()).toMatchObject({ locked: false, lockout_count: 0 });
    const denied = await l.events('permission_denied');
    expect(denied.map(({ metadata }) => metadata['required'])).toEqual([
      'super_admin',
      'super_admin',
    ]);
    expect(outcome(await l.lock('ann'))).toBe('200');
    expect(outcome(await l.unlock('ann'))).toBe('200');
  });

  withLockouts('an administrator acts in its own authority', async (l) => {
    const other = await l.s.t.foreignAdmin();
    await l.admin.call('lockAccount', parts);
    const shown = result(await other.call('getLockout', { id: NAME }));
    expect(shown.status.locked).toBe(false);
    expect(result(await other.call('listLockouts', {})).locked_users).toEqual([]);
    expect(outcome(await other.call('unlockAccount', { id: NAME }))).toBe('404 not_found');
    for (const name of names) {
      const named = (tenant_id: string) => partsOf(name, { parameters: { tenant_id } });
      expect(outcome(await other.call(name, named('acme')))).toBe(refused.forbidden);
      const root = await l.root();
      expect(outcome(await root.call(name, named('nowhere')))).toBe('404 tenant_not_found');
      expect(outcome(await l.admin.call(name, named('acme')))).toBe('200');
    }
  });

  withLockouts('an administrator of the installation acts there or in a tenant', async (l) => {
    const root = await l.root();
    await root.call('lockAccount', parts);
    expect(result(await root.call('listLockouts', {})).count).toBe(1);
    expect(result(await l.list()).count).toBe(0);
    const parameters = { tenant_id: 'acme' };
    await l.lock('ann');
    const list = result(await root.call('listLockouts', { parameters }));
    expect(list.locked_users.map(([name]) => name)).toEqual(['ann']);
  });
});

describe('names', () => {
  withLockouts('LCK-36 are accepted literally', async (l) => {
    const odd = ['a/b', 'a%2Fb', 'ä ö', '%', 'a?b#c', 'q'.repeat(256), '\u{1F600}', '"\\'];
    for (const id of odd) {
      expect(outcome(await l.admin.call('lockAccount', { id, document: {} }))).toBe('200');
      expect(result(await l.admin.call('getLockout', { id })).username).toBe(id);
    }
    const list = result(await l.list());
    const bytes = (text: string) => Buffer.from(text);
    expect(list.locked_users.map(([name]) => name)).toEqual(
      odd.toSorted((one, other) => Buffer.compare(bytes(one), bytes(other))),
    );
  });

  withLockouts('that no account can have are refused', async (l) => {
    for (const id of ['q'.repeat(257), ' ', 'a\nb', '\u0085', 'ä'.repeat(129)]) {
      for (const name of names) {
        expect(outcome(await l.admin.call(name, partsOf(name, { id })))).toBe(refused.invalid);
      }
    }
  });
});

describe('a request', () => {
  withLockouts('must be well formed', async (l) => {
    const stray = { parameters: { no: 'such' } };
    expect(outcome(await l.admin.call('listLockouts', stray))).toBe(refused.invalid);
    for (const name of names) {
      expect(outcome(await l.admin.call(name, partsOf(name, stray)))).toBe(refused.invalid);
    }
    for (const limit of [0, 1_001, 'ten']) {
      expect(outcome(await l.list({ limit }))).toBe(refused.invalid);
    }
    expect(outcome(await l.list({ cursor: 'broken' }))).toBe(refused.invalid);
    const documents = [[], null, 'x', { reason: 1 }, { reason: null }, { reason: ' ' }, { no: 1 }];
    for (const document of documents) {
      const answer = await l.admin.call('lockAccount', { id: NAME, document });
      expect(outcome(answer)).toBe(refused.invalid);
    }
    expect(await l.status(NAME)).toMatchObject({ lockout_count: 0 });
  });

  withLockouts('is checked in order: tenant before body', async (l) => {
    const root = await l.root();
    const call = { ...parts, document: 7 };
    const absent = { ...call, parameters: { tenant_id: 'nowhere' } };
    expect(outcome(await root.call('lockAccount', absent))).toBe('404 tenant_not_found');
    const foreign = { ...call, parameters: { tenant_id: 'other' } };
    expect(outcome(await l.admin.call('lockAccount', foreign))).toBe(refused.forbidden);
    expect(outcome(await l.admin.call('lockAccount', call))).toBe(refused.invalid);
  });
});

describe('locks of administrators', () => {
  // LCK-9, LCK-10, LCK-11, LCK-23, LCK-24
  withLockouts('LCK-6 have no end, and each call counts with its own reason', async (l) => {
    await l.fail(2, NAME);
    for (const reason of ['one', 'two']) {
      await l.admin.call('lockAccount', { id: NAME, document: { reason } });
    }
    l.clock.advance(400 * 86_400_000);
    expect(await l.status(NAME)).toEqual({
      locked: true,
      failed_attempts: 2,
      lockout_count: 2,
      lockout_expires: null,
      lockout_remaining_seconds: null,
      remaining_attempts: 0,
      lockout_reason: 'two',
    });
    const refusal = await l.logIn(PASSWORD, NAME);
    expect(refusal.status).toBe(429);
    expect(refusal.body).toEqual({
      error: 'account_locked',
      message: expect.any(String),
      locked: true,
      lockout_expires: null,
      lockout_remaining_seconds: null,
    });
  });

  withLockouts('LCK-24 replace the end of a lock caused by failures', async (l) => {
    await l.fail(5);
    await l.lock('ann');
    l.clock.advance(86_400_000);
    expect(await l.status()).toMatchObject({ locked: true, lockout_count: 2, failed_attempts: 5 });
    await l.unlock('ann');
    expect((await l.fail(5)).body).toMatchObject({ lockout_remaining_seconds: 3_600 });
  });

  withLockouts('LCK-29 end no session', async (l) => {
    const session = l.admin.with((await l.s.logIn()).access_token);
    await l.lock('ann');
    expect(outcome(await session.whoAmI())).toBe('200');
    expect(outcome(await l.logIn())).toBe('429 account_locked');
  });

  withLockouts('AUD-13, AUD-52, AUD-53 leave their events in the chain of the name', async (l) => {
    await l.lock('ann', { reason: 'on leave' });
    await l.unlock('ann');
    const root = { user_id: l.s.ids.root, username: 'root', resource: 'authentication' };
    expect(await l.events('account_locked')).toMatchObject([
      {
        ...root,
        action: 'account_locked',
        result: 'success',
        metadata: { target_username: 'ann', reason: 'on leave', principal: 'account' },
        tenant_id: 'acme',
      },
    ]);
    expect(await l.events('account_unlocked')).toMatchObject([
      { ...root, metadata: { target_username: 'ann', cause: 'manual' }, tenant_id: 'acme' },
    ]);
  });
});

describe('an unlock', () => {
  withLockouts(
    'LCK-33 of a name that is not locked clears its failures without an event',
    async (l) => {
      await l.fail(3, NAME);
      expect(outcome(await l.admin.call('unlockAccount', { id: NAME }))).toBe('200');
      expect(await l.status(NAME)).toMatchObject({ failed_attempts: 0, remaining_attempts: 5 });
      expect(await l.events('account_unlocked')).toEqual([]);
      expect(outcome(await l.admin.call('unlockAccount', { id: NAME }))).toBe('200');
    },
  );

  withLockouts('AUD-54 of a name with an expired lock records that end', async (l) => {
    await l.fail(5, NAME);
    l.clock.advance(900_000);
    expect(outcome(await l.admin.call('unlockAccount', { id: NAME }))).toBe('200');
    expect(await l.events('account_unlocked')).toMatchObject([
      { username: NAME, user_id: null, metadata: { cause: 'expired' } },
    ]);
  });

  withLockouts('LCK-14, LCK-27 finds nothing thirty days later', async (l) => {
    await l.fail(5, NAME);
    l.clock.advance(900_000 + 30 * 86_400_000);
    expect(outcome(await l.admin.call('unlockAccount', { id: NAME }))).toBe('404 not_found');
    expect(await l.events('account_unlocked')).toHaveLength(1);
    expect(await l.status(NAME)).toMatchObject({ lockout_count: 0 });
  });
});

describe('the list', () => {
  withLockouts('comes in pages', async (l) => {
    const all = ['a', 'b', 'c', 'd', 'e'];
    for (const id of all) await l.admin.call('lockAccount', { id, document: {} });
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const position = typeof cursor === 'string' ? { cursor } : {};
      const page = result(await l.list({ limit: 2, ...position }));
      expect(page.count).toBe(page.locked_users.length);
      seen.push(...page.locked_users.map(([name]) => name));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(all);
    expect(result(await l.list({ limit: 5 })).next_cursor).toBeNull();
    const { next_cursor } = result(await l.list({ limit: 1 }));
    const other = await l.s.t.foreignAdmin();
    const foreign = { parameters: { cursor: String(next_cursor) } };
    expect(outcome(await other.call('listLockouts', foreign))).toBe(refused.invalid);
  });
});

describe('in process', () => {
  test('an agent administers lockouts with a client', async () => {
    const [embedded] = drivers;
    if (embedded === undefined) throw new Error('There is no way in.');
    const l = new Lockouts(await sessions(embedded));
    await using t = l.s.t;
    const { lockouts } = await t.keep.authenticate((await l.s.logIn('root')).access_token);
    const inAcme = { tenantId: 'acme' };
    for (const name of ['ann', 'bob', 'cat']) {
      await lockouts.lock(name, { ...inAcme, reason: 'audit' });
    }
    expect(await lockouts.get('bob', inAcme)).toMatchObject({ lockout_reason: 'audit' });
    await lockouts.unlock('bob', inAcme);
    const listed: string[] = [];
    for await (const [name] of lockouts.list({ ...inAcme, limit: 1 })) listed.push(name);
    expect(listed).toEqual(['ann', 'cat']);
    expect((await lockouts.listPage()).count).toBe(0);
    await expect(lockouts.unlock('dan')).rejects.toMatchObject({ code: 'lockout_not_found' });
  });

  test('an open keep ends unrequested locks, and a closed one stops', async () => {
    useFakeTimers('setInterval', 'clearInterval');
    try {
      const [embedded] = drivers;
      if (embedded === undefined) throw new Error('There is no way in.');
      const l = new Lockouts(await sessions(embedded));
      await l.fail(5, NAME);
      l.clock.advance(900_000);
      await vi.advanceTimersByTimeAsync(30_000);
      // The sweep itself may take more than one turn of the event loop.
      await eventually(async () => {
        expect(await l.events('account_unlocked')).toHaveLength(1);
      });
      await l.s.t.keep.close();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      useRealTimers();
    }
  });
});
