/** Stored documents of tools are verified by their digests, not only by their checksums. */
import { expect, test } from 'vitest';
import type { Namespace } from '../../../kernel/access/namespace.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { newArtifact } from './artifact.js';
import { newDevelopment } from './development.js';
import type { ToolDevelopmentEvent } from './development-schema.js';
import { newExecutor } from './executor.js';
import {
  findArtifact,
  findDevelopment,
  findDevelopmentEvent,
  findExecutor,
  insertArtifact,
  insertDevelopmentEvent,
  insertExecutor,
  putDevelopment,
} from './tool-store.js';
import { testStore } from '@agentkeep/testkit/test-store';

const inconsistent = { code: 'storage_inconsistency' };
const actor = { subject_id: 's', credential_id: '01900000-0000-7000-8000-000000000000' };
const writing = { actor, nowMs: 7 };
const credential: ActingCredential = {
  id: actor.credential_id,
  tenantId: 't',
  spec: { subject_id: 's', capabilities: [], grants: [], expires_at_millis: null },
  revision: 1,
  verifier: '',
  revokedAtMillis: null,
};
const scope = { project_id: 'p', mission_id: null, agent_id: 'a', visibility: 'shared' } as const;
const namespace: Namespace = namespaceOf(credential, scope);
const executor = newExecutor(
  {
    id: 'w',
    subject_id: 's',
    runtime_image_digest: `sha256:${'a'.repeat(64)}`,
    environment_revision: 'e',
    permissions_revision: 'p',
    max_cost_units: 1,
    max_latency_ms: 1,
  },
  { tenantId: 't', ...writing },
);
const artifact = newArtifact(
  namespace,
  {
    id: 'x',
    source: 'source',
    dependency_lock: 'lock',
    runtime_image_digest: `sha256:${'a'.repeat(64)}`,
    entrypoint: 'run',
    input_schema: {},
    output_schema: true,
    source_refs: ['r'],
    parent_artifact_id: null,
    repair_evidence_ref: null,
  },
  writing,
);
const development = newDevelopment(
  namespace,
  {
    id: 'r',
    executor_id: 'w',
    objective: 'o',
    parent_artifact_id: null,
    repair_evidence_ref: null,
  },
  { ...writing, executor },
);

test('an executor whose profile does not match its digest is refused', async () => {
  const store = testStore();
  await store.transact((tx) => insertExecutor(tx, executor));
  expect(await store.read((tx) => findExecutor(tx, 't', 'w'))).toEqual(executor);
  const changed = { ...executor, profile: { ...executor.profile, max_cost_units: 2 } };
  await store.transact((tx) => insertExecutor(tx, changed));
  await expect(store.read((tx) => findExecutor(tx, 't', 'w'))).rejects.toMatchObject(inconsistent);
});

test.each([
  ['proposal', { proposal: { ...artifact.proposal, entrypoint: 'other' } }],
  ['tenant', { tenant: 'u' }],
  ['namespace', { namespace: 'other' }],
  ['artifact digest', { artifact_digest: 'f'.repeat(64) }],
  ['source digest', { source_digest: 'f'.repeat(64) }],
  ['dependency digest', { dependency_digest: 'f'.repeat(64) }],
])('an artifact with a different %s is refused', async (_name, members) => {
  const store = testStore();
  await store.transact((tx) => insertArtifact(tx, namespace, artifact));
  expect(await store.read((tx) => findArtifact(tx, namespace, 'x'))).toEqual(artifact);
  await store.transact((tx) => insertArtifact(tx, namespace, { ...artifact, ...members }));
  const read = store.read((tx) => findArtifact(tx, namespace, 'x'));
  await expect(read).rejects.toMatchObject(inconsistent);
});

test.each([
  ['request', { request: { ...development.receipt.request, objective: 'other' } }],
  ['tenant', { tenant: 'u' }],
  ['namespace', { namespace: 'other' }],
  ['digest', { request_digest: 'f'.repeat(64) }],
])('a development with a different %s is refused', async (_name, members) => {
  const store = testStore();
  const record = { ...development, receipt: { ...development.receipt, ...members } };
  const action = { type: 'request_cancellation', reason: 'stop' } as const;
  const event: ToolDevelopmentEvent = {
    schema_version: 1,
    command: { event_id: 'e', expected_revision: 1, action },
    actor,
    record,
    recorded_at_millis: 7,
  };
  await store.transact((tx) => {
    putDevelopment(tx, namespace, record);
    insertDevelopmentEvent(tx, namespace, event);
  });
  const reads = [
    store.read((tx) => findDevelopment(tx, namespace, 'r')),
    store.read((tx) => findDevelopmentEvent(tx, namespace, 'r', 'e')),
  ];
  for (const read of reads) await expect(read).rejects.toMatchObject(inconsistent);
});
