/** A program that calls every method of an agent, for agents of every kind. */
import type {
  Agent,
  EvaluationContext,
  EvaluationSubmissionInput,
  LearningProposal,
  PolicyDefinition,
  RecordInput,
  ScopeInput,
  ToolArtifactProposalInput,
} from '@agentkeep/core';
import { unknownId } from '@agentkeep/contract-cases/documents';
import { attempt, SHA } from '@agentkeep/contract-cases/experience-fixture';
import {
  context,
  definition,
  proposal,
  submission,
} from '@agentkeep/contract-cases/learning-documents';
import { profile, proposal as artifact, request } from '@agentkeep/contract-cases/tool-fixture';
import { playWebhooks } from './webhook-script.js';

/** The scope of the program. */
export const scriptScope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };

const scope = scriptScope;
const other: ScopeInput = { ...scope, project_id: 'x' };
const PASSWORD = 'Correct-Horse-7';

const recordOf = (primary: string, members: Partial<RecordInput> = {}): RecordInput => ({
  episode_type: 'Observation',
  content: { primary },
  event_time_millis: 0,
  ...members,
});

/** Makes a step and returns what came of it. */
export type Step = <T>(
  name: string,
  work: () => Promise<T> | AsyncIterable<T>,
) => Promise<T | undefined>;

/** Calls every method of an agent that administers its tenant; some calls are refused. */
export async function playAgent(agent: Agent, step: Step): Promise<void> {
  await step('whoAmI', () => agent.whoAmI());
  await playMemory(agent, step);
  await playHistory(agent, step);
  await playFacts(agent, step);
  await playBranches(agent, step);
  await playLearning(agent, step);
  await playTools(agent, step);
  await playExperiences(agent, step);
  await playCredentials(agent, step);
  await playSignIn(agent, step);
  await playAccounts(agent, step);
  await playWebhooks(agent, step);
}

async function playMemory(agent: Agent, step: Step): Promise<void> {
  const memory = agent.memory.in(scope);
  const key = (idempotencyKey: string) => ({ idempotencyKey });
  const made = await step('create', () => memory.create(recordOf('one'), key('k1')));
  const recordId = made?.record_id ?? '';
  await step('replay', () => memory.create(recordOf('one'), key('k1')));
  await step('conflict', () => memory.create(recordOf('other'), key('k1')));
  const target = { recordId, expectedRevision: 1 };
  await step('update', () => memory.update(target, recordOf('two'), key('k2')));
  await step('stale', () => memory.update(target, recordOf('three'), key('k3')));
  await step('put', () => memory.put('name', recordOf('named'), key('k4')));
  await step('read by name', () => memory.read({ name: 'name' }));
  await step('read no name', () => memory.read({ name: 'nothing' }));
  await step('delete by name', () => memory.delete({ name: 'name' }, key('k5')));
  await step('read', () => memory.read(recordId));
  await step('read elsewhere', () => memory.in(other).read(recordId));
  await step('query', () => memory.query({ text_contains: 'tw' }));
  await step('queryPage', () => memory.queryPage({}, { limit: 0 }));
  await step('search', () => memory.search({ text_contains: 'two' }));
  await step('searchPage', () => memory.searchPage({}, { limit: 1 }));
  await step('count', () => memory.count({}, { by: ['type'] }));
  await step('embedded', () => memory.embedded());
  await step('embedMissing', () => memory.embedMissing());
  await step('embedQuery', () => memory.embedQuery('a text'));
  const create = { type: 'create' as const, record: recordOf('many') };
  await step('batch', () => memory.batch([{ scope, operation: create }], key('k6')));
  await step('createMany', () => memory.createMany([recordOf('1'), recordOf('2')], key('k7')));
  await step('unknown option', () => memory.queryPage({ textcontains: 'x' } as object));
  await step('delete', () => memory.delete({ recordId, expectedRevision: 2 }, key('k8')));
  const noted = { name: 'noted', tags: ['t'], at: 0, ...key('k9') };
  await step('remember', () => memory.remember('a text', noted));
  await step('remember in the own scope', () => agent.memory.remember('a text', noted));
  await step('recall', () => memory.recall('a text', { scopes: [scope] }));
  await step('several scopes', () => memory.search({}, { scopes: [scope, other] }));
  await step('no scope', () => agent.memory.queryPage());
}

