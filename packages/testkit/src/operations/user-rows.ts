/** Accounts of people and their API keys. */
import { id, newPassword, password, scope } from './documents.js';
import { cursor, end, learnedResource, newLogin, use, type Links, type Use } from './link.js';
import type { OperationRows } from './operation-row.js';

const key = { name: 'nightly report', expires_in_days: 90 } as const;

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
    call: {
      parameters: {},
      document: { username: 'ann', password, email: 'ann@example.com', roles: ['Read', 'Write'] },
    },
    uses: [use('credential', { 'document.credential_id': 'id' })],
    teaches: [
      learnedResource('user', 'answer.id', newLogin),
      learnedResource('login', 'answer.id', newLogin),
      learnedResource('name', 'answer.id', newLogin),
    ],
  },
  listUsers: {
    failures: [400, 401, 403, 404],
    call: { parameters: {} },
    ...cursor('users'),
  },
  getUser: {
    failures: [400, 401, 403, 404],
    call: { id, parameters: {} },
    uses: [user('path.id')],
  },
  updateUser: {
    failures: [400, 401, 403, 404, 409, 413, 503],
    call: { id, parameters: {}, document: { email: 'ann@example.com', is_active: true } },
    uses: [user('path.id')],
    teaches: [learnedResource('login', 'answer.id', { password: 'document.password' })],
  },
  deleteUser: {
    failures: [400, 401, 403, 404, 409],
    call: { id, parameters: {} },
    uses: [user('path.id')],
    teaches: [end('user', 'path.id'), end('login', 'path.id')],
  },
  setUserRoles: {
    failures: [400, 401, 403, 404, 409, 413],
    call: { id, parameters: {}, document: { roles: ['Read'] } },
    uses: [user('path.id')],
  },
  getUserLinks: {
    failures: [400, 401, 403, 404],
    call: { id, parameters: {} },
    uses: [user('path.id')],
  },
  putUserLinks: {
    failures: [400, 401, 403, 404, 409, 413],
    call: {
      id,
      parameters: {},
      document: { links: [{ issuer: 'https://id.example.com', sub: '248289761001' }] },
    },
    uses: [user('path.id')],
  },
  changeOwnPassword: {
    failures: [400, 401, 403, 413, 503],
    call: { document: { current_password: password, new_password: newPassword } },
  },
  resetPassword: {
    failures: [400, 401, 403, 404, 409, 413, 503],
    call: { id, parameters: {}, document: { new_password: newPassword } },
    uses: [user('path.user_id')],
    teaches: [learnedResource('login', 'path.user_id', { password: 'document.new_password' })],
  },
  listUserApiKeys: {
    failures: [400, 401, 403, 404],
    call: { id, parameters: {} },
    ...cursor('keys'),
    uses: [user('path.id')],
  },
  revokeUserApiKey: {
    failures: [400, 401, 403, 404, 413],
    call: { id, parameters: {}, document: { key_id: id } },
    uses: [user('path.id'), use('API key', { 'document.key_id': 'id' })],
    teaches: [end('API key', 'document.key_id')],
  },
  listUserSessions: {
    failures: [400, 401, 403, 404],
    call: { id, parameters: {} },
    uses: [user('path.id')],
    teaches: [learnedResource('session', 'answer.sessions.0.session_id')],
  },
  endUserSession: {
    failures: [400, 401, 403, 404, 413],
    call: { id, parameters: {}, document: { session_id: id } },
    uses: [user('path.id'), use('session', { 'document.session_id': 'id' })],
    teaches: [end('session', 'document.session_id')],
  },
  createApiKey: {
    failures: [400, 401, 403, 409, 413],
    call: { document: key },
    givesSecret: true,
    ...apiKey,
  },
  createApiKeyAlias: {
    failures: [400, 401, 403, 409, 413],
    call: { document: key },
    givesSecret: true,
    ...apiKey,
  },
  listApiKeys: {
    failures: [400, 401, 403],
    call: { parameters: {} },
    ...cursor('keys'),
  },
  listApiKeysAlias: {
    failures: [400, 401, 403],
    call: { parameters: {} },
    ...cursor('keys'),
  },
  deleteApiKey: {
    failures: [400, 401, 403, 404],
    call: { id },
    ...apiKeyEnd,
  },
  deleteApiKeyAlias: {
    failures: [400, 401, 403, 404],
    call: { id },
    ...apiKeyEnd,
  },
  approveConnection: {
    failures: [400, 401, 403, 409, 413],
    call: {
      document: {
        client_id: 'https://notes.example.com/client.json',
        client_name: 'Notes',
        client_host: 'notes.example.com',
        access: ['read', 'write'],
        grants: [{ ...scope, mission_id: null }],
        expires_in_days: 30,
      },
    },
  },
  listConnections: { failures: [400, 401, 403], call: {} },
  endConnection: {
    failures: [400, 401, 403, 404],
    call: { id },
    uses: [connection('path.id')],
  },
} satisfies OperationRows;
