/** The paths of the front door. */

/** The paths by what is there. Those that end with a slash go on with an id. */
export const doorPaths = {
  login: '/login',
  logout: '/logout',
  /** Served without a front door too. */
  invitation: '/invitation',
  style: '/login/style.css',
  signIn: '/login/openid/',
  signedIn: '/login/openid/callback',
  account: '/account',
  authorize: '/oauth/authorize',
  resume: '/oauth/authorize/',
  consent: '/oauth/consent/',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  register: '/oauth/register',
  authorizationServer: '/.well-known/oauth-authorization-server',
  protectedResource: '/.well-known/oauth-protected-resource',
  protectedMcp: '/.well-known/oauth-protected-resource/mcp',
  /** Not served: no identity tokens are issued. */
  unusedKeys: '/oauth/unused-keys',
} as const;
