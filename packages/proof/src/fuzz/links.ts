/** The links between operations, as data. */
import { learningLinks } from './learning-links.js';
import {
  end,
  inScope,
  learnedResource,
  type LearnedResource,
  type Links,
  scoped,
  use,
  type Use,
} from './link.js';
import { attachEmbeddings, searchMemory } from './search-links.js';
import { webhookLinks } from './webhook-links.js';

/** Returns the use of a resource that the path names and whose revision the document expects. */
const changed = (kind: string): Use =>
  use(kind, { 'path.id': 'id', 'document.expected_revision': 'revision' });
const revised = (kind: string, member: string): LearnedResource =>
  learnedResource(kind, `answer.${member}.id`, { revision: `answer.${member}.revision` });
const inQueryScope = {
  'query.project_id': 'scope.project_id',
  'query.mission_id!': 'scope.mission_id',
  'query.agent_id': 'scope.agent_id',
  'query.visibility': 'scope.visibility',
};
const ofRateLimit: Links = { uses: [use('rate limit', { 'path.policy_id': 'id' })] };
const ofRecord = { 'path.id': 'id', ...inQueryScope };

const record = learnedResource('record', 'answer.receipt.record_id', {
  ...scoped,
  revision: 'answer.receipt.revision',
});
const cursor = (list: string, page = 'answer'): Links => ({
  uses: [use(`cursor of ${list}`, { 'query.cursor': 'id' })],
  teaches: [learnedResource(`cursor of ${list}`, `${page}.next_cursor`)],
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
  learnedResource('token', 'answer.access_token'),
  learnedResource('refresh token', 'answer.refresh_token'),
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
const apiKey: Links = { teaches: [learnedResource('API key', 'answer.id')] };
const apiKeyEnd: Links = {
  uses: [use('API key', { 'path.key_id': 'id' })],
  teaches: [end('API key', 'path.key_id')],
};
const user = (member: string): Use => use('user', { [member]: 'id' });
const lockedName = use('name', { 'path.username': 'username' });
/** Links of the pages of a history, whose cursors belong to one resource. */
const historyOf = (kind: string, links: Links): Links => ({
  uses: [
    ...(links.uses ?? []),
    use(`cursor of a ${kind}`, { 'path.id': 'owner', 'query.cursor': 'id' }),
  ],
  teaches: [
    ...(links.teaches ?? []),
    learnedResource(`cursor of a ${kind}`, 'answer.next_cursor', { owner: 'path.id' }),
  ],
});
const newAccount: Links = {
  uses: [use('credential', { 'document.credential_id': 'id' })],
  teaches: [
    learnedResource('account', 'answer.account.id', {
      ...newLogin,
      revision: 'answer.account.revision',
    }),
    learnedResource('login', 'answer.account.id', newLogin),
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
  registerTenant: { teaches: [learnedResource('tenant', 'answer.tenant.tenant_id')] },
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
      use('record', {
        ...inScope,
        'document.operation.record_id': 'id',
        'document.operation.revision': 'revision',
        'document.operation.expected_revision': 'revision',
      }),
      use('named record', {
        ...inScope,
        'document.operation.name': 'id',
        'document.operation.expected_revision': 'revision',
      }),
    ],
    teaches: [
      record,
      learnedResource('named record', 'document.operation.name', {
        ...scoped,
        revision: 'answer.receipt.revision',
      }),
    ],
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
      learnedResource('record', 'answer.receipt.outcomes.0.record_id', {
        scope: 'document.commands.0.scope',
        revision: 'answer.receipt.outcomes.0.revision',
      }),
    ],
  },
  readMemoryRecord: {
    uses: [use('record', ofRecord), use('record', { ...ofRecord, 'query.revision': 'revision' })],
  },
  listMemoryRevisions: {
    uses: [
      use('record', ofRecord),
      use('cursor of revisions', { 'path.id': 'owner', 'query.cursor': 'id' }),
    ],
    teaches: [
      learnedResource('cursor of revisions', 'answer.page.next_cursor', { owner: 'path.id' }),
    ],
  },
  listMemoryChanges: {
    uses: [use('change cursor', { 'query.after': 'id' }), use('record', inQueryScope)],
    teaches: [
      learnedResource('change cursor', 'answer.page.next_after'),
      learnedResource('change cursor', 'answer.page.changes.0.cursor'),
    ],
  },
  setMemoryRetention: {
    uses: [use('retention', { 'document.expected_revision': 'id' })],
    teaches: [learnedResource('retention', 'answer.revision')],
  },
  ...webhookLinks,
  readNamedRecord: { uses: [use('named record', { 'query.name': 'id', ...inQueryScope })] },
  queryMemory: { uses: [use('record', { ...inScope, 'document.filter.after': 'id' })] },
  searchMemory,
  attachEmbeddings,
  createUser: {
    uses: [use('credential', { 'document.credential_id': 'id' })],
    teaches: [
      learnedResource('user', 'answer.id', newLogin),
      learnedResource('login', 'answer.id', newLogin),
      learnedResource('name', 'answer.id', newLogin),
    ],
  },
  getUser: { uses: [user('path.id')] },
  updateUser: {
    uses: [user('path.id')],
    teaches: [learnedResource('login', 'answer.id', { password: 'document.password' })],
  },
  deleteUser: {
    uses: [user('path.id')],
    teaches: [end('user', 'path.id'), end('login', 'path.id')],
  },
  setUserRoles: { uses: [user('path.id')] },
  resetPassword: {
    uses: [user('path.user_id')],
    teaches: [learnedResource('login', 'path.user_id', { password: 'document.new_password' })],
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
  ...learningLinks,
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
  createRateLimit: { teaches: [learnedResource('rate limit', 'answer.id')] },
  getRateLimit: ofRateLimit,
  updateRateLimit: ofRateLimit,
  deleteRateLimit: { ...ofRateLimit, teaches: [end('rate limit', 'path.policy_id')] },
  listRateLimits: cursor('rate limits'),
  getLockout: { uses: [lockedName] },
  lockAccount: { uses: [lockedName] },
  unlockAccount: { uses: [lockedName] },
  listLockouts: cursor('lockouts'),
  queryAudit: cursor('events'),
  queryAuditLogs: cursor('events'),
};
