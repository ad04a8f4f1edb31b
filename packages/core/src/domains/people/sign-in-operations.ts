/** Operations on sessions, sign-ins, lockouts and connected programs. */
import { approveConnection } from './connection/approve-connection.js';
import { endConnection, listConnections } from './connection/manage-connections.js';
import { acceptInvitation } from './inviting/accept-invitation.js';
import {
  createResetLink,
  listInvitations,
  revokeInvitation,
} from './inviting/manage-invitations.js';
import { inviteUser } from './inviting/invite-user.js';
import { getLockout, lockAccount, unlockAccount } from './lockout/manage-lockouts.js';
import { listLockouts } from './lockout/read-lockouts.js';
import { beginSignIn, completeSignIn } from './openid/sign-in.js';
import {
  getSignInMethods,
  getSignInSettings,
  putSignInSettings,
} from './openid/sign-in-settings.js';
import { getUserLinks, putUserLinks } from './openid/user-links.js';
import { receiveIssuerLogout } from './openid/receive-issuer-logout.js';
import { authLogin, authLogout, authRefresh, revokeToken } from './session/auth-session.js';
import { jwks } from './session/jwks.js';
import { endUserSession, listUserSessions } from './user/user-sessions.js';

/** These operations by name. */
export const signInOperations = {
  putSignInSettings,
  getSignInSettings,
  getSignInMethods,
  beginSignIn,
  completeSignIn,
  receiveIssuerLogout,
  getUserLinks,
  putUserLinks,
  authLogin,
  authRefresh,
  authLogout,
  revokeToken,
  listUserSessions,
  endUserSession,
  jwks,
  inviteUser,
  listInvitations,
  revokeInvitation,
  acceptInvitation,
  createResetLink,
  listLockouts,
  getLockout,
  lockAccount,
  unlockAccount,
  approveConnection,
  listConnections,
  endConnection,
} as const;
