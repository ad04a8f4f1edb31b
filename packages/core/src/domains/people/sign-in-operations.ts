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
import { beginSignIn } from './openid/begin-sign-in.js';
import { completeSignIn } from './openid/complete-sign-in.js';
import { getSignInMethods } from './openid/get-sign-in-methods.js';
import { getSignInSettings } from './openid/get-sign-in-settings.js';
import { getUserLinks } from './openid/get-user-links.js';
import { putSignInSettings } from './openid/put-sign-in-settings.js';
import { putUserLinks } from './openid/put-user-links.js';
import { receiveIssuerLogout } from './openid/receive-issuer-logout.js';
import { authLogin } from './session/auth-login.js';
import { authLogout } from './session/auth-logout.js';
import { authRefresh } from './session/auth-refresh.js';
import { jwks } from './session/jwks.js';
import { revokeToken } from './session/revoke-token.js';
import { endUserSession } from './user/end-user-session.js';
import { listUserSessions } from './user/list-user-sessions.js';

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
