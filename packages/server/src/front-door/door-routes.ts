/** What the front door does at which path. */
import type { DoorAction } from './front-door.js';
import { doorPaths } from './request/door-paths.js';

/** The routes: what is done, the method and the path template. */
export const doorRoutes: readonly (readonly [DoorAction, 'GET' | 'POST', string])[] = [
  ['showLogin', 'GET', doorPaths.login],
  ['logIn', 'POST', doorPaths.login],
  ['completeSignIn', 'GET', doorPaths.signedIn],
  ['beginSignIn', 'GET', `${doorPaths.signIn}{issuer}`],
  ['logOutByIssuer', 'POST', `${doorPaths.signIn}{issuer}/backchannel-logout`],
  ['style', 'GET', doorPaths.style],
  ['logOut', 'POST', doorPaths.logout],
  ['showAccount', 'GET', doorPaths.account],
  ['endFromPage', 'POST', doorPaths.account],
  ['authorize', 'GET', doorPaths.authorize],
  ['authorize', 'GET', `${doorPaths.resume}{request}`],
  ['showConsent', 'GET', `${doorPaths.consent}{request}`],
  ['answerConsent', 'POST', `${doorPaths.consent}{request}`],
  ['revoke', 'POST', doorPaths.revoke],
  ['register', 'POST', doorPaths.register],
  ['authorizationServer', 'GET', doorPaths.authorizationServer],
  ['protectedResource', 'GET', doorPaths.protectedResource],
  ['protectedMcp', 'GET', doorPaths.protectedMcp],
];
