/** Verification of a log by `verifyAuditChain` (docs/contract/audit.md#aud-104). */
import type { OutputOf } from '@agentkeep/core/clients';
import { runtimeOf, verifyAudit } from '@agentkeep/core/operator';
import { describe, expect } from 'vitest';
import { erased, ofSubject } from '../erasure/erasure-kit.js';
import { outcome, refused, result } from '../harness/answer.js';
import { scope } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';
import { allEntries, damage, overwrite, type StoredEntry } from '../harness/stored-entries.js';

type Verification = OutputOf<'verifyAuditChain'>;
type Caller = Pick<Fixture['admin'], 'call'>;

const BLOCKS_MAX = 512;

async function partOf(caller: Caller, parameters: object = {}): Promise<Verification> {
  return result(await caller.call('verifyAuditChain', { parameters }));
}

/** Returns every part from a cursor on, or from the beginning. */
async function partsOf(caller: Caller, cursor?: string): Promise<Verification[]> {
  const parts = [await partOf(caller, cursor === undefined ? {} : { cursor })];
  for (let next = parts[0]?.next_cursor; typeof next === 'string';) {
    const part = await partOf(caller, { cursor: next });
    parts.push(part);
    next = part.next_cursor;
  }
  return parts;
}

/** Stores events of changes and of failed logins in turns, so that each is a block of its own. */
async function addBlocks(t: Fixture, count: number): Promise<void> {
  const { store, audit, newId, clock } = runtimeOf(t.keep);
  await store.transact((tx) => {
    for (let at = 0; at < count; at += 1) {
      audit.changed(tx, {
        ...{ id: newId(), atMillis: clock.now(), tenantId: 'acme', userId: null, username: 'ann' },
        ...{ type: at % 2 === 0 ? 'login' : 'login_failed', action: 'login', resource: 'here' },
        ...{ result: 'success', ipAddress: null, userAgent: null, metadata: {} },
      });
    }
  });
}

async function entriesIn(t: Fixture, subspace: string): Promise<StoredEntry[]> {
  const entries = await allEntries(t.store);
  return entries.filter((entry) => entry.subspace === subspace);
}

describe('a whole log', () => {
  testCase('AUD-C62, AUD-106, AUD-107 is verified, with the digests of its chains', async (t) => {
    const only = await partOf(t.admin);
    expect(only).toMatchObject({ status: 'verified', tenant_id: 'acme', next_cursor: null });
    expect(only).toMatchObject({ events_checked: 1, blocks_checked: 1, events_kept: 1 });
    const [event] = result(await t.admin.call('queryAuditLogs', { parameters: {} })).events;
    const id = event?.event_id;
    expect(only).toMatchObject({ first_event: id, last_event: id, broken: null });
    expect(only.checked_at).toBe(new Date(t.clock.now()).toISOString());
    const [end] = only.chains;
    expect(only.chains).toEqual([
      { chain: 'changes', events: 1, last_event: id, digest: end?.digest },
    ]);
    expect(end?.digest).toMatch(/^[0-9a-f]{64}$/u);
    expect((await partOf(t.admin)).chains).toEqual(only.chains);
  });

  testCase(
    'AUD-C62, AUD-104, AUD-105 is verified in parts, also what comes meanwhile',
    async (t) => {
      await addBlocks(t, BLOCKS_MAX);
      const first = await partOf(t.admin);
      expect(first).toMatchObject({ status: 'running', chains: [], broken: null });
      expect(first).toMatchObject({ blocks_checked: BLOCKS_MAX, events_kept: BLOCKS_MAX + 1 });
      await addBlocks(t, BLOCKS_MAX);
      const parts = await partsOf(t.admin, first.next_cursor ?? '');
      const checked = parts.map(({ status, blocks_checked: blocks }) => [status, blocks]);
      expect(checked).toEqual([
        ['running', 2 * BLOCKS_MAX],
        ['verified', 2 * BLOCKS_MAX + 1],
      ]);
      const all = await verifyAudit(t.keep);
      const { events_checked, first_event, last_event } = all;
      expect(parts.at(-1)).toMatchObject({ events_checked, first_event, last_event });
      const chains = parts.at(-1)?.chains.map(({ chain, events }) => [chain, events]);
      expect(chains).toEqual([
        ['changes', BLOCKS_MAX + 1],
        ['logins', BLOCKS_MAX],
      ]);
    },
  );

  testCase('AUD-C65, AUD-109 is verified again where an erasure changed it', async (t) => {
    const bob = await t.agent({ subject_id: 'bob-of-long-ago' });
    await bob.created(scope);
    await runtimeOf(t.keep).audit.flush();
    await addBlocks(t, BLOCKS_MAX);
    const { next_cursor: cursor } = await partOf(t.admin);
    await erased(t, ofSubject('bob-of-long-ago'));
    const parts = await partsOf(t.admin, cursor ?? '');
    const numbers = parts.map(({ status, blocks_checked: blocks }) => [status, blocks]);
    const { events_checked } = await verifyAudit(t.keep);
    expect(parts.at(-1)).toMatchObject({ status: 'verified', events_checked });
    // The first part of what was checked anew.
    expect(numbers[0]).toEqual(['running', BLOCKS_MAX]);
  });
});

