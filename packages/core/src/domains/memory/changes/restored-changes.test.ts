/** Cursors hold across restarts and restored copies (docs/contract/changes.md#chg-5). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Keep, openKeep, openLmdbStore, type ScopeInput } from '../../../index.js';
import { agentFor } from '../../../operator.js';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };

/** Opens a directory, with short forms of what the tests do. */
async function openAt(directory: string) {
  const store = await openLmdbStore({ directory });
  const keep: Keep = await openKeep({ store });
  const { memory } = await agentFor(keep, { tenantId: 'acme', subjectId: 's', scopes: [scope] });
  return {
    store,
    keep,
    create: async (name: string): Promise<void> => {
      await memory.in(scope).put(name, {
        episode_type: 'Observation',
        content: { primary: name },
        event_time_millis: 0,
      });
    },
    /** Returns the names of created records after a cursor, and where to go on. */
    read: async (after?: string) => {
      const page = await memory.changesPage({ after, limit: 256 });
      const names = page.changes.map(async ({ record_id }) => {
        return (await memory.in(scope).read(record_id)).name;
      });
      const cursors = page.changes.map(({ cursor }) => cursor);
      return { names: await Promise.all(names), cursors, next: page.next_after };
    },
  };
}

test('CHG-5 a reader goes on after a restart, and after an older state was restored', async () => {
  const home = await mkdtemp(join(tmpdir(), 'agentkeep-changes-'));
  const [directory, copy] = [join(home, 'data'), join(home, 'copy')];
  let opened = await openAt(directory);
  await opened.create('a');
  await opened.create('b');
  const first = await opened.read();
  await opened.keep.close();

  opened = await openAt(directory);
  await opened.create('c');
  expect((await opened.read(first.next)).names).toEqual(['c']);
  expect((await opened.read(first.cursors[0])).names).toEqual(['b', 'c']);
  await opened.store.backup(copy);
  await opened.create('lost');
  const lost = await opened.read();
  expect(lost.names).toEqual(['a', 'b', 'c', 'lost']);
  await opened.keep.close();

  // Twice, as if the first restored state was given up.
  for (const target of [copy, join(home, 'second')]) {
    const restored = await openAt(copy);
    if (target === copy) await restored.store.backup(join(home, 'second'));
    await restored.keep.close();
    const again = await openAt(target);
    await again.create(`new in ${target === copy ? 'one' : 'two'}`);
    const told = target === copy ? 'new in one' : 'new in two';
    expect((await again.read(lost.next)).names).toEqual([told]);
    expect((await again.read(first.next)).names).toEqual(['c', told]);
    expect((await again.read()).names).toEqual(['a', 'b', 'c', told]);
    await again.keep.close();
  }
  await rm(home, { recursive: true, force: true });
});
