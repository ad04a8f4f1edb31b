/** The operations that have commands of their own, in the order of the help. */
import { accessOperations, erasureOperations } from './access-operations.js';
import { learningOperations } from './learning-operations.js';
import { memoryOperations } from './memory-operations.js';
import type { OperationEntry } from './operation-command.js';

/** Tables leave out columns from the right, but not the last one, where there is no room. */
const CREDENTIAL = [
  ...['id', 'spec.subject_id', 'revoked_at_millis', 'revision'],
  ...['previous_secret.ends_at_millis', 'spec.capabilities'],
];
const ACCOUNT = ['id', 'username', 'credential_id', 'revision', 'disabled_at_millis'];
const SESSION = ['session_id', 'kind', 'created_at', 'last_used', 'expires_at', 'is_current'];
const KEY = ['id', 'name', 'prefix', 'is_active', 'expires_at', 'last_used'];

const identity: readonly OperationEntry[] = [
  { name: 'whoami', operation: 'whoAmI', examples: ['agentkeep whoami --profile work'] },
];

const tenants: readonly OperationEntry[] = [
  {
    name: 'tenants register',
    operation: 'registerTenant',
    examples: [
      'agentkeep tenants register --tenant-id acme --subject-id ops --write-secret ./acme-ops',
    ],
  },
  {
    name: 'tenants list',
    operation: 'listTenants',
    columns: ['tenant_id', 'registration.created_at_millis', 'registration.display_name'],
  },
  { name: 'tenants show', operation: 'inspectTenant' },
  {
    name: 'tenants appoint',
    operation: 'issueTenantAdmin',
    examples: ['agentkeep tenants appoint acme --subject-id ops-2 --write-secret ./acme-ops-2'],
  },
  { name: 'tenants quota', operation: 'getStorageQuota' },
  {
    name: 'tenants set-quota',
    operation: 'setStorageQuota',
    examples: ['agentkeep tenants set-quota acme --max-entries 1000000 --max-bytes 5000000000'],
  },
  {
    name: 'tenants erase',
    operation: 'eraseTenant',
    examples: ['agentkeep tenants erase acme --profile master'],
  },
  { name: 'tenants erasure', operation: 'getTenantErasure' },
];

const credentials: readonly OperationEntry[] = [
  {
    name: 'credentials issue',
    operation: 'issueCredential',
    examples: [
      'agentkeep credentials issue --subject-id ann --capabilities memory_read ' +
        '--capabilities memory_write --grants project_id=support,agent_id=helper,visibility=private ' +
        '--write-secret ./ann-secret',
    ],
  },
  {
    name: 'credentials issue-key',
    operation: 'issueKeyCredential',
    examples: [
      'agentkeep credentials issue-key --subject-id robot --capabilities memory_read ' +
        `--public-key '{"kty":"OKP","crv":"Ed25519","x":"…"}'`,
    ],
  },
  {
    name: 'credentials replace-key',
    operation: 'replaceCredentialKey',
    revisionFrom: 'inspectCredential',
  },
  { name: 'credentials list', operation: 'listTenantCredentials', columns: CREDENTIAL },
  { name: 'credentials show', operation: 'inspectCredential' },
  {
    name: 'credentials rotate',
    operation: 'rotateCredential',
    revisionFrom: 'inspectCredential',
    examples: [
      'agentkeep credentials rotate <id> --write-secret ./new-secret',
      'agentkeep credentials rotate <id> --overlap-seconds 3600 --write-secret ./new-secret',
    ],
  },
  {
    name: 'credentials revoke',
    operation: 'revokeCredential',
    revisionFrom: 'inspectCredential',
  },
  {
    name: 'credentials set-scopes',
    operation: 'changeScopeAuthority',
    revisionFrom: 'inspectCredential',
    examples: [
      'agentkeep credentials set-scopes <id> --grants project_id=p,agent_id=a,visibility=private',
    ],
  },
];

const keyRequirement: readonly OperationEntry[] = [
  { name: 'key-requirement show', operation: 'getKeyRequirement' },
  {
    name: 'key-requirement set',
    operation: 'putKeyRequirement',
    revisionFrom: 'getKeyRequirement',
    examples: ['agentkeep key-requirement set --requires-keys true --profile chief'],
  },
];

const subjects: readonly OperationEntry[] = [
  {
    name: 'subjects token',
    operation: 'issueSubjectToken',
    examples: ['agentkeep subjects token --subject-id user-1 --json --profile support'],
  },
  {
    name: 'subjects list',
    operation: 'listSubjects',
    columns: ['subject_id', 'is_blocked', 'revision', 'updated_at_millis', 'capabilities'],
  },
  { name: 'subjects show', operation: 'getSubject' },
  {
    name: 'subjects put',
    operation: 'putSubject',
    examples: ['agentkeep subjects put user-1 --expected-revision 0 --is-blocked true'],
  },
];

