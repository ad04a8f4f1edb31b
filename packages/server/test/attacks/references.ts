/**
 * Every operation that names an object, with an existing and a missing one: others must not be able
 * to tell them apart.
 */
import type { OperationName } from '@agentkeep/core';
import { createAdmin } from '@agentkeep/core/operator';
import { type Parts, result } from '@agentkeep/contract-cases/answer';
import type { Caller, Members } from '@agentkeep/contract-cases/caller';
import {
  minimalRecord,
  minimalSpec,
  sharedScope,
  unknownId,
} from '@agentkeep/contract-cases/documents';
import { attempt, attempted, SHA } from '@agentkeep/contract-cases/experience-fixture';
import type { Fixture } from '@agentkeep/contract-cases/fixture';
import { proposal, submission } from '@agentkeep/contract-cases/learning-documents';
import { openClass } from '@agentkeep/contract-cases/learning-fixture';
import { PASSWORD, Party } from '@agentkeep/contract-cases/user-fixture';
import { workshop } from '@agentkeep/contract-cases/tool-fixture';
import type { Make, Owned, Reference, Trier } from './reference.js';
import { webhookOf, webhookReferences } from './webhook-references.js';

/** Ids of nothing. */
export const missing: Readonly<Record<'uuid' | 'text', string>> = {
  uuid: unknownId,
  text: 'absent',
};

/** Makes one object of each kind in the tenant of a fixture. */
export async function ownedBy(t: Fixture): Promise<Owned> {
  const { author, judge } = await openClass(t);
  result(await author.propose());
  result(await judge.evaluate(submission('case')));
  const shop = await workshop(t);
  result(await shop.developer.request());
  result(await shop.report(['e1', 1]));
  const { observe } = await observed(t);
  await observe();
  const writer = await t.agent();
  const made = { username: 'ann', password: PASSWORD, tenantId: 'acme', role: 'Admin' } as const;
  const account = await createAdmin(t.keep, { ...made, credentialId: t.admin.id });
  const ann = await loggedIn(t, 'ann', 'acme');
  const document = { name: 'k' };
  const key = result(await ann.call('createApiKey', { document }));
  return {
    record: await writer.created(sharedScope),
    name: await namedBy(writer),
    procedure: 'c1',
    evaluation: 'case',
    policy: 'pol',
    context: 'ctx',
    executor: 'w1',
    artifact: 't1',
    development: 'r1',
    developmentEvent: 'e1',
    attempt: 'a1',
    observation: 'o1',
    credential: writer.id,
    account: account.id,
    key: key.id,
    username: 'ann',
    webhook: await webhookOf(t),
  };
}

async function namedBy(writer: Caller): Promise<string> {
  const name = 'users/ann';
  result(await writer.put(sharedScope, name));
  return name;
}

async function observed(t: Fixture): Promise<{ observe: () => Promise<unknown> }> {
  const at = await attempted(t);
  return { observe: async () => result(await at.observe('o1', 1)) };
}

/** Logs an account of the fixture in. */
export async function loggedIn(t: Fixture, username: string, tenant_id: string): Promise<Party> {
  const document = { username, password: PASSWORD, tenant_id };
  const login = result(await t.transport('authLogin', undefined, { document }));
  return new Party(t.transport, login.access_token, login.user_id);
}

const version = { contract_version: 1 };
const revision = { ...version, expected_revision: 1 };
const password = 'Correct-Horse-7';
const asPart =
  (document?: Members) =>
  (id: string): Parts => ({ id, ...(document === undefined ? {} : { document }) });

/** A time after all changes. */
const LATE = Date.UTC(9_999, 0, 1);

let keys = 0;

/** Returns the table, with the scope of the scoped calls. */
export function referencesIn(place: Members): Reference[] {
  const at = { ...version, scope: place };
  const scoped = (
    operation: OperationName,
    of: keyof Owned,
    members: (id: string) => Members,
  ): Reference => ({
    operation,
    by: 'agent',
    isScoped: true,
    of,
    parts: (id) => ({ document: { ...at, ...members(id) } }),
  });
  return [...memoryReferences(place), ...scopedReferences(scoped), ...tenantReferences(at)];
}

