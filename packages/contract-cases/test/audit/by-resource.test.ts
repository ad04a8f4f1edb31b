/** The audit log by what its events are about (docs/contract/audit.md#aud-112). */
import type { AuditEvent } from '@agentkeep/core';
import { runtimeOf } from '@agentkeep/core/operator';
import { expect } from 'vitest';
import { merge } from '../branches/harness.js';
import { erased, ofSubject } from '../erasure/erasure-kit.js';
import { outcome, result } from '../harness/answer.js';
import { sharedScope } from '../harness/documents.js';
import { type Fixture, testCase } from '../harness/fixture.js';
import { proposed, proposerOf, reject, reviewerOf, withdrawAll } from '../review/harness.js';

/** Returns a page of the events about a resource. */
const pageOf = (t: Fixture, resource: string, members: object = {}) =>
  t.admin.call('queryAuditLogs', { parameters: { resource, ...members } });

/** Returns who did what to a resource, the oldest first. */
async function deedsOf(t: Fixture, resource: string): Promise<unknown[][]> {
  const { events } = result(await pageOf(t, resource));
  return events
    .map(({ username, metadata }: AuditEvent) => [username, metadata['change']])
    .reverse();
}

testCase('AUD-C67 AUD-112 finds all that was done to one record', async (t) => {
  const ann = await t.agent({ subject_id: 'ann' });
  const id = await ann.created(sharedScope);
  const other = await ann.created(sharedScope);
  result(await ann.update(sharedScope, [id, 1]));
  const proposer = await proposerOf(t, { subject_id: 'pia' });
  const rita = await reviewerOf(t);
  const operation = { type: 'delete', record_id: id, expected_revision: 2 };
  const { id: proposal } = await proposed(proposer, '', { operation });
  result(await merge(rita, proposal));

  expect(await deedsOf(t, `record:${id}`)).toEqual([
    ['ann', 'created'],
    ['ann', 'updated'],
    ['pia', 'deleted'],
    ['rita', 'deleted'],
  ]);
  expect(await deedsOf(t, `record:${other}`)).toEqual([['ann', 'created']]);
  expect(await deedsOf(t, `proposal:${proposal}`)).toEqual([
    ['pia', 'proposed'],
    ['rita', 'merged'],
  ]);
});

testCase('AUD-C67 AUD-112 finds how proposals were declined', async (t) => {
  const pia = await proposerOf(t, { subject_id: 'pia' });
  const first = await proposed(pia, 'No.');
  const second = await proposed(pia, 'Nor this.');
  result(await reject(await reviewerOf(t), first.id));
  result(await withdrawAll(t.admin, 'pia'));
  expect(await deedsOf(t, `proposal:${first.id}`)).toEqual([
    ['pia', 'proposed'],
    ['rita', 'rejected'],
  ]);
  expect(await deedsOf(t, `proposal:${second.id}`)).toEqual([
    ['pia', 'proposed'],
    [t.admin.credential.spec.subject_id, 'withdrawn'],
  ]);
});

testCase('AUD-C67 AUD-19, AUD-22 compares exactly, and binds cursors', async (t) => {
  const ann = await t.agent({ subject_id: 'ann' });
  const id = await ann.created(sharedScope);
  result(await ann.update(sharedScope, [id, 1]));
  const resource = `record:${id}`;
  expect(await deedsOf(t, `RECORD:${id}`)).toEqual([]);
  expect(await deedsOf(t, id)).toEqual([]);
  expect(result(await pageOf(t, resource, { username: 'bob' })).events).toEqual([]);
  const first = result(await pageOf(t, resource, { limit: 1 }));
  const cursor = first.next_cursor ?? '';
  const next = result(await pageOf(t, resource, { limit: 1, cursor }));
  expect([...first.events, ...next.events].map(({ metadata }) => metadata['revision'])).toEqual([
    2, 1,
  ]);
  expect(outcome(await pageOf(t, 'record:other', { limit: 1, cursor }))).toBe(
    '400 invalid_request',
  );
});

testCase('AUD-C67 AUD-113 an erasure replaces a name in the index too', async (t) => {
  const alice = await t.agent({ subject_id: 'alice-of-wonderland' });
  await alice.created(sharedScope);
  const { store, audit, newId, clock } = runtimeOf(t.keep);
  const { tenant_id: tenantId } = t.admin.credential;
  await store.transact((tx) => {
    audit.changed(tx, {
      ...{ id: newId(), atMillis: clock.now(), tenantId, userId: null, username: 'ops' },
      ...{ type: 'configuration_changed', action: 'a', resource: 'subject:alice-of-wonderland' },
      ...{ result: 'success', ipAddress: null, userAgent: null, metadata: { change: 'blocked' } },
    });
  });
  expect(await deedsOf(t, 'subject:alice-of-wonderland')).toEqual([['ops', 'blocked']]);
  const { pseudonym } = await erased(t, ofSubject('alice-of-wonderland'));
  expect(await deedsOf(t, 'subject:alice-of-wonderland')).toEqual([]);
  expect(await deedsOf(t, `subject:${String(pseudonym)}`)).toEqual([['ops', 'blocked']]);
});