const federation: readonly OperationEntry[] = [
  {
    name: 'issuers list',
    operation: 'listTrustedIssuers',
    columns: ['name', 'issuer', 'audience', 'is_blocked', 'revision', 'updated_at_millis'],
  },
  { name: 'issuers show', operation: 'getTrustedIssuer' },
  {
    name: 'issuers put',
    operation: 'putTrustedIssuer',
    examples: [
      'agentkeep issuers put github --expected-revision 0 ' +
        '--issuer https://token.actions.githubusercontent.com --audience agentkeep ' +
        `--keys '{"mode":"discovery"}' --profile chief`,
    ],
  },
  { name: 'credentials issue-federated', operation: 'issueFederatedCredential' },
  {
    name: 'credentials federated-token',
    operation: 'issueFederatedToken',
    examples: ['agentkeep credentials federated-token --credential-id <id> --assertion "$JWT"'],
  },
];

const globalCredentials: readonly OperationEntry[] = [
  { name: 'global-credentials whoami', operation: 'globalIdentity' },
  {
    name: 'global-credentials issue',
    operation: 'issueGlobalCredential',
    examples: [
      'agentkeep global-credentials issue --subject-id ann --capabilities tenant_create ' +
        '--write-secret ./ann',
    ],
  },
  { name: 'global-credentials list', operation: 'listGlobalCredentials', columns: CREDENTIAL },
  { name: 'global-credentials show', operation: 'inspectGlobalCredential' },
  {
    name: 'global-credentials rotate',
    operation: 'rotateGlobalCredential',
    revisionFrom: 'inspectGlobalCredential',
  },
  {
    name: 'global-credentials revoke',
    operation: 'revokeGlobalCredential',
    revisionFrom: 'inspectGlobalCredential',
  },
];

const people: readonly OperationEntry[] = [
  {
    name: 'people create',
    operation: 'createUser',
    examples: ['agentkeep people create --username ann --password-file - --roles Read'],
  },
  {
    name: 'people list',
    operation: 'listUsers',
    columns: ['id', 'username', 'roles', 'is_active', 'last_login', 'email'],
  },
  { name: 'people show', operation: 'getUser' },
  {
    name: 'people update',
    operation: 'updateUser',
    examples: ['agentkeep people update <id> --is-active false'],
  },
  {
    name: 'people set-roles',
    operation: 'setUserRoles',
    examples: ['agentkeep people set-roles <id> --roles Read --roles Write'],
  },
  {
    name: 'people reset-password',
    operation: 'resetPassword',
    examples: ['agentkeep people reset-password <user-id> --new-password-file -'],
  },
  { name: 'people links', operation: 'getUserLinks' },
  {
    name: 'people put-links',
    operation: 'putUserLinks',
    examples: [
      'agentkeep people put-links <id> ' +
        `--links '[{"issuer":"https://id.example.com","sub":"248289761001"}]'`,
    ],
  },
  { name: 'sign-in methods', operation: 'getSignInMethods' },
  { name: 'sign-in settings', operation: 'getSignInSettings' },
  {
    name: 'sign-in put-settings',
    operation: 'putSignInSettings',
    examples: ['agentkeep sign-in put-settings --expected-revision 0 --document settings.json'],
  },
  {
    name: 'people change-own-password',
    operation: 'changeOwnPassword',
    examples: [
      'agentkeep people change-own-password --current-password-file ./old --new-password-file ./new',
    ],
  },
  {
    name: 'people end-sessions',
    operation: 'revokeAllTokens',
    examples: ['agentkeep people end-sessions --user-id <id> --include-api-keys true'],
  },
  { name: 'people sessions', operation: 'listUserSessions', columns: SESSION },
  { name: 'people end-session', operation: 'endUserSession' },
  { name: 'people delete', operation: 'deleteUser' },
  { name: 'people keys', operation: 'listUserApiKeys', columns: KEY },
  {
    name: 'people revoke-key',
    operation: 'revokeUserApiKey',
    examples: ['agentkeep people revoke-key <id> --key-id <key-id>'],
  },
];

const keys: readonly OperationEntry[] = [
  {
    name: 'keys create',
    operation: 'createApiKey',
    examples: ['agentkeep keys create --name nightly --expires-in-days 90 --write-secret ./key'],
  },
  { name: 'keys list', operation: 'listApiKeys', columns: KEY },
  { name: 'keys revoke', operation: 'deleteApiKey' },
];