async function playFacts(agent: Agent, step: Step): Promise<void> {
  const memory = agent.memory.in(scope);
  const old = await step('a fact', () => memory.remember('The sky is green.'));
  const supersedes = [{ record_id: old?.record_id ?? '', revision: 1 }];
  const made = await step('a newer fact', () => memory.remember('It is blue.', { supersedes }));
  const record = await step('the newer fact', () => memory.read(made?.record_id ?? ''));
  if (record === undefined) return;
  await step('superseded', () => memory.superseded(record));
  await step('conflicts', () => memory.conflicts(record));
}

async function playHistory(agent: Agent, step: Step): Promise<void> {
  const { retention } = agent;
  const memory = agent.memory.in(scope);
  const made = await step('first revision', () => memory.put('h', recordOf('old')));
  const recordId = made?.record_id ?? '';
  await step('second revision', () => memory.put('h', recordOf('new')));
  await step('history', () => memory.history(recordId));
  await step('readers', () => memory.readers(recordId));
  await step('readersPage', () => memory.readersPage(recordId, { limit: 1 }));
  await step('historyPage', () => memory.historyPage(recordId, { limit: 1 }));
  await step('restore', () => memory.restore({ recordId, revision: 1, expectedRevision: 2 }));
  await step('redact', () => memory.redact({ recordId, revision: 2 }));
  await step('redact the current one', () => memory.redact({ recordId, revision: 3 }));
  const derived = { derived_from: [{ record_id: recordId, revision: 3 }] };
  await step('derived', () => memory.put('derived', recordOf('from', derived)));
  const erased = await step('delete with dependents', () =>
    memory.delete({ recordId, expectedRevision: 3 }, { dependents: 'cascade' }),
  );
  await step('dependents', () => memory.dependents(erased ?? { record_id: recordId, revision: 1 }));
  await step('changesPage', () => agent.memory.changesPage({ limit: 2 }));
  await step('as of a position', async () => {
    const { changes } = await memory.changesPage({ limit: 1 });
    const asOf = { cursor: changes[0]?.cursor ?? '' };
    const { matches } = await memory.count({}, { asOf });
    return [
      matches,
      await memory.queryPage({}, { asOf }),
      await memory.read({ name: 'h' }, { asOf }),
    ];
  });
  await step('changes', async () => {
    for await (const change of memory.changes()) return change;
    return undefined;
  });
  await step('consumers', async () => {
    const { consumers } = memory;
    const seen: string[] = [];
    for await (const page of consumers.open('c', { holder: 'w' }).pages({ limit: 4 })) {
      seen.push(...page.changes.map(({ action }) => action));
    }
    const [made] = await consumers.list();
    await consumers.delete('c');
    return [seen, made?.name, made?.lease];
  });
  await step('no consumer', () => memory.consumers.delete('c'));
  await step('retention.get', () => retention.get());
  await step('retention.set', () => retention.set({ expectedRevision: 0 }, { deleted_days: 7 }));
  await step('retention.getOf', () => retention.getOf(scope));
  await step('exports', async () => {
    let text = '';
    for await (const each of agent.exports.texts({ type: 'scope', scope })) text += each;
    const content = text.split('\n').slice(1);
    return [content, await agent.exports.import([text], { dryRun: true })];
  });
}

