/** All events of a body are appended at once, so that their cost is linear in them. */
import { expect, test } from 'vitest';
import { auditDraft } from '../../../test/audit-draft.js';
import { systemEntropy } from '../ports/entropy.js';
import { uuidV7Generator } from '../ports/ids.js';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import { storeOver } from '../../storage/store-testing/store-over.js';
import type { Store, WriteTx } from '../../storage/store/store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { auditSettings } from './audit-options.js';
import { findHead, rawBlockFrom } from './audit-store.js';
import { openAuditOver } from '../../../test/audit-kit.js';
import { verifyAudit } from './verification/verify-audit.js';

type Counts = Record<'get' | 'range' | 'put' | 'remove', number>;

/** Returns a store that counts what bodies touch. */
function counting(): { store: Store; counts: Counts } {
  const inner = inMemoryStore();
  const counts: Counts = { get: 0, range: 0, put: 0, remove: 0 };
  const counted = (tx: WriteTx): WriteTx =>
    new Proxy(tx, {
      get: (target, name) => {
        if (name in counts) counts[name as keyof Counts] += 1;
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
  const store = storeOver(inner, { transact: (body) => inner.transact((tx) => body(counted(tx))) });
  return { store, counts };
}

/** Records events of two authorities in one body; returns what it touched. */
async function cost(events: number): Promise<Counts> {
  const clock = new ManualClock();
  const newId = uuidV7Generator(clock, systemEntropy);
  const { store: counted, counts } = counting();
  const { store, audit } = openAuditOver(counted, clock, auditSettings({}));
  const drafts = Array.from({ length: events }, (_, index) =>
    auditDraft({
      id: newId(),
      atMillis: clock.now(),
      type: 'api_key_revoked',
      tenantId: index % 2 === 0 ? 'acme' : null,
      resource: `api_key:${String(index)}`,
    }),
  );
  await store.transact((tx) => {
    for (const draft of drafts) audit.changed(tx, draft);
  });
  expect(await verifyAudit(store)).toMatchObject({ events_checked: events, status: 'verified' });
  const head = await store.read((tx) => findHead(tx, 'acme'));
  expect(head?.chains.changes?.next).toBe(events / 2);
  expect(await store.read((tx) => rawBlockFrom(tx, 'acme', 0)?.block?.events.length)).toBe(
    Math.min(64, events / 2),
  );
  await audit.close();
  return counts;
}

test('a body with many events reads two heads, and writes blocks and the postings of their values', async () => {
  const few = await cost(128);
  // A head, a block and its postings (type, action, name, result and quota), for each authority;
  // and a posting for each resource, which all differ here.
  expect(few).toMatchObject({ get: 2, put: 2 * 7 + 128, remove: 0 });
  const many = await cost(1_280);
  expect(many.get).toBe(few.get);
  expect(many.range).toBe(few.range);
  expect(many.put).toBe(2 * (1 + 10 * 6) + 1_280);
});

test('a body that throws leaves no event', async () => {
  const clock = new ManualClock();
  const { store, audit } = openAuditOver(inMemoryStore(), clock, auditSettings({}));
  const body = (tx: WriteTx): void => {
    audit.changed(tx, auditDraft({ id: crypto.randomUUID(), atMillis: 0 }));
    throw new Error('not this one');
  };
  await expect(store.transact(body)).rejects.toThrow('not this one');
  expect(await store.read((tx) => findHead(tx, 'acme'))).toBeUndefined();
  await audit.close();
});
