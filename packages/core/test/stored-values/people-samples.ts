/** Samples of the values of people. */
import { administrators } from '../../src/domains/tenancy/credential/administrator-store.js';
import {
  accountDirectory,
  accountEmails,
  accountEvents,
  accountLocators,
  accountNames,
  accountPasswords,
  accounts,
  signInLinks,
  superAdmins,
} from '../../src/domains/people/account/account-store.js';
import { apiKeyDigests, apiKeys } from '../../src/domains/people/api-key/api-key-store.js';
import { connections } from '../../src/domains/people/connection/connection-store.js';
import {
  grantEntries,
  grantExpiries,
} from '../../src/domains/people/connection/grant-entry-store.js';
import { grantSlots } from '../../src/domains/people/connection/grant-slots.js';
import { invitations, resetLinks } from '../../src/domains/people/invitation/invitation-store.js';
import {
  lockedNames,
  lockoutTimes,
  lockouts,
  unknownNames,
} from '../../src/domains/people/lockout/lockout-store.js';
import { sessions, signInSessions } from '../../src/domains/people/session/session-store.js';
import { signInSettings } from '../../src/domains/people/sign-in/settings-store.js';
import { signInUses } from '../../src/domains/people/sign-in/use-store.js';
import {
  revocationCounts,
  revocationExpiries,
  revokedTokens,
} from '../../src/domains/people/token/revocation-store.js';
import { signingKeys } from '../../src/domains/people/token/signing-key-store.js';
import { ID, OTHER_ID } from './sample-documents.js';
import { sample } from './sample.js';

const digest = Buffer.alloc(32, 7);

const ISSUER = 'https://id.example.test';

const links = [{ issuer: ISSUER, sub: 'u1', follows_rules: true }];

const account = {
  authority: 'acme',
  id: ID,
  username: 'ann',
  email: 'Ann@example.org',
  roles: ['Admin'],
  isActive: true,
  credentialId: OTHER_ID,
  revision: 2,
  createdAtMillis: 1,
  updatedAtMillis: 2,
  lastLoginMillis: 3,
  disabledAtMillis: null,
  deletedAtMillis: null,
  links: null,
};

const session = {
  authority: 'acme',
  accountId: ID,
  id: OTHER_ID,
  kind: 'jwt' as const,
  verifier: 'verifier',
  pinned: { credentialId: ID, revision: 4 },
  createdAtMillis: 1,
  expiresAtMillis: 2,
  lastUsedMillis: 3,
  signIn: null,
};

const lockout = {
  failedAttempts: 3,
  firstFailureMs: 10,
  lastChangeMs: 20,
  lockoutCount: 1,
  lock: { kind: 'timed' as const, expiresMs: 30 },
  isKnown: true,
};

const apiKey = {
  authority: 'acme',
  accountId: ID,
  id: OTHER_ID,
  name: 'ci',
  prefix: 'ak_12345',
  digest: new Uint8Array(digest),
  createdAtMillis: 1,
  expiresAtMillis: null,
  lastUsedMillis: 2,
};

const connection = {
  ...{ tenantId: 'acme', accountId: ID, credentialId: OTHER_ID, grantId: 'grant' },
  createdAtMillis: 1,
  ...{ turn: 3, tokenDigest: 'digest', tokenPayload: { scope: 'read' }, tokenEndsAtMillis: 5 },
};

const grantEntry = {
  kind: 'Approval',
  payload: { clientId: 'notes', scope: 'read' },
  ...{ expiresAtMillis: 9, answeredAtMillis: null, slots: [] },
};

const settings = {
  authority: 'acme',
  revision: 2,
  allowsPasswords: false,
  issuers: [
    {
      name: 'staff',
      issuer: ISSUER,
      client_id: 'agentkeep',
      client_secret: 'secret',
      scope: 'openid',
      username_claim: ['email'],
      rules: [
        {
          claims: [{ path: ['groups'], value: 'ops' }],
          roles: ['Admin'],
          credential_id: ID,
          creates_accounts: true,
        },
      ],
      is_blocked: false,
    },
  ],
  key: 'a2V5',
  updatedAtMillis: 5,
  updatedBy: OTHER_ID,
};

