/** A log whose head and blocks are of version 1 goes on: its events are those of changes. */
import { testStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import { auditDraft } from '../../../test/audit-draft.js';
import { systemEntropy } from '../../runtime/ports/entropy.js';
import { uuidV7Generator } from '../../runtime/ports/ids.js';
import { keyspace } from '../../storage/store/keyspace.js';
import { tupleLayout } from '../../storage/store/layouts.js';
import { Subspace } from '../../storage/store/subspace.js';
import type { Store } from '../../storage/store/store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { auditSettings } from './audit-options.js';
import { auditSubspaces, findHead } from './audit-store.js';
import { linkOf } from './chain.js';
import { fieldsOf, memberOf } from './event-fields.js';
import { openAuditOver } from '../../../test/audit-kit.js';
import { searchSlice } from './search-events.js';
import { verifyAudit } from './verification/verify-audit.js';

const ID = '01934f2a-7c1b-7000-8000-000000000001';

/** Values as the code before version 2 wrote them. */
const goldenHead = `["acme",1,9,"link","${ID}",5,6,7,8]`;
const goldenBlock = `[5,"previous",[["link",["${ID}","login",1,null,"ann","login","/login","success","::1",null,{"a":1}]]]]`;

const oldHeads = new Subspace(keyspace.auditHeads, tupleLayout(1));
const oldBlocks = new Subspace(keyspace.auditBlocks, tupleLayout(1));

test('values of version 1 are read', () => {
  const head = oldHeads.seal(JSON.parse(goldenHead) as unknown[], '', 'acme');
  const chain = { first: 1, next: 9, link: 'link', lastId: ID, oldestEnd: 7, oldestMillis: 8 };
  expect(auditSubspaces.auditHeads.open(head.key, head.value)).toEqual({
    authority: 'acme',
    next: 9,
    recordedAtMillis: 5,
    lagMillis: 6,
    chains: { changes: chain, writes: null, logins: null, calls: null },
  });
  const block = oldBlocks.seal(JSON.parse(goldenBlock) as unknown[], 'acme', 4, ID);
  expect(auditSubspaces.auditBlocks.open(block.key, block.value)).toEqual({
    recordedAtMillis: 5,
    previous: 'previous',
    quota: 'changes',
    ordinal: undefined,
    events: [['link', expect.arrayContaining([ID, 'login']) as unknown]],
  });
});

/** Stores a chain of version 1 with one event in each block. */
async function oldChain(store: Store, ids: readonly string[]): Promise<void> {
  let previous = 'before';
  await store.transact((tx) => {
    for (const [sequence, id] of ids.entries()) {
      const fields = fieldsOf(auditDraft({ id, atMillis: 1 }));
      const place = { authority: 'acme', previous, sequence, recordedAtMillis: 1 };
      const link = linkOf(place, JSON.stringify(fields));
      oldBlocks.put(tx, [1, previous, [[link, fields]]], 'acme', sequence, id);
      previous = link;
    }
    const { length } = ids;
    oldHeads.put(tx, ['acme', 0, length, previous, ids.at(-1), 1, 0, 1, 1], '', 'acme');
  });
}

test('a log of version 1 grows, is found, verifies and gives way to new changes', async () => {
  const store = testStore();
  const clock = new ManualClock(1);
  const newId = uuidV7Generator(clock, systemEntropy);
  await oldChain(store, [newId(), newId(), newId()]);
  expect(await verifyAudit(store)).toMatchObject({ status: 'verified', events_checked: 3 });
  const opened = openAuditOver(store, clock, auditSettings({ maxEvents: 4 }));
  const record = (type: 'login' | 'access_granted') =>
    opened.store.transact((tx) =>
      opened.audit.changed(tx, auditDraft({ id: newId(), atMillis: 1, type })),
    );
  const typesKept = () =>
    store.read((tx) => {
      const filter = { values: [], fromMillis: 0, toMillis: 9, keptFromMillis: 0, maxEvents: 4 };
      const { events } = searchSlice(tx, 'acme', filter, {
        below: findHead(tx, 'acme')?.next ?? 0,
        wanted: 99,
      });
      return events.map(({ fields }) => memberOf(fields, 'type'));
    });
  await record('access_granted');
  await record('login');
  expect(await typesKept()).toEqual(['login', ...Array<string>(4).fill('access_granted')]);
  expect(await verifyAudit(store)).toMatchObject({ status: 'verified', events_checked: 5 });
  for (let count = 0; count < 4; count += 1) await record('login');
  // Those of version 1 were changes, and the oldest.
  expect(await typesKept()).toEqual([...Array<string>(4).fill('login'), 'access_granted']);
  expect(await verifyAudit(store)).toMatchObject({ status: 'verified', events_checked: 5 });
  await opened.audit.close();
});