function memoryReferences(place: Members): Reference[] {
  const keyed = (members: Members): Parts => {
    keys += 1;
    return { document: { ...version, idempotency_key: `reference ${String(keys)}`, ...members } };
  };
  const command = (operation: Members): Parts => keyed({ scope: place, operation });
  const batch = (operation: Members): Parts => keyed({ commands: [{ scope: place, operation }] });
  const entry = { by: 'agent', isScoped: true, of: 'record' } as const;
  const target = { expected_revision: 1 };
  return [
    {
      ...entry,
      operation: 'readMemoryRecord',
      parts: (id) => ({ id, parameters: { ...version, ...place } }),
    },
    {
      ...entry,
      operation: 'executeMemoryCommand',
      parts: (record_id) =>
        command({ type: 'update', record_id, ...target, record: minimalRecord }),
    },
    {
      ...entry,
      operation: 'executeMemoryCommand',
      parts: (record_id) => command({ type: 'delete', record_id, ...target }),
    },
    ...historyReferences(place, command),
    {
      ...entry,
      of: 'name',
      operation: 'readNamedRecord',
      parts: (name) => ({ parameters: { ...version, ...place, name } }),
    },
    {
      ...entry,
      of: 'name',
      operation: 'executeMemoryCommand',
      parts: (name) => command({ type: 'put', name, ...target, record: minimalRecord }),
    },
    {
      ...entry,
      of: 'name',
      operation: 'executeMemoryCommand',
      parts: (name) => command({ type: 'remove', name, ...target }),
    },
    {
      ...entry,
      operation: 'executeMemoryBatch',
      parts: (record_id) => batch({ type: 'update', record_id, ...target, record: minimalRecord }),
    },
    {
      ...entry,
      operation: 'attachEmbeddings',
      parts: (record_id) => ({
        document: {
          ...version,
          scope: place,
          embeddings: [{ record_id, revision: 1, values: [1] }],
        },
      }),
    },
    {
      ...entry,
      of: 'name',
      operation: 'executeMemoryBatch',
      parts: (name) => batch({ type: 'remove', name, ...target }),
    },
  ];
}

function historyReferences(place: Members, command: (operation: Members) => Parts): Reference[] {
  const entry = { by: 'agent', isScoped: true, of: 'record' } as const;
  const target = { expected_revision: 1 };
  return [
    {
      ...entry,
      operation: 'readMemoryRecord',
      parts: (id) => ({ id, parameters: { ...version, ...place, revision: 1 } }),
    },
    {
      ...entry,
      operation: 'readMemoryRecord',
      parts: (id) => ({ id, parameters: { ...version, ...place, as_of_millis: LATE } }),
    },
    {
      ...entry,
      operation: 'listMemoryRevisions',
      parts: (id) => ({ id, parameters: { ...version, ...place } }),
    },
    {
      ...entry,
      operation: 'executeMemoryCommand',
      parts: (record_id) => command({ type: 'restore', record_id, revision: 1, ...target }),
    },
    {
      ...entry,
      operation: 'executeMemoryCommand',
      parts: (record_id) => command({ type: 'redact', record_id, revision: 1 }),
    },
  ];
}

function scopedReferences(
  scoped: (
    operation: OperationName,
    of: keyof Owned,
    members: (id: string) => Members,
  ) => Reference,
): Reference[] {
  const observation = {
    event_id: 'o2',
    expected_revision: 2,
    context_digest: SHA,
    outcome: 'unknown',
    evidence: { reference: 'log', sha256: SHA },
  };
  const cancellation = {
    event_id: 'e2',
    expected_revision: 2,
    action: { type: 'request_cancellation', reason: 'stop' },
  };
  return [
    scoped('readProcedure', 'procedure', (procedure_id) => ({ procedure_id })),
    scoped('admitEvaluation', 'procedure', (procedure_id) => ({
      procedure_id,
      submission: submission('case'),
    })),
    scoped('readEvaluationAdmission', 'procedure', (procedure_id) => ({
      procedure_id,
      case_id: 'case',
    })),
    scoped('readEvaluationAdmission', 'evaluation', (case_id) => ({ procedure_id: 'c1', case_id })),
    scoped('readToolArtifact', 'artifact', (artifact_id) => ({ artifact_id })),
    scoped('readToolDevelopment', 'development', (request_id) => ({ request_id })),
    scoped('readToolDevelopmentEvent', 'development', (request_id) => ({
      request_id,
      event_id: 'e1',
    })),
    scoped('readToolDevelopmentEvent', 'developmentEvent', (event_id) => ({
      request_id: 'r1',
      event_id,
    })),
    scoped('recordToolDevelopmentEvent', 'development', (request_id) => ({
      request_id,
      command: cancellation,
    })),
    scoped('readExperience', 'attempt', (attempt_id) => ({ attempt_id })),
    scoped('readExperienceEvent', 'observation', (event_id) => ({ attempt_id: 'a1', event_id })),
    scoped('readExperienceHistory', 'attempt', (attempt_id) => ({
      attempt_id,
      query: { limit: 1 },
    })),
    scoped('recordExperienceEvent', 'attempt', (attempt_id) => ({
      attempt_id,
      command: observation,
    })),
    scoped('registerExperience', 'attempt', (attempt_id) => ({
      request: {
        ...attempt,
        id: 'a2',
        reporter_subject_id: 'mallory',
        parent: { attempt_id, event_id: 'o1' },
      },
    })),
  ];
}