const connections: readonly OperationEntry[] = [
  {
    name: 'connections list',
    operation: 'listConnections',
    columns: ['id', 'client_name', 'client_host', 'access', 'expires_at'],
  },
  { name: 'connections end', operation: 'endConnection' },
];

const lockouts: readonly OperationEntry[] = [
  {
    name: 'lockouts list',
    operation: 'listLockouts',
    columns: [
      { header: 'USERNAME', path: '0' },
      '1.failed_attempts',
      '1.lockout_expires',
      '1.lockout_reason',
    ],
  },
  { name: 'lockouts show', operation: 'getLockout' },
  {
    name: 'lockouts lock',
    operation: 'lockAccount',
    examples: ["agentkeep lockouts lock ann --reason 'Under investigation.'"],
  },
  { name: 'lockouts unlock', operation: 'unlockAccount' },
];

const logins: readonly OperationEntry[] = [
  {
    name: 'login-accounts create',
    operation: 'createTenantLoginAccount',
    examples: [
      'agentkeep login-accounts create --username ann --password-file - --credential-id <id>',
    ],
  },
  { name: 'login-accounts list', operation: 'listTenantLoginAccounts', columns: ACCOUNT },
  { name: 'login-accounts show', operation: 'inspectTenantLoginAccount' },
  {
    name: 'login-accounts set-password',
    operation: 'changePasswordTenantLoginAccount',
    revisionFrom: 'inspectTenantLoginAccount',
    examples: ['agentkeep login-accounts set-password <id> --password-file -'],
  },
  {
    name: 'login-accounts disable',
    operation: 'disableTenantLoginAccount',
    revisionFrom: 'inspectTenantLoginAccount',
  },
];

const rateLimits: readonly OperationEntry[] = [
  {
    name: 'rate-limits list',
    operation: 'listRateLimits',
    columns: ['id', 'name', 'endpoint_type', 'max_requests', 'window_secs', 'enabled'],
  },
  {
    name: 'rate-limits create',
    operation: 'createRateLimit',
    examples: [
      'agentkeep rate-limits create --name api --endpoint-type \'"GeneralApi"\' ' +
        '--max-requests 600 --window-secs 60',
    ],
  },
  { name: 'rate-limits show', operation: 'getRateLimit' },
  {
    name: 'rate-limits update',
    operation: 'updateRateLimit',
    examples: ['agentkeep rate-limits update <policy-id> --enabled false'],
  },
  { name: 'rate-limits delete', operation: 'deleteRateLimit' },
];

const webhooks: readonly OperationEntry[] = [
  {
    name: 'webhooks create',
    operation: 'createWebhook',
    examples: [
      'agentkeep webhooks create --name crm --set-url https://crm.example/hook --write-secret ./hook',
    ],
  },
  { name: 'webhooks list', operation: 'listWebhooks', columns: ['id', 'name', 'enabled', 'url'] },
  { name: 'webhooks show', operation: 'getWebhook' },
  {
    name: 'webhooks update',
    operation: 'updateWebhook',
    revisionFrom: 'getWebhook',
    examples: ['agentkeep webhooks update <id> --name crm --set-url https://crm.example/hook'],
  },
  { name: 'webhooks delete', operation: 'deleteWebhook' },
  { name: 'webhooks rotate', operation: 'rotateWebhookSecret', revisionFrom: 'getWebhook' },
  { name: 'webhooks dead-letters', operation: 'listWebhookDeadLetters' },
  { name: 'webhooks replay', operation: 'replayWebhookDeadLetters' },
];

const AUDIT = [
  'timestamp',
  'event_type',
  'result',
  'username',
  'ip_address',
  'action',
  'user_id',
  'resource',
];

const operating: readonly OperationEntry[] = [
  {
    name: 'audit query',
    operation: 'queryAudit',
    columns: AUDIT,
    examples: ['agentkeep audit query --event-type login_failed --limit 20'],
  },
  { name: 'snapshots create', operation: 'createSnapshot' },
  { name: 'snapshots list', operation: 'listSnapshots' },
  { name: 'snapshots schedule', operation: 'getSnapshotSchedule' },
  { name: 'stats', operation: 'getStats' },
];

/** Commands of operations, by groups. */
export const dailyOperations: readonly OperationEntry[] = [
  ...identity,
  ...tenants,
  ...credentials,
  ...subjects,
  ...accessOperations,
  ...erasureOperations,
  ...federation,
  ...keyRequirement,
  ...globalCredentials,
  ...people,
  ...logins,
  ...keys,
  ...connections,
  ...lockouts,
  ...rateLimits,
  ...memoryOperations,
  ...learningOperations,
  ...webhooks,
  ...operating,
];
