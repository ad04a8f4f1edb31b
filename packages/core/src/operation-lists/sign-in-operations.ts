/** Operations on sessions, sign-ins, lockouts and connected programs. */
import { approveConnection } from '../domains/people/connection/approve-connection.js';
import { endConnection } from '../domains/people/connection/end-connection.js';
import { listConnections } from '../domains/people/connection/list-connections.js';
import { getLockout } from '../domains/people/lockout/get-lockout.js';
import { listLockouts } from '../domains/people/lockout/list-lockouts.js';
import { lockAccount } from '../domains/people/lockout/lock-account.js';
import { unlockAccount } from '../domains/people/lockout/unlock-account.js';
import { beginSignIn } from '../domains/people/openid/begin-sign-in.js';
import { completeSignIn } from '../domains/people/openid/complete-sign-in.js';
import { getSignInMethods } from '../domains/people/openid/get-sign-in-methods.js';
import { getSignInSettings } from '../domains/people/openid/get-sign-in-settings.js';
import { getUserLinks } from '../domains/people/openid/get-user-links.js';
import { putSignInSettings } from '../domains/people/openid/put-sign-in-settings.js';
import { putUserLinks } from '../domains/people/openid/put-user-links.js';
import { receiveIssuerLogout } from '../domains/people/openid/receive-issuer-logout.js';
import { authLogin } from '../domains/people/session/auth-login.js';
import { authLogout } from '../domains/people/session/auth-logout.js';
import { authRefresh } from '../domains/people/session/auth-refresh.js';
import { jwks } from '../domains/people/session/jwks.js';
import { revokeToken } from '../domains/people/session/revoke-token.js';
import { endUserSession } from '../domains/people/user/end-user-session.js';
import { listUserSessions } from '../domains/people/user/list-user-sessions.js';

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
  listLockouts,
  getLockout,
  lockAccount,
  unlockAccount,
  approveConnection,
  listConnections,
  endConnection,
} as const;