async function playBranches({ branches, memory, proposals }: Agent, step: Step): Promise<void> {
  const made = await step('branches.create', () => branches.create('trial', [scope]));
  const id = made?.id ?? unknownId;
  const trial = memory.in({ ...scope, branch: id });
  await step('a command in a branch', () => trial.put('t', recordOf('tried')));
  await step('branches.get', () => branches.get(id));
  await step('branches.listPage', () => branches.listPage({ limit: 1 }));
  await step('branches.list', () => branches.list());
  const compared = await step('branches.diffPage', () => branches.diffPage(id, { limit: 1 }));
  await step('branches.diff', () => branches.diff(id));
  await step('branches.merge', () => branches.merge(id, { digest: compared?.digest ?? '' }));
  await step('branches.drop', () => branches.drop(id));
  const shared = { ...scope, visibility: 'shared' } as const;
  const operation = { type: 'put', name: 'p', record: recordOf('proposed') } as const;
  const settings = { purpose: 'to try', expiresInSeconds: 60 };
  const waiting = await step('proposals.propose', () =>
    proposals.propose(shared, operation, settings),
  );
  await step('proposals.listPage', () => proposals.listPage({ limit: 1, scope: shared }));
  await step('proposals.list', () => proposals.list({ state: 'proposed' }));
  const proposalId = waiting?.proposal?.id ?? '';
  await step('an own proposal', () => proposals.reject(proposalId, 'No.'));
  const open = await step('another branch', () => branches.create('open', [shared]));
  await step('proposals.submit', () => proposals.submit(open?.id ?? '', { purpose: 'done' }));
  await step('proposals.withdrawAll', () => proposals.withdrawAll('nobody'));
}

async function playLearning({ learning }: Agent, step: Step): Promise<void> {
  const policy = definition() as PolicyDefinition;
  await step('registerPolicy', () => learning.registerPolicy('pol', policy));
  await step('registerPolicy again', () => learning.registerPolicy('pol', policy));
  await step('policy', () => learning.policy('pol'));
  await step('registerContext', () =>
    learning.registerContext('ctx', context() as EvaluationContext),
  );
  await step('context', () => learning.context('ctx'));
  await step('policiesPage', () => learning.policiesPage({ limit: 1 }));
  await step('policies', () => learning.policies());
  await step('contextsPage', () => learning.contextsPage({ limit: 1 }));
  await step('contexts', () => learning.contexts());
  await step('propose', () => learning.propose(scope, proposal() as LearningProposal));
  const trial = submission('case') as EvaluationSubmissionInput;
  await step('evaluate', () => learning.evaluate(scope, 'c1', trial));
  await step('procedure', () => learning.procedure(scope, 'c1'));
  await step('proceduresPage', () => learning.proceduresPage(scope, { limit: 1 }));
  await step('procedures', () => learning.procedures(scope));
  await step('evaluationsPage', () => learning.evaluationsPage(scope, 'c1', { limit: 1 }));
  await step('evaluations', () => learning.evaluations(scope, 'c1'));
  await step('admission', () => learning.admission(scope, 'c1', 'case'));
  const wanted = { policyId: 'pol', contextId: 'ctx', maxInstructionBytes: 100 };
  await step('select', () => learning.select(scope, wanted));
}

async function playTools({ tools }: Agent, step: Step): Promise<void> {
  const tool = artifact as unknown as ToolArtifactProposalInput;
  await step('registerExecutor', () => tools.registerExecutor(profile));
  await step('readExecutor', () => tools.readExecutor('w1'));
  await step('registerArtifact', () => tools.registerArtifact(scope, { ...tool, id: 't0' }));
  await step('readArtifact', () => tools.readArtifact(scope, 't0'));
  await step('artifactsPage', () => tools.artifactsPage(scope, { limit: 1 }));
  await step('artifacts', () => tools.artifacts(scope));
  await step('requestDevelopment', () => tools.requestDevelopment(scope, request));
  await step('developmentsPage', () => tools.developmentsPage(scope, { limit: 1 }));
  await step('developments', () => tools.developments(scope));
  await step('readDevelopment', () => tools.readDevelopment(scope, 'r1'));
  const target = { requestId: 'r1', expectedRevision: 1, eventId: 'e1' };
  const report = { executor_profile_digest: SHA, outcome: 'succeeded', evidence_ref: 'log' };
  await step('report', () => tools.report(scope, target, { ...report, artifact: tool } as never));
  await step('requestCancellation', () => tools.requestCancellation(scope, target, 'enough'));
  await step('developmentEventsPage', () => tools.developmentEventsPage(scope, 'r1', { limit: 1 }));
  await step('developmentEvents', () => tools.developmentEvents(scope, 'r1'));
  await step('readDevelopmentEvent', () => tools.readDevelopmentEvent(scope, 'r1', 'e1'));
}

