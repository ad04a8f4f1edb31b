/**
 * Every operation that names an object, with an existing and a missing one: others must not be able
 * to tell them apart.
 */
import type { OperationName } from '@agentkeep/core';
import { createAdmin } from '@agentkeep/core/operator';
import { callOn, type Resources } from '@agentkeep/testkit/calls-on';
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
import { submission } from '@agentkeep/contract-cases/learning-documents';
import { openClass } from '@agentkeep/contract-cases/learning-fixture';
import { PASSWORD, Party } from '@agentkeep/contract-cases/user-fixture';
import { workshop } from '@agentkeep/contract-cases/tool-fixture';
import { everyName, operationOf } from './every-call.js';
import type { Owned, Reference, Trier } from './reference.js';
import { webhookOf } from './webhook-calls.js';

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
  const { sessions } = result(await ann.call('listUserSessions', { id: ann.id }));
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
    session: sessions[0]?.session_id ?? '',
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

/** A time after all changes. */
const LATE = Date.UTC(9_999, 0, 1);

let keys = 0;

/** Returns the table, with the scope of the scoped calls. */
export function referencesIn(place: Members): Reference[] {
  const byHand = [...memoryReferences(place), ...fittedReferences({ ...version, scope: place })];
  return [...byHand, ...statedReferences(place, byHand)];
}

/** Texts that stand for the ids in a call, to find which of them it names. */
const marks: Owned = {
  record: '<record>',
  name: '<name>',
  procedure: '<procedure>',
  evaluation: '<evaluation>',
  policy: '<policy>',
  context: '<context>',
  executor: '<executor>',
  artifact: '<artifact>',
  development: '<development>',
  developmentEvent: '<developmentEvent>',
  attempt: '<attempt>',
  observation: '<observation>',
  credential: '<credential>',
  account: '<account>',
  key: '<key>',
  session: '<session>',
  username: '<username>',
  webhook: '<webhook>',
};
const ownedNames = Object.keys(marks) as (keyof Owned)[];

/** Resources that belong to the whole tenant; all others are in a scope. */
const ofTenant: ReadonlySet<keyof Owned> = new Set([
  ...(['policy', 'context', 'executor', 'credential'] as const),
  ...(['account', 'key', 'session', 'username'] as const),
  'webhook',
]);

/** The resources of a tenant, as the rows of operations name their kinds and members. */
export function resourcesOf(owned: Owned, scope: Members): Resources {
  const { procedure, policy, context, development, attempt: attemptId } = owned;
  const revision = 1;
  return {
    record: { id: owned.record, scope, revision },
    'named record': { id: owned.name, scope, revision },
    procedure: { id: procedure, scope, policy, context },
    case: { id: owned.evaluation, scope, procedure },
    policy: { id: policy },
    context: { id: context },
    executor: { id: owned.executor },
    artifact: { id: owned.artifact, scope },
    development: { id: development, scope },
    'tool event': { id: owned.developmentEvent, scope, request: development },
    attempt: { id: attemptId, scope },
    'experience event': { id: owned.observation, scope, attempt: attemptId },
    credential: { id: owned.credential, revision },
    account: { id: owned.account, revision },
    user: { id: owned.account },
    'API key': { id: owned.key },
    session: { id: owned.session },
    name: { username: owned.username },
    webhook: { id: owned.webhook, revision },
  };
}

/** Ids that the fixture chooses; other resources of the same call stay missing ones. */
const known: Partial<Owned> = {
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
};

/** Names of anybody are locked, whether or not they have an account. */
const OF_ANYBODY: OperationName = 'lockAccount';

/** Returns the references that the rows of operations state. */
function statedReferences(place: Members, others: readonly Reference[]): Reference[] {
  const byHand = new Set([OF_ANYBODY, ...others.map(({ operation }) => operation)]);
  return everyName.flatMap((operation) => {
    const by = trierOf(operation);
    if (by === undefined || byHand.has(operation)) return [];
    const marked = JSON.stringify(callOn(operation, place, resourcesOf(marks, place)));
    const named = ownedNames.filter((of) => marked.includes(marks[of]));
    return named.map((of) => ({
      operation,
      by,
      isScoped: !ofTenant.has(of),
      of,
      parts: (id: string): Parts => {
        const idOf = (each: keyof Owned) => (each === of ? id : (known[each] ?? missing.uuid));
        const text = named.reduce((left, each) => left.replaceAll(marks[each], idOf(each)), marked);
        return JSON.parse(text) as Parts;
      },
    }));
  });
}

/** Returns the caller to try an operation with; none for those of the installation. */
function trierOf(name: OperationName): Trier | undefined {
  const operation = operationOf(name);
  if (operation.kind === 'account') return 'person';
  if (operation.kind !== 'tenant') return undefined;
  return [operation.requires.capability].flat().includes('credential_admin') ? 'admin' : 'agent';
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

/** Calls whose document must fit the resource or the caller in more than the rows say. */
function fittedReferences(at: Members): Reference[] {
  const scoped = (
    operation: OperationName,
    of: keyof Owned,
    members: (id: string) => Members,
  ): Reference => ({
    operation,
    by: 'agent',
    isScoped: !ofTenant.has(of),
    of,
    parts: (id) => ({ document: { ...at, ...members(id) } }),
  });
  const command = { event_id: 'e2', expected_revision: 2 };
  const asked = { ...attempt, reporter_subject_id: 'mallory' };
  return [
    scoped('admitEvaluation', 'procedure', (procedure_id) => ({
      procedure_id,
      submission: submission('case'),
    })),
    scoped('recordToolDevelopmentEvent', 'development', (request_id) => ({
      request_id,
      command: { ...command, action: { type: 'request_cancellation', reason: 'stop' } },
    })),
    scoped('recordExperienceEvent', 'attempt', (attempt_id) => ({
      attempt_id,
      command: {
        ...command,
        context_digest: SHA,
        outcome: 'unknown',
        evidence: { reference: 'log', sha256: SHA },
      },
    })),
    scoped('registerExperience', 'attempt', (attempt_id) => ({
      request: { ...asked, id: 'a2', parent: { attempt_id, event_id: 'o1' } },
    })),
    scoped('registerExperience', 'context', (context_id) => ({
      request: { ...asked, id: 'a9', context_id },
    })),
    {
      operation: 'createUser',
      by: 'admin',
      isScoped: false,
      of: 'credential',
      parts: (credential_id) => ({
        document: { username: 'new', password: PASSWORD, credential_id },
      }),
    },
    scoped('selectProcedure', 'policy', (policy_id) => ({
      policy_id,
      context_id: 'ctx',
      max_instruction_bytes: 9,
    })),
  ];
}

/** The smallest spec of the intruders' credentials. */
export const intruderSpec = { ...minimalSpec, subject_id: 'mallory' } as const;
