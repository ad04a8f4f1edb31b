/** Sessions, lockouts, rate limits, the audit log and the state of an installation. */
import { id, password } from './documents.js';
import { cursor, end, learnedResource, login, tokens, use, type Links } from './link.js';
import type { OperationRows } from './operation-row.js';

const lockedName = use('name', { 'path.username': 'username' });
const ofRateLimit: Links = { uses: [use('rate limit', { 'path.policy_id': 'id' })] };

/** The rows by operation. */
export const sessionRows = {
  authLogin: {
    failures: [400, 401, 403, 413, 503],
    call: { document: { username: 'ann', password, tenant_id: 'acme' } },
    givesSecret: true,
    ...login(),
  },
  getSignInMethods: {
    failures: [400],
    call: { parameters: { tenant_id: 'acme' } },
  },
  getSignInSettings: {
    failures: [400, 401, 403, 404],
    call: { parameters: {} },
  },
  putSignInSettings: {
    failures: [400, 401, 403, 404, 409, 413],
    call: {
      parameters: {},
      document: {
        expected_revision: 0,
        allows_passwords: true,
        issuers: [
          {
            name: 'staff',
            issuer: 'https://id.example.com',
            client_id: 'agentkeep',
            client_secret: 'the secret of the client',
            rules: [
              {
                claims: [{ path: ['groups'], value: 'memory' }],
                roles: ['Read'],
                creates_accounts: true,
              },
            ],
          },
        ],
      },
    },
  },
  beginSignIn: {
    failures: [400, 404, 413, 503],
    call: {
      document: {
        tenant_id: 'acme',
        issuer: 'staff',
        redirect_uri: 'https://memory.example.com/login/openid/callback',
      },
    },
  },
  completeSignIn: {
    failures: [400, 401, 413, 503],
    call: { document: { attempt: 'eyJ…', callback: 'code=…&state=…&iss=…' } },
    givesSecret: true,
  },
  receiveIssuerLogout: {
    failures: [400, 413, 503],
    call: { document: { tenant_id: 'acme', issuer: 'staff', logout_token: 'eyJ…' } },
  },
  authRefresh: {
    failures: [400, 401, 413],
    call: { document: { refresh_token: 'akr1_…' } },
    givesSecret: true,
    uses: [use('refresh token', { 'document.refresh_token': 'id' })],
    teaches: tokens,
  },
  authLogout: {
    failures: [401, 413],
    call: {},
  },
  revokeToken: {
    failures: [400, 413],
    call: { document: { token: 'eyJ…' } },
    uses: [use('token', { 'document.token': 'id' })],
  },
  revokeAllTokens: {
    failures: [400, 401, 403, 404, 413],
    call: { parameters: {}, document: { user_id: id, reason: 'A laptop was lost.' } },
    uses: [use('user', { 'document.user_id': 'id' })],
  },
  jwks: {
    failures: [],
    call: {},
  },
  listLockouts: {
    failures: [400, 401, 403, 404],
    call: { parameters: {} },
    ...cursor('lockouts'),
  },
  getLockout: {
    failures: [400, 401, 403, 404],
    call: { id: 'ann', parameters: {} },
    uses: [lockedName],
  },
  lockAccount: {
    failures: [400, 401, 403, 404, 413],
    call: { id: 'ann', parameters: {}, document: { reason: 'Under investigation.' } },
    uses: [lockedName],
  },
  unlockAccount: {
    failures: [400, 401, 403, 404],
    call: { id: 'ann', parameters: {} },
    uses: [lockedName],
  },
  listRateLimits: {
    failures: [400, 401, 403],
    call: { parameters: {} },
    ...cursor('rate limits'),
  },
  createRateLimit: {
    failures: [400, 401, 403, 409, 413],
    call: {
      document: {
        name: 'logins',
        endpoint_type: 'GeneralApi',
        max_requests: 600,
        window_secs: 60,
      },
    },
    teaches: [learnedResource('rate limit', 'answer.id')],
  },
  getRateLimit: {
    failures: [400, 401, 403, 404],
    call: { id },
    ...ofRateLimit,
  },
  updateRateLimit: {
    failures: [400, 401, 403, 404, 413],
    call: { id, document: { max_requests: 300 } },
    ...ofRateLimit,
  },
  deleteRateLimit: {
    failures: [400, 401, 403, 404],
    call: { id },
    ...ofRateLimit,
    teaches: [end('rate limit', 'path.policy_id')],
  },
  queryAuditLogs: {
    failures: [400, 401, 403, 404],
    call: { parameters: {} },
    ...cursor('events'),
  },
  queryAudit: {
    failures: [400, 401, 403, 404],
    call: { parameters: {} },
    ...cursor('events'),
  },
  verifyAuditChain: {
    failures: [400, 401, 403, 404],
    call: { parameters: {} },
    ...cursor('chains'),
  },
  createSnapshot: {
    failures: [400, 401, 403, 409],
    call: {},
  },
  listSnapshots: {
    failures: [400, 401, 403],
    call: {},
  },
  getSnapshotSchedule: {
    failures: [400, 401, 403],
    call: {},
  },
  getStats: {
    failures: [400, 401, 403],
    call: {},
  },
} satisfies OperationRows;
