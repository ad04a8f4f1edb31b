/** Stored documents of experiences are verified by their digests, not only by their checksums. */
import { expect, test } from 'vitest';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { newAttempt, observe } from './attempt.js';
import { findAttempt, findEvent, insertEvent, putAttempt } from './experience-store.js';
import { testStore } from '@agentkeep/testkit/test-store';

const inconsistent = { code: 'storage_inconsistency' };
const actor = { subject_id: 's', credential_id: '01900000-0000-7000-8000-000000000000' };
const sha256 = 'ab'.repeat(32);
const credential: ActingCredential = {
  id: actor.credential_id,
  tenantId: 't',
  spec: { subject_id: 's', capabilities: [], grants: [], expires_at_millis: null },
  revision: 1,
  verifier: '',
  revokedAtMillis: null,
};
const scope = { project_id: 'p', mission_id: null, agent_id: 'a', visibility: 'shared' } as const;
const namespace = namespaceOf(credential, scope);
const attempt = newAttempt(
  namespace,
  {
    id: 'a',
    context_id: 'c',
    reporter_subject_id: 's',
    accounting_unit: 'u',
    input: { reference: 'r', sha256 },
    parent: null,
  },
  { actor, nowMs: 7, contextDigest: sha256, parentEventDigest: null },
);
const event = observe(
  attempt,
  {
    event_id: 'e',
    expected_revision: 1,
    context_digest: sha256,
    outcome: 'unknown',
    evidence: { reference: 'r', sha256 },
    cost_units: null,
    latency_ms: 5,
  },
  { actor, nowMs: 8 },
);

test.each([
  ['tenant', { tenant: 'u' }],
  ['namespace', { namespace: 'other' }],
  ['request', { request: { ...attempt.receipt.request, accounting_unit: 'v' } }],
  ['context', { context_digest: 'f'.repeat(64) }],
  ['parent', { parent_event_digest: sha256 }],
  ['actor', { actor: { ...actor, subject_id: 'x' } }],
  ['time', { recorded_at_millis: 8 }],
  ['digest', { receipt_digest: 'f'.repeat(64) }],
])('an attempt with a different %s is refused', async (_name, members) => {
  const store = testStore();
  await store.transact((tx) => putAttempt(tx, namespace, attempt));
  expect(await store.read((tx) => findAttempt(tx, namespace, 'a'))).toEqual(attempt);
  const changed = { ...attempt, receipt: { ...attempt.receipt, ...members } };
  await store.transact((tx) => putAttempt(tx, namespace, changed));
  const read = store.read((tx) => findAttempt(tx, namespace, 'a'));
  await expect(read).rejects.toMatchObject(inconsistent);
});

test.each([
  ['command', { command: { ...event.command, outcome: 'failed' as const } }],
  ['actor', { actor: { ...actor, subject_id: 'x' } }],
  ['state', { record: { ...event.record, revision: 3 } }],
  ['time', { recorded_at_millis: 9 }],
  ['digest', { event_digest: 'f'.repeat(64) }],
])('an event with a different %s is refused', async (_name, members) => {
  const store = testStore();
  await store.transact((tx) => insertEvent(tx, namespace, event));
  expect(await store.read((tx) => findEvent(tx, namespace, 'a', 'e'))).toEqual(event);
  await store.transact((tx) => insertEvent(tx, namespace, { ...event, ...members }));
  const read = store.read((tx) => findEvent(tx, namespace, 'a', 'e'));
  await expect(read).rejects.toMatchObject(inconsistent);
});
