/** Names in events are replaced in parts, and the chains verify after each of them. */
import { expect, test } from 'vitest';
import { auditDraft } from '../../../test/audit-draft.js';
import { openAuditOver } from '../../../test/audit-kit.js';
import type { AuditDraft } from '../audit/audit.js';
import { systemEntropy } from '../ports/entropy.js';
import { uuidV7Generator } from '../ports/ids.js';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { auditSettings } from './audit-options.js';
import { findSeam, postingsBefore, rawBlockFrom } from './audit-store.js';
import { namesReplacer } from './event-names.js';
import { rewriteEvents } from './rewrite-events.js';
import { verifyAudit } from './verification/verify-audit.js';

const PSEUDONYM = 'erased-x';
const replace = namesReplacer(['ann/1', 'ann@example.test'], PSEUDONYM);

function setUp(maxEvents = 1_000) {
  const clock = new ManualClock();
  const newId = uuidV7Generator(clock, systemEntropy);
  const { store, audit } = openAuditOver(inMemoryStore(), clock, auditSettings({ maxEvents }));
  const change = (members: Partial<AuditDraft> = {}) =>
    store.transact((tx) =>
      audit.changed(tx, auditDraft({ id: newId(), atMillis: clock.now(), ...members })),
    );
  const rewriteSome = () =>
    store.transact((tx) => {
      const seam = findSeam(tx, 'acme') ?? { erasureId: 'e', at: 0, chains: {} };
      return rewriteEvents(tx, 'acme', { seam, replace, blocksMax: 2 });
    });
  const stored = () =>
    store.read((tx) => {
      const blocks: string[] = [];
      for (let raw = rawBlockFrom(tx, 'acme', 0); raw?.block !== undefined;) {
        blocks.push(JSON.stringify(raw.block.events));
        raw = rawBlockFrom(tx, 'acme', raw.sequence + 1);
      }
      return blocks.join('\n');
    });
  return { clock, store, audit, change, rewriteSome, stored };
}

const mentioned: Partial<AuditDraft> = {
  username: 'ann/1',
  resource: 'subject:ann/1',
  ipAddress: '192.0.2.7',
  metadata: { path: '/api/v1/subjects/ann%2F1', new_email: 'ann@example.test', list: ['ann/1'] },
};

test('every chain verifies after each part, also with events in between', async () => {
  const { store, audit, change, rewriteSome, stored } = setUp();
  const types = ['user_created', 'access_granted', 'login_failed'] as const;
  for (let at = 0; at < 30; at += 1) {
    const type = types[at % types.length] ?? 'login';
    await change(at === 4 || at === 20 ? { type, ...mentioned } : { type, username: 'bob' });
  }
  let parts = 0;
  for (let isDone = false; !isDone; parts += 1) {
    ({ isDone } = await rewriteSome());
    expect(await verifyAudit(store)).toMatchObject({ status: 'verified' });
    if (parts < 5) await change({ username: 'bob' });
  }
  expect(parts).toBeGreaterThan(10);
  const { status, events_checked } = await verifyAudit(store);
  expect({ status, events_checked }).toEqual({ status: 'verified', events_checked: 35 });
  const text = await stored();
  for (const name of ['ann/1', 'ann%2F1', 'ann@example.test', '192.0.2.7']) {
    expect(text).not.toContain(name);
  }
  expect(text.split(PSEUDONYM)).toHaveLength(2 * 5 + 1);
  const found = await store.read((tx) =>
    postingsBefore(tx, 'acme', ['username', PSEUDONYM], 1_000, 9),
  );
  expect(found).toHaveLength(2);
  await change({ username: 'bob' });
  expect(await verifyAudit(store)).toMatchObject({ status: 'verified' });
  await audit.close();
});

test('events that expire meanwhile do not break a chain', async () => {
  const { store, audit, change, rewriteSome, stored } = setUp(8);
  for (let at = 0; at < 8; at += 1) await change(at === 1 ? mentioned : {});
  await rewriteSome();
  for (let at = 0; at < 6; at += 1) await change({ username: 'bob' });
  for (let isDone = false; !isDone;) {
    ({ isDone } = await rewriteSome());
    expect(await verifyAudit(store)).toMatchObject({ status: 'verified' });
  }
  expect(await stored()).not.toContain('ann/1');
  await audit.close();
});

test('names that are parts of others stay', async () => {
  const { store, audit, change, rewriteSome, stored } = setUp();
  await change({
    username: 'joann/12',
    resource: 'subject:ann',
    metadata: { text: 'ann/1 wrote' },
  });
  await rewriteSome();
  expect(await stored()).not.toContain(PSEUDONYM);
  expect(await verifyAudit(store)).toMatchObject({ status: 'verified' });
  await audit.close();
});
