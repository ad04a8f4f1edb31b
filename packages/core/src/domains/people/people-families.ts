/** The families of people. */
import { listFamilies } from '../../storage/store/family.js';
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
} from './account/account-store.js';
import { apiKeyDigests, apiKeys } from './api-key/api-key-store.js';
import { connections } from './connection/connection-store.js';
import { grantEntries, grantExpiries } from './connection/grant-entry-store.js';
import { grantSlots } from './connection/grant-slots.js';
import { invitations, resetLinks } from './invitation/invitation-store.js';
import { lockedNames, lockouts, lockoutTimes, unknownNames } from './lockout/lockout-store.js';
import { sessions, signInSessions } from './session/session-store.js';
import { signInSettings } from './sign-in/settings-store.js';
import { signInUses } from './sign-in/use-store.js';
import { revocationCounts, revocationExpiries, revokedTokens } from './token/revocation-store.js';
import { signingKeys } from './token/signing-key-store.js';

/** All families of people. */
export const peopleFamilies = listFamilies(
  accounts,
  accountPasswords,
  accountLocators,
  accountNames,
  accountEmails,
  superAdmins,
  accountDirectory,
  signInLinks,
  accountEvents,
  apiKeys,
  apiKeyDigests,
  connections,
  grantEntries,
  grantExpiries,
  grantSlots,
  invitations,
  resetLinks,
  lockouts,
  lockoutTimes,
  lockedNames,
  unknownNames,
  sessions,
  signInSessions,
  signInSettings,
  signInUses,
  revokedTokens,
  revocationExpiries,
  revocationCounts,
  signingKeys,
);
