/** How people sign in by issuers at the front door, and issuers log them out. */
import { AgentkeepError } from '@agentkeep/core';
import type { DoorAnswer, DoorRequest } from '../request/door-request.js';
import {
  beginInBrowser,
  type BrowserParts,
  completeInBrowser,
} from '../../openid/browser-sign-in.js';
import { receiveLogoutForm } from '../../openid/logout-form.js';
import { problemPage } from './html.js';
import { type LoginParts, opened } from './login-page.js';

/** Leads a browser to an issuer. */
export async function beginSignIn(request: DoorRequest, parts: LoginParts): Promise<DoorAnswer> {
  await request.calls.count(undefined);
  requireIssuer(request);
  return beginInBrowser(request, browserParts(parts));
}

/** Completes the sign-in of a browser that comes back from an issuer. */
export async function completeSignIn(request: DoorRequest, parts: LoginParts): Promise<DoorAnswer> {
  await request.calls.count(undefined);
  return completeInBrowser(request, browserParts(parts));
}

/** Ends the sessions that an issuer logs out. */
export async function logOutByIssuer(request: DoorRequest): Promise<DoorAnswer> {
  await request.calls.count(undefined);
  requireIssuer(request);
  return receiveLogoutForm(request);
}

/** A segment that cannot be decoded names no issuer. */
function requireIssuer({ id }: DoorRequest): void {
  if (id === '') throw new AgentkeepError('not_found');
}

function browserParts(parts: LoginParts): BrowserParts {
  return {
    publicUrl: parts.publicUrl,
    signedIn: (session, next) => opened(session, next, parts),
    problem: (status, text) => problemPage(status, 'The sign-in failed', text),
  };
}
