/** Verification finds and names any event that was altered, removed or moved in a stored chain. */
import { testStore } from '@agentkeep/testkit/test-store';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { auditDraft } from '../../../test/audit-draft.js';
import type { AuditDraft } from '../audit/audit.js';
import { systemEntropy } from '../ports/entropy.js';
import { uuidV7Generator } from '../ports/ids.js';
import type { Store } from '../../storage/store/store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { auditSettings } from './audit-options.js';
import { findHead, rawBlockFrom, auditBlocks, auditHeads } from './audit-store.js';
import { type EventFields, memberOf } from './event-fields.js';
import { openAuditOver } from '../../../test/audit-kit.js';
import type { AuditQuota } from './quota-policy.js';
import { verifyAudit } from './verification/verify-audit.js';

const TENANT = 'acme';

type Linked = readonly [link: string, fields: EventFields];

/** Stores a chain with blocks of these sizes, and keeps the newest events. */
async function chain(sizes: readonly number[], maxEvents: number): Promise<Store> {
  const clock = new ManualClock();
  const newId = uuidV7Generator(clock, systemEntropy);
  const store = testStore();
  const { audit } = openAuditOver(store, clock, auditSettings({ maxEvents }));
  for (const size of sizes) {
    for (let index = 0; index < size; index += 1) audit.observed(draft(newId(), clock.now()));
    await audit.flush();
    clock.advance(5);
  }
  await audit.close();
  return store;
}

function draft(id: string, atMillis: number): AuditDraft {
  return auditDraft({ id, atMillis, userId: id, metadata: { principal: 'credential' } });
}

interface KeptBlock {
  readonly sequence: number;
  readonly firstId: string;
  readonly recordedAtMillis: number;
  readonly previous: string;
  readonly quota: AuditQuota;
  readonly ordinal: number;
  readonly events: readonly Linked[];
}

/** Returns every stored block, oldest first, and the ids of the kept events. */
function contents(store: Store): Promise<{ places: KeptBlock[]; kept: string[] }> {
  return store.read((tx) => {
    const places: KeptBlock[] = [];
    for (let raw = rawBlockFrom(tx, TENANT, 0); raw?.block !== undefined;) {
      places.push({ sequence: raw.sequence, firstId: raw.firstId, ...raw.block });
      raw = rawBlockFrom(tx, TENANT, raw.sequence + 1);
    }
    const first = findHead(tx, TENANT)?.chains.writes?.first ?? 0;
    const kept = places.flatMap(({ sequence, events }) =>
      events
        .filter((_, index) => sequence + index >= first)
        .map(([, fields]) => memberOf(fields, 'id')),
    );
    return { places, kept };
  });
}

/** Replaces the events of a block, with a valid checksum. */
function replace(store: Store, place: KeptBlock, events: readonly Linked[]): Promise<void> {
  return store.transact((tx) => {
    const { sequence, firstId, ...rest } = place;
    const texts = events.map(([link, fields]) => ({ link, text: JSON.stringify(fields) }));
    const block = { ...rest, events: texts };
    auditBlocks.put(tx, block, TENANT, sequence, firstId);
  });
}

/** Kinds of tampering with an event of a block. */
const tamperings = {
  alter: (events: readonly Linked[], at: number, member: number): Linked[] =>
    events.map(([link, fields], index): Linked => {
      if (index !== at) return [link, fields];
      const altered = [...fields];
      altered[member] =
        member === 2 ? memberOf(fields, 'atMillis') + 1 : member === 10 ? { a: 1 } : 'other';
      return [link, altered];
    }),
  relink: (events: readonly Linked[], at: number): Linked[] =>
    events.map(([link, fields], index): Linked => [index === at ? `${link}x` : link, fields]),
  remove: (events: readonly Linked[], at: number): Linked[] =>
    events.filter((_, index) => index !== at),
  swap: (events: readonly Linked[], at: number): Linked[] => {
    const other = at + 1 < events.length ? at + 1 : 0;
    return events.map((event, index) => {
      if (index === at) return events[other] ?? event;
      return index === other ? (events[at] ?? event) : event;
    });
  },
  repeat: (events: readonly Linked[], at: number): Linked[] =>
    events.flatMap((event, index) => (index === at ? [event, event] : [event])),
};

test('AUD-66 tampering with any kept event is found and named', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.integer({ min: 2, max: 80 }), { minLength: 1, maxLength: 5 }),
    fc.constantFrom(3, 50, 10_000),
    fc.constantFrom(...(Object.keys(tamperings) as (keyof typeof tamperings)[])),
    fc.nat(1_000),
    fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    async (sizes, maxEvents, kind, seed, member) => {
      const store = await chain(sizes, maxEvents);
      const { places, kept } = await contents(store);
      expect(await verifyAudit(store)).toMatchObject({
        status: 'verified',
        events_checked: kept.length,
        first_event: kept[0],
        last_event: kept.at(-1),
      });
      const victim = kept[seed % kept.length] ?? '';
      const place = places.find(({ events }) =>
        events.some(([, fields]) => memberOf(fields, 'id') === victim),
      );
      fc.pre(place !== undefined && place.events.length > 1);
      const at = place.events.findIndex(([, fields]) => memberOf(fields, 'id') === victim);
      await replace(store, place, tamperings[kind](place.events, at, member));
      const report = await verifyAudit(store);
      expect(report.status).toBe('broken');
      const named = kept.indexOf(report.broken_at ?? '');
      const wanted = kept.indexOf(victim);
      // The event itself, the one in its place, or the newest if the last one is missing.
      if (kind === 'alter' || kind === 'relink') expect(named).toBe(wanted);
      else expect(report.broken_at).not.toBeNull();
      await store.close();
    },
  );
  await fc.assert(property, { numRuns: 100 });
});

test('AUD-66, AUD-81 a missing, unreadable or truncated block is found and named', async () => {
  for (const [index, what] of ['missing', 'unreadable', 'newest', 'head'].entries()) {
    const store = await chain([70, 3, 3, 3], 10_000);
    const { places, kept } = await contents(store);
    const place = places[what === 'newest' ? 4 : 2];
    if (place === undefined) throw new Error('There are five blocks.');
    await store.transact((tx) => {
      const key = auditBlocks.keyOf(TENANT, place.sequence, place.firstId);
      if (what === 'unreadable') tx.put(key, Buffer.from('garbage'));
      else if (what !== 'head') tx.remove(key);
      const head = findHead(tx, TENANT);
      if (what !== 'head' || head === undefined) return;
      const { writes } = head.chains;
      if (writes === null) throw new Error('All events are of this quota.');
      const chains = { ...head.chains, writes: { ...writes, link: 'x' } };
      auditHeads.put(tx, { ...head, chains }, '', TENANT);
    });
    const { status, broken_at } = await verifyAudit(store);
    expect([what, status]).toEqual([what, 'broken']);
    const named = [places[3]?.firstId, place.firstId, kept.at(-1), kept.at(-1)];
    expect(broken_at).toBe(named[index]);
  }
});
