/**
 * Where browsers sign in by issuers, and issuers log people out. This file alone says how a browser
 * keeps its session: until there are pages for people, the answer is that of `completeSignIn`.
 */
import { AgentkeepError } from '@agentkeep/core';
import { DOCUMENT_BYTES_MAX } from '@agentkeep/core/operator';
import type { BrowserAnswer, BrowserRequest } from '../openid/browser-request.js';
import {
  beginInBrowser,
  type BrowserParts,
  CALLBACK_PATH,
  completeInBrowser,
} from '../openid/browser-sign-in.js';
import { receiveLogoutForm } from '../openid/logout-form.js';
import { readBytes } from './body.js';
import type { Received } from './received.js';

/** What is done at the paths of sign-ins. */
export type SignInAction = 'begin' | 'complete' | 'logout';

/** The routes: what is done, the method and the path template. */
export const signInRoutes: readonly (readonly [SignInAction, 'GET' | 'POST', string])[] = [
  ['complete', 'GET', CALLBACK_PATH],
  ['begin', 'GET', '/login/openid/{name}'],
  ['logout', 'POST', '/login/openid/{name}/backchannel-logout'],
];

/** A request at one of these paths. */
interface DoorRequest {
  readonly action: SignInAction;
  readonly publicUrl: string;
  readonly received: Received;
  /** The variable segment of the path. */
  readonly id: string | undefined;
  readonly calls: BrowserRequest['calls'];
}

/** Answers a request of a browser or of an issuer. */
export function answerSignIn(request: DoorRequest): Promise<BrowserAnswer> {
  const { action, publicUrl, received, id, calls } = request;
  if (id === undefined && action !== 'complete') throw new AgentkeepError('not_found');
  const asked: BrowserRequest = {
    ...{ id: id ?? '', calls },
    query: new URLSearchParams(received.url.split('?').slice(1).join('?')),
    header: (name) => received.header(name),
    body: async () => Buffer.from(await readBytes(received, DOCUMENT_BYTES_MAX)).toString('utf8'),
  };
  switch (action) {
    case 'begin':
      return beginInBrowser(asked, { publicUrl, ...seam });
    case 'complete':
      return completeInBrowser(asked, { publicUrl, ...seam });
    case 'logout':
      return receiveLogoutForm(asked);
  }
}

/** What a browser gets in the end. */
const seam: Pick<BrowserParts, 'signedIn' | 'problem'> = {
  signedIn: (session) => ({ status: 200, headers: {}, body: JSON.stringify(session) }),
  problem: (status, text) => ({
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
    },
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign in</title><p>${text}</p></html>`,
  }),
};
