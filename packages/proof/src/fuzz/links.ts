/** The links between operations, as data. */
import { end, lesson, type Lesson, type Links, use, type Use } from './link.js';

/** Returns the use of a resource that the path names and whose revision the document expects. */
const changed = (kind: string): Use =>
  use(kind, { 'path.id': 'id', 'document.expected_revision': 'revision' });
const revised = (kind: string, member: string): Lesson =>
  lesson(kind, `answer.${member}.id`, { revision: `answer.${member}.revision` });
const scoped = { scope: 'document.scope' };
const inScope = { 'document.scope': 'scope' };

const record = lesson('record', 'answer.receipt.record_id', {
  ...scoped,
  revision: 'answer.receipt.revision',
});
const namedRecord = lesson('named record', 'document.operation.name', {
  ...scoped,
  revision: 'answer.receipt.revision',
});
const cursor = (list: string, page = 'answer'): Links => ({
  uses: [use(`cursor of ${list}`, { 'query.cursor': 'id' })],
  teaches: [lesson(`cursor of ${list}`, `${page}.next_cursor`)],
});
const credential = revised('credential', 'credential');
const globalCredential = revised('global credential', 'credential');
const account = revised('account', 'account');
const loginMembers = {
  username: 'document.username',
  password: 'document.password',
  tenant_id: 'document.tenant_id',
};
const newLogin = { ...loginMembers, tenant_id: 'own.tenant_id' };
const tokens = [
  lesson('token', 'answer.access_token'),
  lesson('refresh token', 'answer.refresh_token'),
];
const login = (): Links => ({
  uses: [
    use('login', {
      'document.username': 'username',
      'document.password': 'password',
      'document.tenant_id!': 'tenant_id',
    }),
  ],
  teaches: tokens,
});
const apiKey: Links = { teaches: [lesson('API key', 'answer.id')] };
const apiKeyEnd: Links = {
  uses: [use('API key', { 'path.key_id': 'id' })],
  teaches: [end('API key', 'path.key_id')],
};
const user = (member: string): Use => use('user', { [member]: 'id' });
const lockedName = use('name', { 'path.username': 'username' });
const development = { 'document.request_id': 'id', ...inScope };
const attempt = { 'document.attempt_id': 'id', ...inScope };
/** Links of the pages of a history, whose cursors belong to one resource. */
const historyOf = (kind: string, links: Links): Links => ({
  uses: [
    ...(links.uses ?? []),
    use(`cursor of a ${kind}`, { 'path.id': 'owner', 'query.cursor': 'id' }),
  ],
  teaches: [
    ...(links.teaches ?? []),
    lesson(`cursor of a ${kind}`, 'answer.next_cursor', { owner: 'path.id' }),
  ],
});
const newAccount: Links = {
  uses: [use('credential', { 'document.credential_id': 'id' })],
  teaches: [
    lesson('account', 'answer.account.id', { ...newLogin, revision: 'answer.account.revision' }),
    lesson('login', 'answer.account.id', newLogin),
  ],
};