export const peopleSamples = {
  connections: [sample(connections, connection, 'acme', ID, OTHER_ID)],
  grantEntries: [
    grantEntry,
    { ...grantEntry, kind: 'Interaction', answeredAtMillis: 8, slots: [['owner', 2]] as const },
  ].map((value) => sample(grantEntries, value, '', digest)),
  grantExpiries: [sample(grantExpiries, [digest.toString('base64url')], '', 9, digest)],
  grantSlots: [sample(grantSlots, [digest.toString('base64url'), 2], '', digest, 2)],
  accounts: [account, { ...account, links }].map((value) => sample(accounts, value, 'acme', ID)),
  accountPasswords: [sample(accountPasswords, '$argon2id$v=19', 'acme', ID)],
  accountLocators: [sample(accountLocators, 'acme', '', ID)],
  accountNames: [sample(accountNames, ID, 'acme', 'ann')],
  accountEmails: [sample(accountEmails, ID, 'acme', 'ann@example.org')],
  accountEvents: [
    sample(
      accountEvents,
      { revision: 1, action: 'login_account_created', actor_id: ID, at_millis: 5 },
      'acme',
      ID,
      1,
    ),
  ],
  accountDirectory: [sample(accountDirectory, ID, 'acme', '"ann"')],
  superAdmins: [sample(superAdmins, ID, 'acme', ID)],
  administrators: [null, OTHER_ID].map((credentialId) =>
    sample(
      administrators,
      { id: ID, roles: ['Admin'], credentialId },
      'acme',
      credentialId ?? '',
      ID,
    ),
  ),
  // LOG-54
  sessions: [
    session,
    { ...session, kind: 'opaque' as const, pinned: null },
    { ...session, signIn: { issuer: ISSUER, sid: 's1' } },
  ].map((value) => sample(sessions, value, 'acme', ID, OTHER_ID)),
  signInSessions: [sample(signInSessions, [ID, OTHER_ID], 'acme', digest, ID, OTHER_ID)],
  signInLinks: [sample(signInLinks, ID, 'acme', digest)],
  signInUses: [sample(signInUses, 9, 'acme', 9, digest)],
  signInSettings: [sample(signInSettings, settings, 'acme')],
  revocationCounts: [sample(revocationCounts, 3, '', ID)],
  revokedTokens: [
    sample(
      revokedTokens,
      {
        jti: ID,
        accountId: OTHER_ID,
        username: 'ann',
        revokedAtMillis: 1,
        expiresAtMillis: 2,
        reason: 'logout',
      },
      '',
      OTHER_ID,
      ID,
    ),
  ],
  revocationExpiries: [sample(revocationExpiries, [OTHER_ID, ID], '', 2, OTHER_ID, ID)],
  signingKeys: [
    sample(signingKeys, { kid: 'kid', pkcs8: 'cGtjczg=', createdAtMillis: 5 }, '', 'kid'),
  ],
  resetLinks: [
    sample(
      resetLinks,
      { authority: 'acme', accountId: ID, verifier: 'digest', revision: 3, expiresAtMillis: 2 },
      'acme',
      ID,
    ),
  ],
  invitations: [
    sample(
      invitations,
      {
        authority: 'acme',
        accountId: ID,
        verifier: 'digest',
        credentialId: OTHER_ID,
        role: 'reviewer',
        createdAtMillis: 1,
        expiresAtMillis: 2,
        invitedBy: OTHER_ID,
      },
      'acme',
      ID,
    ),
    sample(
      invitations,
      {
        authority: '',
        accountId: ID,
        verifier: null,
        credentialId: OTHER_ID,
        role: 'admin',
        createdAtMillis: 1,
        expiresAtMillis: 2,
        invitedBy: OTHER_ID,
      },
      '',
      ID,
    ),
  ],
  apiKeys: [sample(apiKeys, apiKey, 'acme', ID, OTHER_ID)],
  apiKeyDigests: [sample(apiKeyDigests, ['acme', ID, OTHER_ID], '', digest)],
  lockouts: [
    sample(lockouts, lockout, 'acme', 'ann'),
    sample(
      lockouts,
      { ...lockout, firstFailureMs: null, lock: null, isKnown: false },
      'acme',
      'ann',
    ),
  ],
  lockoutTimes: [
    sample(
      lockoutTimes,
      { kind: 1, atMs: 30, name: { authority: 'acme', username: 'ann' } },
      '',
      1,
      30,
      'acme',
      'ann',
    ),
  ],
  lockedNames: [sample(lockedNames, { authority: 'acme', username: 'ann' }, 'acme', 'ann')],
  unknownNames: [sample(unknownNames, 17, '')],
};
