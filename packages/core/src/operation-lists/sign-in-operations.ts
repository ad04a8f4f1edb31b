/** Operations on sessions, sign-ins, lockouts and connected programs. */
import { approveConnection } from '../people/connection/approve-connection.js';
import { endConnection } from '../people/connection/end-connection.js';
import { listConnections } from '../people/connection/list-connections.js';
import { getLockout } from '../people/lockout/get-lockout.js';
import { listLockouts } from '../people/lockout/list-lockouts.js';
import { lockAccount } from '../people/lockout/lock-account.js';
import { unlockAccount } from '../people/lockout/unlock-account.js';
import { beginSignIn } from '../people/openid/begin-sign-in.js';
import { completeSignIn } from '../people/openid/complete-sign-in.js';
import { getSignInMethods } from '../people/openid/get-sign-in-methods.js';
import { getSignInSettings } from '../people/openid/get-sign-in-settings.js';
import { getUserLinks } from '../people/openid/get-user-links.js';
import { putSignInSettings } from '../people/openid/put-sign-in-settings.js';
import { putUserLinks } from '../people/openid/put-user-links.js';
import { receiveIssuerLogout } from '../people/openid/receive-issuer-logout.js';
import { authLogin } from '../people/session/auth-login.js';
import { authLogout } from '../people/session/auth-logout.js';
import { authRefresh } from '../people/session/auth-refresh.js';
import { jwks } from '../people/session/jwks.js';
import { revokeToken } from '../people/session/revoke-token.js';
import { endUserSession } from '../people/user/end-user-session.js';
import { listUserSessions } from '../people/user/list-user-sessions.js';

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