/** The links by operation. Requests to other operations follow their schemas only. */
export const links: Readonly<Record<string, Links>> = {
  issueCredential: { teaches: [credential] },
  inspectCredential: historyOf('credential', {
    uses: [use('credential', { 'path.id': 'id' })],
    teaches: [credential],
  }),
  rotateCredential: { uses: [changed('credential')], teaches: [credential] },
  revokeCredential: { uses: [changed('credential')], teaches: [end('credential', 'path.id')] },
  changeScopeAuthority: { uses: [changed('credential')], teaches: [credential] },
  listTenantCredentials: cursor('credentials', 'answer.page'),
  issueGlobalCredential: { teaches: [globalCredential] },
  inspectGlobalCredential: historyOf('global credential', {
    uses: [use('global credential', { 'path.id': 'id' })],
    teaches: [globalCredential],
  }),
  rotateGlobalCredential: { uses: [changed('global credential')], teaches: [globalCredential] },
  revokeGlobalCredential: {
    uses: [changed('global credential')],
    teaches: [end('global credential', 'path.id')],
  },
  listGlobalCredentials: cursor('global credentials', 'answer.page'),
  registerTenant: { teaches: [lesson('tenant', 'answer.tenant.tenant_id')] },
  inspectTenant: { uses: [use('tenant', { 'path.tenant': 'id' })] },
  issueTenantAdmin: { uses: [use('tenant', { 'path.tenant': 'id' })] },
  getStorageQuota: { uses: [use('tenant', { 'path.tenant': 'id' })] },
  setStorageQuota: { uses: [use('tenant', { 'path.tenant': 'id' })] },
  listTenants: cursor('tenants', 'answer.page'),
  executeMemoryCommand: {
    uses: [
      use('record', {
        ...inScope,
        'document.operation.record_id': 'id',
        'document.operation.expected_revision': 'revision',
      }),
      use('named record', {
        ...inScope,
        'document.operation.name': 'id',
        'document.operation.expected_revision': 'revision',
      }),
    ],
    teaches: [record, namedRecord],
  },
  executeMemoryBatch: {
    uses: [
      use('record', {
        'document.commands.0.scope': 'scope',
        'document.commands.0.operation.record_id': 'id',
        'document.commands.0.operation.expected_revision': 'revision',
      }),
      use('named record', {
        'document.commands.0.scope': 'scope',
        'document.commands.0.operation.name': 'id',
      }),
    ],
    teaches: [
      lesson('record', 'answer.receipt.outcomes.0.record_id', {
        scope: 'document.commands.0.scope',
        revision: 'answer.receipt.outcomes.0.revision',
      }),
    ],
  },
  readMemoryRecord: {
    uses: [
      use('record', {
        'path.id': 'id',
        'query.project_id': 'scope.project_id',
        'query.mission_id!': 'scope.mission_id',
        'query.agent_id': 'scope.agent_id',
        'query.visibility': 'scope.visibility',
      }),
    ],
  },
  readNamedRecord: {
    uses: [
      use('named record', {
        'query.name': 'id',
        'query.project_id': 'scope.project_id',
        'query.mission_id!': 'scope.mission_id',
        'query.agent_id': 'scope.agent_id',
        'query.visibility': 'scope.visibility',
      }),
    ],
  },
  queryMemory: { uses: [use('record', { ...inScope, 'document.filter.after': 'id' })] },
  createUser: {
    uses: [use('credential', { 'document.credential_id': 'id' })],
    teaches: [
      lesson('user', 'answer.id', newLogin),
      lesson('login', 'answer.id', newLogin),
      lesson('name', 'answer.id', newLogin),
    ],
  },
  getUser: { uses: [user('path.id')] },
  updateUser: {
    uses: [user('path.id')],
    teaches: [lesson('login', 'answer.id', { password: 'document.password' })],
  },
  deleteUser: {
    uses: [user('path.id')],
    teaches: [end('user', 'path.id'), end('login', 'path.id')],
  },
  setUserRoles: { uses: [user('path.id')] },
  resetPassword: {
    uses: [user('path.user_id')],
    teaches: [lesson('login', 'path.user_id', { password: 'document.new_password' })],
  },
  listUserApiKeys: { ...cursor('keys'), uses: [user('path.id')] },
  revokeUserApiKey: {
    uses: [user('path.id'), use('API key', { 'document.key_id': 'id' })],
    teaches: [end('API key', 'document.key_id')],
  },
  revokeAllTokens: { uses: [user('document.user_id')] },
  listUsers: cursor('users'),
  createTenantLoginAccount: newAccount,
  createGlobalLoginAccount: {
    ...newAccount,
    uses: [use('global credential', { 'document.credential_id': 'id' })],
  },
  inspectTenantLoginAccount: historyOf('account', { uses: [use('account', { 'path.id': 'id' })] }),
  inspectGlobalLoginAccount: historyOf('account', { uses: [use('account', { 'path.id': 'id' })] }),
  changePasswordTenantLoginAccount: { uses: [changed('account')], teaches: [account] },
  changePasswordGlobalLoginAccount: { uses: [changed('account')], teaches: [account] },
  disableTenantLoginAccount: { uses: [changed('account')], teaches: [end('account', 'path.id')] },
  disableGlobalLoginAccount: { uses: [changed('account')], teaches: [end('account', 'path.id')] },
  listTenantLoginAccounts: cursor('accounts', 'answer.page'),
  listGlobalLoginAccounts: cursor('global accounts', 'answer.page'),
  registerLearningPolicy: { teaches: [lesson('policy', 'document.id')] },
  getLearningPolicy: { uses: [use('policy', { 'path.id': 'id' })] },
  registerLearningContext: {
    teaches: [lesson('context', 'document.id', { digest: 'answer.entry.payload_digest' })],
  },
  getLearningContext: { uses: [use('context', { 'path.id': 'id' })] },
  proposeProcedure: {
    uses: [
      use('policy', { 'document.proposal.policy_id': 'id' }),
      use('context', { 'document.proposal.context_id': 'id' }),
    ],
    teaches: [
      lesson('procedure', 'document.proposal.id', {
        ...scoped,
        policy: 'document.proposal.policy_id',
        context: 'document.proposal.context_id',
      }),
    ],
  },
  readProcedure: { uses: [use('procedure', { 'document.procedure_id': 'id', ...inScope })] },
  admitEvaluation: {
    uses: [
      use('procedure', {
        ...inScope,
        'document.procedure_id': 'id',
        'document.submission.policy_id': 'policy',
        'document.submission.context_id': 'context',
      }),
    ],
    teaches: [
      lesson('case', 'document.submission.case_id', {
        ...scoped,
        procedure: 'document.procedure_id',
      }),
    ],
  },
  readEvaluationAdmission: {
    uses: [
      use('case', { ...inScope, 'document.case_id': 'id', 'document.procedure_id': 'procedure' }),
    ],
  },
  selectProcedure: {
    uses: [
      use('procedure', {
        ...inScope,
        'document.policy_id': 'policy',
        'document.context_id': 'context',
      }),
    ],
  },
  registerToolExecutor: {
    teaches: [
      lesson('executor', 'document.profile.id', { digest: 'answer.executor.profile_digest' }),
    ],
  },
  readToolExecutor: { uses: [use('executor', { 'path.id': 'id' })] },
  registerToolArtifact: { teaches: [lesson('artifact', 'document.artifact.id', scoped)] },
  readToolArtifact: { uses: [use('artifact', { 'document.artifact_id': 'id', ...inScope })] },
  requestToolDevelopment: {
    uses: [use('executor', { 'document.request.executor_id': 'id' })],
    teaches: [
      lesson('development', 'document.request.id', {
        ...scoped,
        digest: 'answer.receipt.executor_profile_digest',
        revision: 'own.one',
      }),
    ],
  },
  readToolDevelopment: {
    uses: [use('development', development)],
    teaches: [
      lesson('development', 'document.request_id', { revision: 'answer.development.revision' }),
    ],
  },
  recordToolDevelopmentEvent: {
    uses: [
      use('development', {
        ...development,
        'document.command.expected_revision': 'revision',
        'document.command.action.report.executor_profile_digest': 'digest',
      }),
    ],
    teaches: [
      lesson('development', 'document.request_id', { revision: 'answer.event.record.revision' }),
      lesson('tool event', 'document.command.event_id', {
        ...scoped,
        request: 'document.request_id',
      }),
    ],
  },
  readToolDevelopmentEvent: {
    uses: [
      use('tool event', {
        ...inScope,
        'document.event_id': 'id',
        'document.request_id': 'request',
      }),
    ],
  },
  registerExperience: {
    uses: [use('context', { 'document.request.context_id': 'id' })],
    teaches: [
      lesson('attempt', 'document.request.id', {
        ...scoped,
        digest: 'answer.receipt.context_digest',
        receipt: 'answer.receipt.receipt_digest',
        revision: 'own.one',
      }),
    ],
  },
  readExperience: {
    uses: [use('attempt', attempt)],
    teaches: [lesson('attempt', 'document.attempt_id', { revision: 'answer.experience.revision' })],
  },
  recordExperienceEvent: {
    uses: [
      use('attempt', {
        ...attempt,
        'document.command.expected_revision': 'revision',
        'document.command.context_digest': 'digest',
      }),
    ],
    teaches: [
      lesson('attempt', 'document.attempt_id', { revision: 'answer.event.record.revision' }),
      lesson('experience event', 'document.command.event_id', {
        ...scoped,
        attempt: 'document.attempt_id',
      }),
    ],
  },
  readExperienceEvent: {
    uses: [
      use('experience event', {
        ...inScope,
        'document.event_id': 'id',
        'document.attempt_id': 'attempt',
      }),
    ],
  },
  readExperienceHistory: {
    uses: [
      use('attempt', attempt),
      use('history cursor', {
        ...inScope,
        'document.attempt_id': 'attempt',
        'document.query.cursor': 'cursor',
      }),
    ],
    teaches: [
      lesson('history cursor', 'answer.page.next_cursor.after_event_id', {
        ...scoped,
        attempt: 'document.attempt_id',
        cursor: 'answer.page.next_cursor',
      }),
    ],
  },
  authLogin: login(),
  loginTenant: login(),
  loginGlobal: login(),
  authRefresh: {
    uses: [use('refresh token', { 'document.refresh_token': 'id' })],
    teaches: tokens,
  },
  revokeToken: { uses: [use('token', { 'document.token': 'id' })] },
  createApiKey: apiKey,
  createApiKeyAlias: apiKey,
  deleteApiKey: apiKeyEnd,
  deleteApiKeyAlias: apiKeyEnd,
  listApiKeys: cursor('keys'),
  listApiKeysAlias: cursor('keys'),
  createRateLimit: { teaches: [lesson('rate limit', 'answer.id')] },
  getRateLimit: { uses: [use('rate limit', { 'path.policy_id': 'id' })] },
  updateRateLimit: { uses: [use('rate limit', { 'path.policy_id': 'id' })] },
  deleteRateLimit: {
    uses: [use('rate limit', { 'path.policy_id': 'id' })],
    teaches: [end('rate limit', 'path.policy_id')],
  },
  listRateLimits: cursor('rate limits'),
  getLockout: { uses: [lockedName] },
  lockAccount: { uses: [lockedName] },
  unlockAccount: { uses: [lockedName] },
  listLockouts: cursor('lockouts'),
  queryAudit: cursor('events'),
  queryAuditLogs: cursor('events'),
};
