/** Calls of one server while erasures go on at another (docs/contract/erasure.md#era-27). */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { codeOf, twoServers } from '../../../test/servers.js';
import { noteErasureTurn } from '../erased/removal-store.js';
import { agentFor } from '../../operator.js';
import { storeOver } from '../../storage/store-testing/store-over.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;
const alice = { tenantId: 'acme', subjectId: 'alice', scopes: [scope] } as const;

/** Two servers; `before` runs before each read of a third one. */
async function serversWith(before: () => Promise<void>) {
  const servers = await twoServers();
  const third = await servers.open({
    clock: servers.one.clock,
    through: (store) =>
      storeOver(store, {
        read: async (body) => {
          await before();
          return store.read(body);
        },
      }),
  });
  const writer = await agentFor(servers.one.keep, alice);
  // So long that a search takes several transactions.
  for (const leaf of ['green', 'black', 'white']) {
    await writer.memory.in(scope).remember(`${leaf} tea ${'x '.repeat(30_000)}`);
  }
  const reader = await agentFor(third.keep, alice);
  return Object.assign(servers, { writer, reader: reader.memory.in(scope) });
}

// ERA-27
test('a search begins again a bounded number of times, and a single read never', async () => {
  let tenantId = '';
  let reads = 0;
  await using servers = await serversWith(async () => {
    if (tenantId === '') return;
    reads += 1;
    await servers.store.transact((tx) => {
      noteErasureTurn(tx, tenantId);
    });
  });
  tenantId = 'other';
  expect(await servers.reader.recall('tea')).toHaveLength(3);
  tenantId = 'acme';
  reads = 0;
  expect(await codeOf(servers.reader.searchPage({ words: { text: 'tea' } }))).toBe('service_busy');
  expect(reads).toBeGreaterThan(8);
  expect(reads).toBeLessThan(128);
  expect((await servers.reader.changesPage()).changes).toHaveLength(3);
});

// ERA-27
test('a call that waits for changes goes on waiting', async () => {
  let reads = 0;
  await using servers = await serversWith(() => {
    reads += 1;
    return Promise.resolve();
  });
  const { next_after: after } = await servers.reader.changesPage();
  const before = reads;
  const waiting = servers.reader.changesPage({ after, waitMillis: 20_000 });
  while (reads < before + 3) await setImmediate();
  await servers.store.transact((tx) => {
    noteErasureTurn(tx, 'acme');
  });
  const { record_id } = await servers.writer.memory.in(scope).remember('coffee');
  expect((await waiting).changes).toMatchObject([{ record_id }]);
});
