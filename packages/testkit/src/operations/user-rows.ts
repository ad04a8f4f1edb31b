/** Accounts of people and their API keys. */
import { cursor, end, learnedResource, newLogin, use, type Links, type Use } from './link.js';
import type { OperationRows } from './operation-row.js';

const user = (member: string): Use => use('user', { [member]: 'id' });
const apiKey: Links = { teaches: [learnedResource('API key', 'answer.id')] };
const connection = (member: string): Use => use('connection', { [member]: 'id' });
const apiKeyEnd: Links = {
  uses: [use('API key', { 'path.key_id': 'id' })],
  teaches: [end('API key', 'path.key_id')],
};

/** The rows by operation. */
export const userRows = {
  createUser: {
    failures: [400, 401, 403, 404, 409, 413, 503],
    uses: [use('credential', { 'document.credential_id': 'id' })],
    teaches: [
      learnedResource('user', 'answer.id', newLogin),
      learnedResource('login', 'answer.id', newLogin),
      learnedResource('name', 'answer.id', newLogin),
    ],
  },
  listUsers: {
    failures: [400, 401, 403, 404],
    ...cursor('users'),
  },
  getUser: {
    failures: [400, 401, 403, 404],
    uses: [user('path.id')],
  },
  updateUser: {
    failures: [400, 401, 403, 404, 409, 413, 503],
    uses: [user('path.id')],
    teaches: [learnedResource('login', 'answer.id', { password: 'document.password' })],
  },
  deleteUser: {
    failures: [400, 401, 403, 404, 409],
    uses: [user('path.id')],
    teaches: [end('user', 'path.id'), end('login', 'path.id')],
  },
  setUserRoles: {
    failures: [400, 401, 403, 404, 409, 413],
    uses: [user('path.id')],
  },
  getUserLinks: {
    failures: [400, 401, 403, 404],
    uses: [user('path.id')],
  },
  putUserLinks: {
    failures: [400, 401, 403, 404, 409, 413],
    uses: [user('path.id')],
  },
  changeOwnPassword: {
    failures: [400, 401, 403, 413, 503],
  },
  resetPassword: {
    failures: [400, 401, 403, 404, 409, 413, 503],
    uses: [user('path.user_id')],
    teaches: [learnedResource('login', 'path.user_id', { password: 'document.new_password' })],
  },
  listUserApiKeys: {
    failures: [400, 401, 403, 404],
    ...cursor('keys'),
    uses: [user('path.id')],
  },
  revokeUserApiKey: {
    failures: [400, 401, 403, 404, 413],
    uses: [user('path.id'), use('API key', { 'document.key_id': 'id' })],
    teaches: [end('API key', 'document.key_id')],
  },
  listUserSessions: {
    failures: [400, 401, 403, 404],
    uses: [user('path.id')],
    teaches: [learnedResource('session', 'answer.sessions.0.session_id')],
  },
  endUserSession: {
    failures: [400, 401, 403, 404, 413],
    uses: [user('path.id'), use('session', { 'document.session_id': 'id' })],
    teaches: [end('session', 'document.session_id')],
  },
  createApiKey: {
    failures: [400, 401, 403, 409, 413],
    givesSecret: true,
    ...apiKey,
  },
  createApiKeyAlias: {
    failures: [400, 401, 403, 409, 413],
    givesSecret: true,
    ...apiKey,
  },
  listApiKeys: {
    failures: [400, 401, 403],
    ...cursor('keys'),
  },
  listApiKeysAlias: {
    failures: [400, 401, 403],
    ...cursor('keys'),
  },
  deleteApiKey: {
    failures: [400, 401, 403, 404],
    ...apiKeyEnd,
  },
  deleteApiKeyAlias: {
    failures: [400, 401, 403, 404],
    ...apiKeyEnd,
  },
  approveConnection: {
    isStatedByCases: true,
    failures: [400, 401, 403, 409, 413],
  },
  listConnections: { isStatedByCases: true, failures: [400, 401, 403] },
  endConnection: {
    isStatedByCases: true,
    failures: [400, 401, 403, 404],
    uses: [connection('path.id')],
  },
} satisfies OperationRows;
