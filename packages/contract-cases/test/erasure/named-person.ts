/** A person whose names stand in everything that a subject can leave. */
import { agentFor, createAdmin } from '@agentkeep/core/operator';
import { expect } from 'vitest';
import { inBranch, texted } from '../branches/harness.js';
import {
  attempt,
  ExperienceParty,
  registerContext,
  SHA,
} from '../experiences/experience-fixture.js';
import { result } from '../harness/answer.js';
import type { Caller } from '../harness/caller.js';
import { scope } from '../harness/documents.js';
import type { Fixture } from '../harness/fixture.js';
import { appOf, send } from '../harness/http-driver.js';
import { submission } from '../learning/learning-documents.js';
import { Learner } from '../learning/learning-fixture.js';
import { proposed } from '../review/harness.js';
import { profile, proposal as artifact, request, ToolParty } from '../tools/tool-fixture.js';
import { version } from './erasure-kit.js';
import { makeWebhookOf, textsOfWebhook } from './webhook-of-person.js';

/** Names that stand in keys: all that an encrypted store shows of the person (ENC-6). */
export const namesInKeys = {
  subject: 'person-é-subject',
  username: 'person-é-username',
  consumer: 'person-é-consumer',
  procedure: 'person-é-procedure',
  evaluation: 'person-é-case',
  artifact: 'person-é-artifact',
  development: 'person-é-development',
  developmentEvent: 'person-é-reported',
  attempt: 'person-é-attempt',
  attemptEvent: 'person-é-observed',
  address: '198.51.100.77',
} as const;

/** Names that stood in keys before the erasure. Their pages may have been used again. */
export const namesInFreedKeys = { formerConsumer: 'person-é/former-consumer' } as const;

/** Texts that are sealed, or digested where they are part of a key. */
export const sealedTexts = {
  text: 'person-é-text',
  recordName: 'person-é-record',
  tag: 'person-é-tag',
  metadata: 'person-é-metadata',
  command: 'person-é-command',
  batch: 'person-é-batch',
  email: 'person@mail-of-person.example',
  formerEmail: 'person@former-mail.example',
  branch: 'person-é-branch',
  proposal: 'person-é-proposal',
  ...textsOfWebhook,
  holder: 'person-é-holder',
  instructions: 'person-é-instructions',
  source: 'person-é-source',
  evidence: 'person-é-evidence',
  objective: 'person-é-objective',
  /** The reason of an administrator, which stays in the event. */
  lock: 'person-é-lock',
} as const;

const capabilities = [
  ...(['memory_read', 'memory_write', 'procedure_propose', 'procedure_evaluate'] as const),
  ...(['tool_admin', 'tool_develop', 'tool_report', 'tool_read'] as const),
  ...(['experience_write', 'experience_report', 'experience_read'] as const),
];
const password = 'Correct-Horse-7';
const names = { ...namesInKeys, ...namesInFreedKeys, ...sealedTexts };

async function remember(t: Fixture, person: Caller): Promise<void> {
  const record = texted(names.text, { tags: [names.tag], metadata: { key: names.metadata } });
  result(await person.put(scope, names.recordName, { record }, names.command));
  result(await person.batch([[scope, { type: 'create', record }]], names.batch));
  await inBranch(person, { name: names.branch });
  const proposing = ['memory_read', 'memory_propose'];
  const proposer = await t.agent({ subject_id: names.subject, capabilities: proposing });
  await proposed(proposer, names.proposal);
  const document = { ...version, holder: names.holder };
  for (const id of [names.consumer, names.formerConsumer]) {
    result(await person.call('claimConsumer', { id, document }));
  }
  const former = { id: names.formerConsumer, parameters: version };
  result(await person.call('deleteConsumer', former));
}

async function learn(t: Fixture, person: Caller): Promise<void> {
  const registrar = new Learner(await t.agent({ capabilities: ['policy_admin'] }));
  result(await registrar.policy('pol', { evaluator_id: names.subject }));
  result(await registrar.context('ctx'));
  const learner = new Learner(person);
  const { procedure, instructions, source } = names;
  result(await learner.propose({ id: procedure, instructions, source_refs: [source] }, scope));
  const trial = submission(names.evaluation, { evidence_ref: names.evidence });
  result(await learner.evaluate(trial, procedure, scope));
}

async function develop(person: Caller): Promise<void> {
  const developer = new ToolParty(person);
  const made = await developer.registerExecutor({ ...profile, subject_id: names.subject });
  const { executor } = result(made);
  result(await developer.registerArtifact({ ...artifact, id: names.artifact }, scope));
  const wanted = { ...request, id: names.development, objective: names.objective };
  result(await developer.request(wanted, scope));
  const report = {
    ...{ executor_profile_digest: executor.profile_digest, outcome: 'failed' },
    ...{ evidence_ref: names.evidence, cost_units: 1, latency_ms: 1, artifact: null },
  };
  const members = { scope, request_id: names.development };
  const action = { type: 'report', report };
  result(await developer.command([names.developmentEvent, 1], action, members));
}

async function experience(t: Fixture, person: Caller): Promise<void> {
  const context_digest = await registerContext(t, 'ctx-1');
  const party = new ExperienceParty(person);
  const begun = { ...attempt, id: names.attempt, reporter_subject_id: names.subject };
  result(await party.register(begun, scope));
  const command = {
    ...{ event_id: names.attemptEvent, expected_revision: 1, context_digest, outcome: 'unknown' },
    ...{ evidence: { reference: names.evidence, sha256: SHA }, cost_units: null, latency_ms: null },
  };
  result(await party.record(command, scope, names.attempt));
}

/** An account with two addresses, a login, a failure, and a lock with a reason. */
async function signIn(t: Fixture, credential_id: string): Promise<void> {
  const { username, email, formerEmail } = names;
  const tenant_id = t.admin.credential.tenant_id;
  const document = { username, password, email: formerEmail, credential_id };
  const { id } = result(await t.admin.call('createUser', { document }));
  result(await t.admin.call('updateUser', { id, document: { email } }));
  const login = { ...version, username, password, tenant_id };
  result(await t.transport('loginTenant', undefined, { document: login }));
  const wrong = { ...login, password: 'Wrong-Horse-7' };
  await t.transport('loginTenant', undefined, { document: wrong });
  const root = { username: 'root', password };
  await createAdmin(t.keep, root);
  const { access_token } = result(await t.transport('authLogin', undefined, { document: root }));
  const lock = { id: username, parameters: { tenant_id }, document: { reason: names.lock } };
  result(await t.transport('lockAccount', access_token, lock));
}

/** Is refused something, which the audit log keeps with the address that it came from. */
async function beRefused({ keep }: Fixture, { token }: Caller): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const parts = { headers, from: names.address };
  const { status } = await send(
    appOf(keep),
    'GET',
    '/api/v1/credentials?contract_version=1',
    parts,
  );
  expect(status).toBe(403);
}

/** Makes the person, with everything that a subject can leave. */
export async function namedPerson(t: Fixture): Promise<void> {
  const subject_id = names.subject;
  const person = await t.agent({ subject_id, capabilities });
  await remember(t, person);
  await learn(t, person);
  await develop(person);
  await experience(t, person);
  await signIn(t, person.id);
  await beRefused(t, person);
  await makeWebhookOf(t, subject_id);
  await agentFor(t.keep, { tenantId: 'acme', subjectId: subject_id, scopes: [scope] });
}
