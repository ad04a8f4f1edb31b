/** People: accounts, sessions, API keys, sign-ins and the programs that people connect. */
import { defineDomain } from '../../upkeep/domain/domain.js';
import { passwords } from '../../kernel/ports/counted-hasher.js';
import { noSignInProtocol, signIns } from '../../kernel/ports/sign-in-protocol.js';
import { GrantSweeper } from './connection/grant-sweeper.js';
import { peopleErasure } from './erasure/people-erasure.js';
import { LockoutSweeper } from './lockout/lockout-sweeper.js';
import * as accountStore from './account/account-store.js';
import * as apiKeyStore from './api-key/api-key-store.js';
import * as manageApiKeys from './api-key/manage-api-keys.js';
import * as approveConnection from './connection/approve-connection.js';
import * as connectionStore from './connection/connection-store.js';
import * as grantEntryStore from './connection/grant-entry-store.js';
import * as grantSlots from './connection/grant-slots.js';
import * as manageConnections from './connection/manage-connections.js';
import * as invitationStore from './invitation/invitation-store.js';
import * as acceptInvitation from './inviting/accept-invitation.js';
import * as inviteUser from './inviting/invite-user.js';
import * as manageInvitations from './inviting/manage-invitations.js';
import * as lockoutStore from './lockout/lockout-store.js';
import * as manageLockouts from './lockout/manage-lockouts.js';
import * as readLockouts from './lockout/read-lockouts.js';
import * as login from './login-account/login.js';
import * as manageLoginAccounts from './login-account/manage-login-accounts.js';
import * as receiveIssuerLogout from './openid/receive-issuer-logout.js';
import * as signInSettings from './openid/sign-in-settings.js';
import * as signIn from './openid/sign-in.js';
import * as userLinks from './openid/user-links.js';
import * as authSession from './session/auth-session.js';
import * as jwks from './session/jwks.js';
import * as sessionStore from './session/session-store.js';
import * as settingsStore from './sign-in/settings-store.js';
import * as useStore from './sign-in/use-store.js';
import * as revocationStore from './token/revocation-store.js';
import * as signingKeyStore from './token/signing-key-store.js';
import * as changePasswords from './user/change-passwords.js';
import * as manageUsers from './user/manage-users.js';
import * as userApiKeys from './user/user-api-keys.js';
import * as userSessions from './user/user-sessions.js';

/** The domain of people. */
export const people = defineDomain({
  modules: [
    accountStore,
    apiKeyStore,
    manageApiKeys,
    approveConnection,
    connectionStore,
    grantEntryStore,
    grantSlots,
    manageConnections,
    invitationStore,
    acceptInvitation,
    inviteUser,
    manageInvitations,
    lockoutStore,
    manageLockouts,
    readLockouts,
    login,
    manageLoginAccounts,
    receiveIssuerLogout,
    signInSettings,
    signIn,
    userLinks,
    authSession,
    jwks,
    sessionStore,
    settingsStore,
    useStore,
    revocationStore,
    signingKeyStore,
    changePasswords,
    manageUsers,
    userApiKeys,
    userSessions,
  ],
  erasure: peopleErasure,
  open: ({ passwords: hasher, signInProtocol = noSignInProtocol, ...parts }) => ({
    sweepers: [new LockoutSweeper(parts), new GrantSweeper(parts)],
    ports: [passwords.answeredBy(hasher), signIns.answeredBy(signInProtocol)],
  }),
});