testCase(
  'AUD-C63, AUD-105 a cursor is refused where it is altered or of another log',
  async (t) => {
    await addBlocks(t, BLOCKS_MAX);
    const cursor = (await partOf(t.admin)).next_cursor ?? '';
    const foreign = await t.foreignAdmin();
    const last = cursor.at(-1) === 'A' ? 'Q' : 'A';
    const texts = [`${cursor.slice(0, -1)}${last}`, `${cursor}A`, 'x', ''];
    const calls = texts.map((text) => [t.admin, text] as const);
    for (const [caller, text] of [...calls, [foreign, cursor] as const]) {
      const answer = await caller.call('verifyAuditChain', { parameters: { cursor: text } });
      expect(outcome(answer)).toBe(refused.invalid);
      expect(JSON.stringify(answer)).toContain('cursor');
    }
  },
);

describe('a damaged log', () => {
  testCase('AUD-C64, AUD-108 says what and where', async (t) => {
    await addBlocks(t, 8);
    const blocks = await entriesIn(t, 'auditBlocks');
    const ids = [...result(await t.admin.call('queryAuditLogs', { parameters: {} })).events]
      .reverse()
      .map(({ event_id }) => event_id);
    const [, , third, , fifth, , , , newest] = blocks;
    const [head] = await entriesIn(t, 'auditHeads');
    if (!third || !fifth || !newest || !head) throw new Error('There are nine blocks and a head.');
    const brokenAfter = async (undo: () => Promise<void>) => {
      const part = await partOf(t.admin);
      await undo();
      expect(part).toMatchObject({ status: 'broken', chains: [], next_cursor: null });
      return part.broken;
    };
    expect(await brokenAfter(await damage(t.store, third.key, 'content'))).toEqual({
      ...{ event_id: ids[2], chain: null, reason: 'block_unreadable' },
    });
    // The next event of the same chain no longer follows.
    expect(await brokenAfter(await overwrite(t.store, third.key, undefined))).toEqual({
      ...{ event_id: ids[4], chain: 'logins', reason: 'link_differs' },
    });
    expect(await brokenAfter(await overwrite(t.store, newest.key, undefined))).toEqual({
      ...{ event_id: ids[8], chain: 'logins', reason: 'end_differs' },
    });
    expect(await brokenAfter(await overwrite(t.store, head.key, undefined))).toEqual({
      ...{ event_id: ids[0], chain: null, reason: 'head_missing' },
    });
    expect((await partOf(t.admin)).status).toBe('verified');
  });

  testCase('AUD-C64, AUD-108 is found in a later part', async (t) => {
    await addBlocks(t, BLOCKS_MAX + 40);
    const blocks = await entriesIn(t, 'auditBlocks');
    await damage(t.store, blocks[BLOCKS_MAX + 20]?.key ?? new Uint8Array(), 'content');
    const statuses = (await partsOf(t.admin)).map(({ status, broken }) => [status, broken?.reason]);
    expect(statuses).toEqual([
      ['running', undefined],
      ['broken', 'block_unreadable'],
    ]);
  });
});

testCase('AUD-C66, AUD-103 is for administrators, each for its own log', async (t) => {
  const foreign = await t.foreignAdmin();
  const parameters = { tenant_id: 'acme' };
  expect(outcome(await foreign.call('verifyAuditChain', { parameters }))).toBe(refused.forbidden);
  const agent = await t.agent();
  expect(outcome(await agent.call('verifyAuditChain', { parameters: {} }))).toBe(refused.forbidden);
  const master = await t.master();
  const named = async (tenantId?: string) => {
    const asked = tenantId === undefined ? {} : { tenant_id: tenantId };
    return result(await master.call('verifyAuditChain', { parameters: asked }));
  };
  expect(await named()).toMatchObject({ status: 'verified', tenant_id: null });
  expect(await named('other')).toMatchObject({ status: 'verified', tenant_id: 'other' });
  const absent = await master.call('verifyAuditChain', { parameters: { tenant_id: 'absent' } });
  expect(outcome(absent)).toBe(refused.noTenant);
});
