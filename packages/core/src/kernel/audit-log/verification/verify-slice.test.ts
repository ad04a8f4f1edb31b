/** A log that changes while it is verified in slices, and what is said of one that is damaged. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { auditDraft } from '../../../../test/audit-draft.js';
import { openAuditOver } from '../../../../test/audit-kit.js';
import type { AuditEventType } from '../../audit/event-type.js';
import { systemEntropy } from '../../ports/entropy.js';
import { uuidV7Generator } from '../../ports/ids.js';
import { inMemoryStore } from '../../../storage/in-memory-store/in-memory-store.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { ManualClock } from '../../../testing/manual-clock.js';
import { auditSettings } from '../audit-options.js';
import { auditBlocks, auditHeads, findHead, findSeam, rawBlockFrom } from '../audit-store.js';
import { namesReplacer } from '../event-names.js';
import { rewriteEvents } from '../rewrite-events.js';
import { type LogProgress, startOfLog, verifySlice } from './verify-chains.js';

const TENANT = 'acme';
const types: readonly AuditEventType[] = ['user_created', 'access_granted', 'login_failed'];

function setUp(maxEvents = 1_000) {
  const clock = new ManualClock();
  const newId = uuidV7Generator(clock, systemEntropy);
  const { store, audit } = openAuditOver(inMemoryStore(), clock, auditSettings({ maxEvents }));
  let added = 0;
  const add = async (username: string) => {
    const type = types[added % types.length] ?? 'login';
    added += 1;
    const draft = auditDraft({ id: newId(), atMillis: clock.now(), type, username });
    await store.transact((tx) => audit.changed(tx, draft));
  };
  const rewrite = (name: string) =>
    store.transact((tx) => {
      const seam = findSeam(tx, TENANT) ?? { erasureId: name, at: 0, chains: {} };
      const replace = namesReplacer([seam.erasureId], 'erased');
      return rewriteEvents(tx, TENANT, { seam, replace, blocksMax: 3 });
    });
  const slice = (before: LogProgress) =>
    store.read((tx) => verifySlice(tx, TENANT, before).progress);
  const verified = async (before = startOfLog()): Promise<LogProgress> => {
    const after = await slice(before);
    return after.isDone ? after : verified(after);
  };
  return { store, audit, add, rewrite, slice, verified };
}

test('AUD-109 whatever happens between slices, a whole log verifies', async () => {
  const step = fc.constantFrom('add', 'rewrite', 'rewrite all', 'slice', 'slice');
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 10, maxLength: 40 }),
    fc.constantFrom(5, 1_000),
    async (steps, maxEvents) => {
      const { audit, add, rewrite, slice, verified } = setUp(maxEvents);
      for (let at = 0; at < 40; at += 1) await add(`name-${at % 4}`);
      let progress = startOfLog();
      for (const [at, what] of steps.entries()) {
        const name = `name-${at % 4}`;
        if (what === 'add') await add(name);
        if (what === 'rewrite') await rewrite(name);
        if (what === 'rewrite all') while (!(await rewrite(name)).isDone);
        if (what === 'slice') progress = await slice(progress);
        expect(progress.broken).toBeNull();
        if (progress.isDone) progress = startOfLog();
      }
      expect((await verified(progress)).broken).toBeNull();
      await audit.close();
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

/** Damages that verify as values, and what is said of them. */
const damages: readonly (readonly [what: string, reason: string, damage: (tx: WriteTx) => void])[] =
  [
    [
      'an event that was altered',
      'link_differs',
      (tx) => {
        const raw = rawBlockFrom(tx, TENANT, 3);
        if (raw?.block === undefined) throw new Error('There is a block.');
        const events = raw.block.events.map(([link, fields]) => ({
          link,
          text: JSON.stringify(fields).replace('ann', 'bob'),
        }));
        auditBlocks.put(tx, { ...raw.block, events }, TENANT, raw.sequence, raw.firstId);
      },
    ],
    [
      'a head from before the newest event',
      'end_differs',
      (tx) => {
        const head = findHead(tx, TENANT);
        if (!head?.chains.changes) throw new Error('There are changes.');
        const changes = { ...head.chains.changes, next: head.chains.changes.next - 1 };
        auditHeads.put(tx, { ...head, chains: { ...head.chains, changes } }, '', TENANT);
      },
    ],
    [
      'a head that has lost a chain',
      'head_missing',
      (tx) => {
        const head = findHead(tx, TENANT);
        if (head === undefined) throw new Error('There is a head.');
        auditHeads.put(tx, { ...head, chains: { ...head.chains, changes: null } }, '', TENANT);
      },
    ],
  ];

test.each(damages)('AUD-108 %s is %s', async (_, reason, damage) => {
  const { store, audit, add, verified } = setUp();
  for (let at = 0; at < 30; at += 1) await add('ann');
  expect((await verified()).broken).toBeNull();
  await store.transact(damage);
  expect((await verified()).broken).toMatchObject({ quota: 'changes', reason });
  await audit.close();
});
