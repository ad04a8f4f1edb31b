/** Sessions, lockouts, rate limits, the audit log and the state of an installation. */
import { cursor, end, learnedResource, login, tokens, use, type Links } from './link.js';
import type { OperationRows } from './operation-row.js';

const lockedName = use('name', { 'path.username': 'username' });
const ofRateLimit: Links = { uses: [use('rate limit', { 'path.policy_id': 'id' })] };

/** The rows by operation. */
export const sessionRows = {
  authLogin: {
    failures: [400, 401, 403, 413, 503],
    givesSecret: true,
    ...login(),
  },
  getSignInMethods: {
    failures: [400],
  },
  getSignInSettings: {
    failures: [400, 401, 403, 404],
  },
  putSignInSettings: {
    failures: [400, 401, 403, 404, 409, 413],
  },
  beginSignIn: {
    failures: [400, 404, 413, 503],
  },
  completeSignIn: {
    failures: [400, 401, 413, 503],
    givesSecret: true,
  },
  receiveIssuerLogout: {
    failures: [400, 413, 503],
  },
  authRefresh: {
    failures: [400, 401, 403, 413],
    givesSecret: true,
    uses: [use('refresh token', { 'document.refresh_token': 'id' })],
    teaches: tokens,
  },
  authLogout: {
    failures: [401, 403, 413],
  },
  revokeToken: {
    failures: [400, 413],
    uses: [use('token', { 'document.token': 'id' })],
  },
  revokeAllTokens: {
    failures: [400, 401, 403, 404, 413],
    uses: [use('user', { 'document.user_id': 'id' })],
  },
  jwks: {
    failures: [],
  },
  listLockouts: {
    failures: [400, 401, 403, 404],
    ...cursor('lockouts'),
  },
  getLockout: {
    failures: [400, 401, 403, 404],
    uses: [lockedName],
  },
  lockAccount: {
    failures: [400, 401, 403, 404, 413],
    uses: [lockedName],
  },
  unlockAccount: {
    failures: [400, 401, 403, 404],
    uses: [lockedName],
  },
  listRateLimits: {
    isStatedByCases: true,
    failures: [400, 401, 403],
    ...cursor('rate limits'),
  },
  createRateLimit: {
    isStatedByCases: true,
    failures: [400, 401, 403, 409, 413],
    teaches: [learnedResource('rate limit', 'answer.id')],
  },
  getRateLimit: {
    isStatedByCases: true,
    failures: [400, 401, 403, 404],
    ...ofRateLimit,
  },
  updateRateLimit: {
    isStatedByCases: true,
    failures: [400, 401, 403, 404, 409, 413],
    ...ofRateLimit,
  },
  deleteRateLimit: {
    isStatedByCases: true,
    failures: [400, 401, 403, 404],
    ...ofRateLimit,
    teaches: [end('rate limit', 'path.policy_id')],
  },
  queryAuditLogs: {
    failures: [400, 401, 403, 404],
    ...cursor('events'),
  },
  queryAudit: {
    failures: [400, 401, 403, 404],
    ...cursor('events'),
  },
  verifyAuditChain: {
    failures: [400, 401, 403, 404],
    ...cursor('chains'),
  },
  createSnapshot: {
    failures: [400, 401, 403, 409],
  },
  listSnapshots: {
    failures: [400, 401, 403],
  },
  getSnapshotSchedule: {
    failures: [400, 401, 403],
  },
  setSnapshotSchedule: {
    isStatedByCases: true,
    failures: [400, 401, 403, 409, 413],
  },
  getStats: {
    failures: [400, 401, 403],
  },
} satisfies OperationRows;