async function playExperiences({ experiences }: Agent, step: Step): Promise<void> {
  await step('register', () => experiences.register(scope, attempt));
  await step('read attempt', () => experiences.read(scope, 'a1'));
  const command = {
    event_id: 'e1',
    expected_revision: 1,
    context_digest: SHA,
    outcome: 'unknown',
    evidence: { reference: 'log', sha256: SHA },
  } as const;
  await step('listPage of attempts', () => experiences.listPage(scope, { limit: 1 }));
  await step('list of attempts', () => experiences.list(scope));
  await step('observe', () => experiences.observe(scope, 'a1', command));
  await step('readEvent', () => experiences.readEvent(scope, 'a1', 'e1'));
  await step('historyPage of attempt', () => experiences.historyPage(scope, 'a1', { limit: 1 }));
  await step('history of attempt', () => experiences.history(scope, 'a1'));
}

async function playCredentials(agent: Agent, step: Step) {
  const { access, connections, credentials, erasures, issuers, keys, session, subjects } = agent;
  await step('for a subject that is not selected', () => agent.for('ann').whoAmI());
  const issued = await step('issue', () =>
    credentials.issue({ subject_id: 's', capabilities: ['memory_read'], grants: [] }),
  );
  const id = issued?.credential.id ?? '';
  await step('changeScopeAuthority', () =>
    credentials.changeScopeAuthority(id, 1, { grants: [scope] }),
  );
  await step('rotate', () => credentials.rotate(id, 2));
  await step('revoke', () => credentials.revoke(id, 3));
  await step('revoke again', () => credentials.revoke(id, 4));
  await step('inspect', () => credentials.inspect(id));
  await step('history of credential', () => credentials.history(id));
  const key = {
    kty: 'OKP',
    crv: 'Ed25519',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  } as const;
  const keySpec = { subject_id: 'k', capabilities: ['memory_read' as const], grants: [] };
  await step('keyRequirement', () => credentials.keyRequirement());
  await step('setKeyRequirement', () => credentials.setKeyRequirement({ requiresKeys: false }, 0));
  const withKey = await step('issueForKey', () => credentials.issueForKey(keySpec, key));
  await step('replaceKey', () => credentials.replaceKey(withKey?.credential.id ?? id, key, 1));
  const trust = { audience: 'agentkeep', keys: { mode: 'inline' as const, keys: [key] } };
  const rule = { issuer: 'ci', sub: { mode: 'prefix' as const, prefix: 'repo:acme/' } };
  await step('issuers.put', () => issuers.put('ci', trust, 0));
  await step('issuers.get', () => issuers.get('ci'));
  await step('issuers.listPage', () => issuers.listPage({ limit: 1 }));
  await step('issuers.list', () => issuers.list());
  await step('issueFederated', () => credentials.issueFederated(keySpec, rule));
  await step('put subject', () => subjects.put('ann', { is_blocked: true }, 0));
  await step('get subject', () => subjects.get('ann'));
  await step('subjects.pause', () => subjects.pause('ann', 'A look into it.'));
  await step('subjects.resume', () => subjects.resume('ann'));
  await step('subjects.listPage', () => subjects.listPage({ limit: 1 }));
  await step('subjects.list', () => subjects.list());
  const target = { kind: 'subject' as const, subject_id: 'gone' };
  await step('erasures.get', () => erasures.get(id));
  await step('erasures.list', () => erasures.list());
  await step('erasures.start', () => erasures.start(target).then(({ kind }) => kind));
  await step('access.scopes', () => access.scopes());
  await step('access.subjects', () => access.subjects({ limit: 1 }));
  await step('access.holders', () => access.holders(scope, { subjectId: 'ann' }));
  await step('access.reach', () => access.reach({ subjectId: 'alice' }));
  await step('access.reachPage', () => access.reachPage({ spec: keySpec }, { limit: 1 }));
  await step('listPage', () => credentials.listPage({ limit: 1 }));
  await step('list', () => credentials.list());
  await step('keys.create', () => keys.create('k'));
  await step('keys.delete', () => keys.delete(unknownId));
  await step('keys.listPage', () => keys.listPage());
  await step('keys.list', () => keys.list());
  await step('connections.list', () => connections.list());
  await step('connections.end', () => connections.end(unknownId));
  await step('session.refresh', () => session.refresh());
  await step('session.revoke', () => session.revoke('a.b.c'));
  await step('session.revokeAll', () => session.revokeAll(unknownId));
  await step('session.logOut', () => session.logOut());
}

