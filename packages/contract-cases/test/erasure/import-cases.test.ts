/** Cases of imports of what was erased (docs/contract/erasure.md). */
import { verifyErasureOfStore } from '@agentkeep/core/operator';
import { expect } from 'vitest';
import { result } from '../harness/answer.js';
import type { Caller } from '../harness/caller.js';
import { recordOf, scope, sharedScope } from '../harness/documents.js';
import { testCase, type Fixture, tenant } from '../harness/fixture.js';
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
testCase('ERA-C13 an older export does not bring an erased subject back', async (t) => {
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

const FAR = 8_000_000_000_000;

/** Says in the first line of an export that it was made in the far future. */
const postdated = (text: string): string =>
  text.replace(/"exported_at_millis":\d+/u, `"exported_at_millis":${String(FAR)}`);

const withoutFirst = (text: string): string => text.slice(text.indexOf('\n') + 1);

/** What there is of the subject `alice` that should have gone. */
async function leftOf({ store }: Fixture) {
  const target = { kind: 'subject', subject_id: 'alice' } as const;
  const { status, families } = await verifyErasureOfStore(store, { tenantId: 'acme', target });
  return { status, left: families.filter(({ left }) => left > 0) };
}

// ERA-24
testCase('ERA-C28 nor does one whose first line was altered or removed', async (t) => {
  const alice = await t.agent();
  await alice.created(scope);
  const older = await exported(t.admin);
  t.clock.advance(1);
  await erased(t, ofSubject('alice'));
  for (const text of [older, postdated(older), withoutFirst(older)]) {
    expect(await imported(t.admin, text)).toMatchObject({ stored: 0, refused: 1 });
  }
  expect(await leftOf(t)).toEqual({ status: 'clean', left: [] });

  // What is from before stays refused once the subject is admitted.
  t.clock.advance(1);
  await admitted(t, 'alice');
  for (const text of [postdated(older), withoutFirst(older)]) {
    expect(await imported(t.admin, text)).toMatchObject({ stored: 0, refused: 1 });
  }
  const anew = await t.agent();
  await anew.created(scope);
  const newer = await exported(t.admin);
  const foreign = await t.foreignAdmin();
  expect(await imported(foreign, newer)).toMatchObject({ stored: 1, refused: 0 });
});

// ERA-24, ERA-29
testCase('ERA-C29 nothing private of an erased id is imported before it is admitted', async (t) => {
  const alice = await t.agent();
  await alice.created(scope);
  await erased(t, ofSubject('alice'));
  await using other = await tenant(t.driver);
  other.clock.advance(1);
  const there = await other.agent();
  await there.created(scope);
  const newer = await exported(other.admin);
  for (const text of [newer, withoutFirst(newer)]) {
    expect(await imported(t.admin, text)).toMatchObject({ stored: 0, refused: 1 });
  }
  expect(await leftOf(t)).toEqual({ status: 'clean', left: [] });
  await admitted(t, 'alice');
  expect(await imported(t.admin, withoutFirst(newer))).toMatchObject({ stored: 1, refused: 0 });
});

// ERA-24
testCase('ERA-C30 nor does a source name what was erased', async (t) => {
  const alice = await t.agent();
  await alice.created(scope);
  await using other = await tenant(t.driver);
  const there = await other.agent();
  const source = await there.created(scope);
  const derived_from = [{ scope, record_id: source, revision: 1 }];
  const id = await there.created(sharedScope, {
    ...recordOf({ primary: 'derived' }),
    derived_from,
  });
  const older = await exported(other.admin);
  const lines = older.split('\n');
  const derived = lines.filter((line) => line.includes(`"${id}"`) || line.includes('"shared"'));
  expect(derived).toHaveLength(2);
  t.clock.advance(1);
  await erased(t, ofSubject('alice'));
  // Its scope is named in the text, or is not.
  for (const text of [postdated(older), derived.join('\n')]) {
    const { stored, unchanged } = await imported(t.admin, text);
    expect(stored + unchanged).toBe(1);
    expect(await leftOf(t)).toEqual({ status: 'clean', left: [] });
  }
});

// ERA-24
testCase('ERA-C31 nor does a line without a time', async (t) => {
  const alice = await t.agent();
  await alice.created(sharedScope);
  const older = await exported(t.admin);
  t.clock.advance(1);
  await erased(t, { kind: 'scope', scope: sharedScope });
  const [frame, named, record] = older.split('\n');
  const { namespace, record: shown } = JSON.parse(record!) as {
    namespace: string;
    record: { record_id: string };
  };
  const key = [shown.record_id, 1];
  const timeless = JSON.stringify({ line: 'redacted_source', namespace, key, value: null });
  const text = [postdated(frame!), named, timeless, ''].join('\n');
  expect(await imported(t.admin, text)).toMatchObject({ stored: 0, refused: 1 });
  expect(await exported(t.admin)).not.toContain('"line":"scope"');
  t.clock.advance(1);
  await alice.created(sharedScope);
  expect(await imported(t.admin, text)).toMatchObject({ stored: 1, refused: 0 });
});