function tenantReferences(at: Members): Reference[] {
  const of =
    (by: Trier) =>
    (operation: OperationName, owned: keyof Owned, parts: Reference['parts']): Reference => ({
      operation,
      by,
      isScoped: false,
      of: owned,
      parts,
    });
  return [
    ...agentReferences(of('agent'), at),
    ...adminReferences(of('admin')),
    ...personReferences(of('person')),
  ];
}

function agentReferences(make: Make, at: Members): Reference[] {
  return [
    make('getLearningPolicy', 'policy', asPart()),
    make('getLearningContext', 'context', asPart()),
    make('readToolExecutor', 'executor', asPart()),
    make('proposeProcedure', 'policy', (policy_id) => ({
      document: { ...at, proposal: proposal({ id: 'c9', policy_id }) },
    })),
    make('selectProcedure', 'policy', (policy_id) => ({
      document: { ...at, policy_id, context_id: 'ctx', max_instruction_bytes: 9 },
    })),
    make('requestToolDevelopment', 'executor', (executor_id) => ({
      document: { ...at, request: { id: 'r9', executor_id, objective: 'Take it.' } },
    })),
    make('registerExperience', 'context', (context_id) => ({
      document: {
        ...at,
        request: { ...attempt, id: 'a9', context_id, reporter_subject_id: 'mallory' },
      },
    })),
  ];
}

function adminReferences(make: Make): Reference[] {
  const authority = { grants: [] };
  const account = { ...version, username: 'new', password };
  return [
    make('inspectCredential', 'credential', asPart()),
    make('rotateCredential', 'credential', asPart(revision)),
    make('revokeCredential', 'credential', asPart(revision)),
    make('changeScopeAuthority', 'credential', asPart({ ...revision, authority })),
    make('createTenantLoginAccount', 'credential', (credential_id) => ({
      document: { ...account, credential_id },
    })),
    make('createUser', 'credential', (credential_id) => ({
      document: { username: 'new', password, credential_id },
    })),
    make('inspectTenantLoginAccount', 'account', asPart()),
    make('changePasswordTenantLoginAccount', 'account', asPart({ ...revision, password })),
    make('disableTenantLoginAccount', 'account', asPart(revision)),
    ...webhookReferences(make),
  ];
}

function personReferences(make: Make): Reference[] {
  return [
    make('getUser', 'account', asPart()),
    make('updateUser', 'account', asPart({ is_active: false })),
    make('deleteUser', 'account', asPart()),
    make('setUserRoles', 'account', asPart({ roles: [] })),
    make('resetPassword', 'account', asPart({ new_password: password })),
    make('listUserApiKeys', 'account', asPart()),
    make('revokeUserApiKey', 'account', asPart({ key_id: missing.uuid })),
    make('revokeAllTokens', 'account', (user_id) => ({ document: { user_id } })),
    make('deleteApiKey', 'key', asPart()),
    make('deleteApiKeyAlias', 'key', asPart()),
    make('getLockout', 'username', asPart()),
    make('unlockAccount', 'username', asPart()),
  ];
}

/** The smallest spec of the intruders' credentials. */
export const intruderSpec = { ...minimalSpec, subject_id: 'mallory' } as const;
