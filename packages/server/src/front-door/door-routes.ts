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

/** What is served without a front door too. */
export type OpenPage = 'showInvitation' | 'acceptFromPage' | 'style';

/** The routes of {@link OpenPage}. */
export const openRoutes: readonly (readonly [OpenPage, 'GET' | 'POST', string])[] = [
  ['showInvitation', 'GET', doorPaths.invitation],
  ['acceptFromPage', 'POST', doorPaths.invitation],
  ['style', 'GET', doorPaths.style],
];
