/** Verification finds a chain that has lost its head, its end, or a block in between. */
import { testStore } from '@agentkeep/testkit/test-store';
import { describe, expect, test } from 'vitest';
import { auditDraft } from '../../../test/audit-draft.js';
import type { AuditDraft } from '../audit/audit.js';
import { systemEntropy } from '../ports/entropy.js';
import { uuidV7Generator } from '../ports/ids.js';
import type { Store, WriteTx } from '../../storage/store/store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { auditSettings } from './audit-options.js';
import { findHead, rawBlockFrom, auditBlocks, auditHeads } from './audit-store.js';
import { openAuditOver } from '../../../test/audit-kit.js';
import { verifyAudit } from './verification/verify-audit.js';

const TENANT = 'acme';

/** Stores blocks of changes, writes and refusals of two tenants, in turns. */
async function log(maxEvents = 1_000): Promise<{ store: Store; again: () => Promise<void> }> {
  const clock = new ManualClock();
  const newId = uuidV7Generator(clock, systemEntropy);
  const store = testStore();
  const opened = openAuditOver(store, clock, auditSettings({ maxEvents }));
  const draft = (members: Partial<AuditDraft>): AuditDraft =>
    auditDraft({ id: newId(), atMillis: clock.now(), ...members });
  const again = async (): Promise<void> => {
    for (const tenantId of [TENANT, 'other']) {
      await opened.store.transact((tx) => {
        opened.audit.changed(tx, draft({ tenantId, type: 'login' }));
      });
      opened.audit.observed(draft({ tenantId }));
      opened.audit.observed(draft({ tenantId, type: 'permission_denied', userId: newId() }));
      await opened.audit.flush();
    }
  };
  for (let round = 0; round < 5; round += 1) await again();
  return { store, again };
}

/** Returns the places of all blocks of the tenant, oldest first. */
function places(store: Store): Promise<{ sequence: number; firstId: string; quota: string }[]> {
  return store.read((tx) => {
    const found = [];
    for (let raw = rawBlockFrom(tx, TENANT, 0); raw?.block !== undefined;) {
      const { sequence, firstId, block } = raw;
      found.push({ sequence, firstId, quota: block.quota });
      raw = rawBlockFrom(tx, TENANT, sequence + 1);
    }
    return found;
  });
}

function removeHead(tx: WriteTx): void {
  tx.remove(auditHeads.keyOf('', TENANT));
}

describe('a missing head', () => {
  test('AUD-81, AUD-C59 is found by the blocks that it leaves', async () => {
    const { store } = await log();
    const [oldest] = await places(store);
    await store.transact(removeHead);
    expect(await verifyAudit(store)).toMatchObject({
      status: 'broken',
      broken_at: oldest?.firstId,
    });
  });

  test('is found after further events, and hides neither these nor the older ones', async () => {
    for (const maxEvents of [2, 1_000]) {
      const { store, again } = await log(maxEvents);
      const before = await places(store);
      await store.transact(removeHead);
      await again();
      const after = await places(store);
      expect(after.slice(0, before.length)).toEqual(before);
      expect(after.length).toBe(before.length + 3);
      expect(await verifyAudit(store)).toMatchObject({ status: 'broken' });
    }
  });

  test('of a tenant without any entry is no fault', async () => {
    const store = testStore();
    expect(await verifyAudit(store)).toMatchObject({ status: 'verified', events_checked: 0 });
  });
});

test('each missing block is found, whatever its quota, also the newest', async () => {
  const { store } = await log();
  for (const { sequence, firstId, quota } of await places(store)) {
    const key = auditBlocks.keyOf(TENANT, sequence, firstId);
    const value = await store.read((tx) => Buffer.from(tx.get(key)!));
    await store.transact((tx) => tx.remove(key));
    const { status } = await verifyAudit(store);
    expect([quota, sequence, status]).toEqual([quota, sequence, 'broken']);
    await store.transact((tx) => tx.put(key, value));
    expect((await verifyAudit(store)).status).toBe('verified');
  }
});

test('a truncated end is found, with and without the postings of its blocks', async () => {
  for (const count of [1, 2, 7]) {
    const { store } = await log();
    const lost = (await places(store)).slice(-count);
    await store.transact((tx) => {
      for (const { sequence, firstId } of lost) {
        tx.remove(auditBlocks.keyOf(TENANT, sequence, firstId));
      }
    });
    expect((await verifyAudit(store)).status).toBe('broken');
  }
});

test('a head from before the newest events is found by their blocks', async () => {
  const { store, again } = await log();
  const key = auditHeads.keyOf('', TENANT);
  const old = await store.read((tx) => Buffer.from(tx.get(key)!));
  const before = await places(store);
  await again();
  const newest = (await places(store))[before.length];
  await store.transact((tx) => tx.put(key, old));
  expect(await verifyAudit(store)).toMatchObject({
    status: 'broken',
    broken_at: newest?.firstId,
  });
});

test('a quota that its head has forgotten is found', async () => {
  const { store } = await log();
  await store.transact((tx) => {
    const head = findHead(tx, TENANT);
    if (head === undefined) throw new Error('There is a head.');
    auditHeads.put(tx, { ...head, chains: { ...head.chains, calls: null } }, '', TENANT);
  });
  const refused = (await places(store)).find(({ quota }) => quota === 'calls');
  expect(await verifyAudit(store)).toMatchObject({ broken_at: refused?.firstId });
});

test('a block that was copied to another place is found', async () => {
  const { store } = await log();
  const all = await places(store);
  const [source] = all.filter(({ quota }) => quota === 'writes');
  await store.transact((tx) => {
    const block = rawBlockFrom(tx, TENANT, source?.sequence ?? 0)?.block;
    const texts = block?.events.map(([link, fields]) => ({ link, text: JSON.stringify(fields) }));
    if (block === undefined || texts === undefined) throw new Error('The block is there.');
    auditBlocks.put(tx, { ...block, events: texts }, TENANT, 99, source?.firstId ?? '');
  });
  expect((await verifyAudit(store)).status).toBe('broken');
});
