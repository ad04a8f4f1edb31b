/** Cases of imports of what was erased (docs/contract/erasure.md#cases). */
import { expect } from 'vitest';
import { result } from '../harness/answer.js';
import type { Caller } from '../harness/caller.js';
import { scope } from '../harness/documents.js';
import { bothWays } from '../harness/fixture.js';
import { admitted, erased, erasedTenant, ofSubject, version } from './erasure-kit.js';

async function exported(caller: Caller): Promise<string> {
  const document = { ...version, of: { type: 'tenant' } };
  const { page } = result(await caller.call('exportMemory', { document }));
  expect(page.next_after).toBeNull();
  return page.text;
}

async function imported(caller: Caller, text: string) {
  return result(await caller.call('importMemory', { document: { ...version, text } })).outcome;
}

// ERA-24
bothWays('ERA-C13 an older export does not bring an erased subject back', async (t) => {
  const alice = await t.agent();
  const bob = await t.agent({ subject_id: 'bob' });
  const id = await alice.created(scope);
  const other = await bob.created(scope);
  const older = await exported(t.admin);
  await erased(t, ofSubject('alice'));
  const outcome = await imported(t.admin, older);
  expect(outcome).toMatchObject({ stored: 0, unchanged: 1, refused: 1 });
  expect(outcome.problems.map(({ reason }) => reason)).toEqual(['erased']);
  const withoutOrigin = older.slice(older.indexOf('\n') + 1);
  expect(await imported(t.admin, withoutOrigin)).toMatchObject({ stored: 0, refused: 1 });
  const foreign = await t.foreignAdmin();
  expect(await imported(foreign, older)).toMatchObject({ stored: 1, refused: 1 });
  expect(older).toContain(id);

  t.clock.advance(1);
  await admitted(t, 'alice');
  const anew = await t.agent();
  await anew.created(scope);
  const newer = await exported(t.admin);
  expect(await imported(t.admin, newer)).toMatchObject({ unchanged: 2, refused: 0 });
  expect(result(await bob.read(scope, other)).record.record_id).toBe(other);

  const master = await t.master();
  await erasedTenant(master, 'acme');
  const admin = await master.registered('acme');
  expect(await imported(admin, newer)).toMatchObject({ stored: 0, refused: 2 });
});
