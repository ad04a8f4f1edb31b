/** How browsers sign in by an issuer (docs/contract/openid.md#oid-32). */
import { AgentkeepError } from '@agentkeep/core';
import type { OutputOf } from '@agentkeep/core/clients';
import type { BrowserAnswer, BrowserRequest } from './browser-request.js';
import { SignInCookie } from './sign-in-cookie.js';

/** Where browsers come back to. */
const CALLBACK_PATH = '/login/openid/callback';

/** What sign-ins of browsers need. */
export interface BrowserParts {
  /** The address under which browsers reach the server, without a path. */
  readonly publicUrl: string;
  /** Returns the answer that keeps a new session in the browser, and leads to a path. */
  readonly signedIn: (session: OutputOf<'completeSignIn'>, next: string) => BrowserAnswer;
  /** Returns a page that says what went wrong and what to do. */
  readonly problem: (status: number, text: string) => BrowserAnswer;
}

/** Leads a browser to the issuer of its path. */
export async function beginInBrowser(
  { id: issuer, query, calls }: BrowserRequest,
  { publicUrl, problem }: BrowserParts,
): Promise<BrowserAnswer> {
  const tenant = query.get('tenant') ?? '';
  const document = {
    issuer,
    redirect_uri: publicUrl + CALLBACK_PATH,
    ...(tenant === '' ? {} : { tenant_id: tenant }),
  };
  try {
    const begun = await calls.invoke('beginSignIn', { document });
    const { attempt, authorization_url: Location } = begun;
    const cookie = new SignInCookie(publicUrl).keep({ attempt, next: query.get('next') ?? '' });
    return { status: 303, headers: { Location }, cookies: [cookie], body: '' };
  } catch (error) {
    return problem(...problemOf(error));
  }
}

/** Completes the sign-in of a browser that comes back. */
export async function completeInBrowser(
  request: BrowserRequest,
  { publicUrl, signedIn, problem }: BrowserParts,
): Promise<BrowserAnswer> {
  const cookie = new SignInCookie(publicUrl);
  const begun = cookie.read(request.header('cookie'));
  const answer = await completed(request, begun?.attempt, problem, (session) =>
    signedIn(session, begun?.next ?? ''),
  );
  return { ...answer, cookies: [...(answer.cookies ?? []), cookie.forget()] };
}

async function completed(
  { query, calls }: BrowserRequest,
  attempt: string | undefined,
  problem: BrowserParts['problem'],
  signedIn: (session: OutputOf<'completeSignIn'>) => BrowserAnswer,
): Promise<BrowserAnswer> {
  // A browser without a sign-in is refused as one with another's.
  const document = { attempt: attempt ?? 'none', callback: query.toString() || 'none' };
  try {
    return signedIn(await calls.invoke('completeSignIn', { document }));
  } catch (error) {
    return problem(...problemOf(error));
  }
}

const STATUSES: Readonly<Partial<Record<AgentkeepError['kind'], number>>> = {
  unauthenticated: 401,
  not_found: 404,
  invalid: 400,
  busy: 503,
};

/** The status and the text of a refusal. Anything else is no matter of a page. */
function problemOf(error: unknown): [number, string] {
  const status = error instanceof AgentkeepError ? STATUSES[error.kind] : undefined;
  if (status === undefined) throw error;
  return [status, (error as AgentkeepError).advice];
}
