/** Cases of states that were held when an erasure began (docs/contract/erasure.md). */
import { expect } from 'vitest';
import { outcome, result } from '../harness/answer.js';
import type { Caller } from '../harness/caller.js';
import { recordOf, scope, sharedScope } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';
import { erased, ofSubject, version } from './erasure-kit.js';

/** So that an export has more than one page. */
const RECORDS = 40;
const LONG = 'x'.repeat(60_000);
const CANARY = 'canary-of-alice';

async function written(t: Fixture): Promise<Caller> {
  const alice = await t.agent();
  for (let number = 0; number < RECORDS; number += 1) {
    const record = recordOf({ primary: `${CANARY} ${String(number)} ${LONG}` });
    result(await alice.create(scope, record, `k${String(number)}`));
  }
  return alice;
}

function exported(caller: Caller, after: string | null = null) {
  const document = { ...version, of: { type: 'tenant' }, after };
  return caller.call('exportMemory', { document });
}

// ERA-27
testCase('ERA-C18 an export that was begun before an erasure ends with it', async (t) => {
  await written(t);
  const { page: first } = result(await exported(t.admin));
  const { page: second } = result(await exported(t.admin, first.next_after));
  expect(first.text + second.text).toContain(CANARY);
  await erased(t, ofSubject('alice'));
  for (const after of [first.next_after, second.next_after]) {
    if (after !== null) expect(outcome(await exported(t.admin, after))).toBe('410 export_gone');
  }
  const { page } = result(await exported(t.admin));
  expect(page.text).not.toContain(CANARY);
});

// ERA-27, XPT-6
testCase('ERA-C18 an export of another tenant goes on', async (t) => {
  const foreign = await t.foreignAdmin();
  const { page } = result(await exported(foreign));
  expect(page.next_after).toBeNull();
  const bob = await foreign.appoint({
    subject_id: 'bob',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope],
  });
  for (let number = 0; number < RECORDS; number += 1) {
    const record = recordOf({ primary: `${String(number)} ${LONG}` });
    result(await bob.create(scope, record, `k${String(number)}`));
  }
  const first = result(await exported(foreign)).page;
  await erased(t, ofSubject('alice'));
  expect(outcome(await exported(foreign, first.next_after))).toBe('200');
});

// ERA-27
testCase('ERA-C18 an earlier state of a scope that was read is gone as well', async (t) => {
  const alice = await t.agent();
  const bob = await t.agent({ subject_id: 'bob' });
  const id = await alice.created(sharedScope);
  const millis = t.clock.now();
  t.clock.advance(1_000);
  result(await alice.update(sharedScope, [id, 1], recordOf({ primary: 'later' })));
  const asOf = { as_of: { millis } };
  const before = await bob.query(sharedScope, undefined, asOf);
  expect(result(before).page.records).toHaveLength(1);
  await erased(t, { kind: 'scope', scope: sharedScope });
  const after = await bob.query(sharedScope, undefined, asOf);
  expect(JSON.stringify(after)).not.toContain(id);
});