async function playSignIn({ signIn }: Agent, step: Step): Promise<void> {
  const redirectUri = 'https://memory.example.test/back';
  await step('signIn.settings', () => signIn.settings());
  const stated = { allows_passwords: true, issuers: [] };
  await step('signIn.putSettings', () => signIn.putSettings(stated, 0));
  await step('signIn.methods', () => signIn.methods());
  await step('signIn.begin', () => signIn.begin({ issuer: 'staff', redirectUri }));
  await step('signIn.complete', () => signIn.complete('none', 'code=x'));
}

async function playAccounts({ users, lockouts, loginAccounts, audit }: Agent, step: Step) {
  const ann = await step('users.create', () =>
    users.create({ username: 'ann', password: PASSWORD }),
  );
  const id = ann?.id ?? '';
  await step('users.create again', () => users.create({ username: 'ann', password: PASSWORD }));
  await step('users.create weak', () => users.create({ username: 'bob', password: 'x' }));
  await step('users.get', () => users.get(id));
  await step('users.update', () => users.update(id, { email: 'ann@example.test' }));
  await step('users.setRoles', () => users.setRoles(id, ['Read']));
  await step('users.resetPassword', () => users.resetPassword(id, 'Fresh-Zebra-42'));
  await step('users.changeOwnPassword', () => users.changeOwnPassword('x', PASSWORD));
  await step('users.keysPage', () => users.keysPage(id));
  await step('users.keys', () => users.keys(id));
  await step('users.revokeKey', () => users.revokeKey(id, unknownId));
  await step('users.sessions', () => users.sessions(id));
  await step('users.endSession', () => users.endSession(id, unknownId));
  await step('users.putLinks', () => users.putLinks(id, []));
  await step('users.links', () => users.links(id));
  await step('users.listPage', () => users.listPage({ limit: 1 }));
  await step('users.list', () => users.list());
  const invited = await step('users.invite', async () => {
    const { invitation } = await users.invite({
      username: 'guest',
      role: 'reader',
      scopes: [scope],
    });
    return invitation.user;
  });
  await step('users.invitations', () => users.invitations());
  await step('users.revokeInvitation', () => users.revokeInvitation(invited?.id ?? ''));
  await step('users.createResetLink', () => users.createResetLink(id, { validHours: 1 }));
  await step('users.acceptInvitation', () => users.acceptInvitation('aki1_x', PASSWORD));
  await step('users.delete', () => users.delete(id));
  await step('lockouts.lock', () => lockouts.lock('eve', { reason: 'guessing' }));
  await step('lockouts.get', () => lockouts.get('eve'));
  await step('lockouts.listPage', () => lockouts.listPage());
  await step('lockouts.list', () => lockouts.list());
  await step('lockouts.unlock', () => lockouts.unlock('eve'));
  await step('lockouts.unlock again', () => lockouts.unlock('eve'));
  await step('loginAccounts.create', () =>
    loginAccounts.create({ username: 'cat', password: PASSWORD, credentialId: unknownId }),
  );
  await step('loginAccounts.inspect', () => loginAccounts.inspect(id));
  await step('loginAccounts.history', () => loginAccounts.history(id));
  await step('loginAccounts.changePassword', () => loginAccounts.changePassword(id, 9, PASSWORD));
  await step('loginAccounts.disable', () => loginAccounts.disable(id, 9));
  await step('loginAccounts.listPage', () => loginAccounts.listPage());
  await step('loginAccounts.list', () => loginAccounts.list());
  await step('audit.queryPage', async () => {
    const { events } = await audit.queryPage({ eventType: 'user_updated' });
    return events.map(({ event_type, result }) => [event_type, result]);
  });
  await step('audit.query', async () => {
    for await (const { event_type } of audit.query({ limit: 1 })) return typeof event_type;
    return undefined;
  });
  await step('audit.verify', async () => {
    const { status, tenant_id, broken } = await audit.verify();
    return [status, tenant_id, broken];
  });
}
