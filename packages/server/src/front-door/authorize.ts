/** The authorization endpoint. Only people who are logged in get to the authorization server. */
import { ACCESS_NAMES } from '@agentkeep/core/operator';
import type { AuthorizationProvider } from './provider/authorization-provider.js';
import { requestedAccess } from './request/requested-access.js';
import type { DoorAnswer, DoorRequest } from './request/door-request.js';
import { problemPage, redirect } from './pages/html.js';
import { loginAddress, type LoginParts } from './pages/login-page.js';

/** Begins or resumes the request of a program. Nothing is stored before the login. */
export async function authorize(
  request: DoorRequest,
  { cookies, server }: LoginParts & { readonly server: AuthorizationProvider },
): Promise<DoorAnswer> {
  const { calls, path } = request;
  const header = request.header('cookie');
  const person = await calls.count(cookies.session(header));
  const target = `${path}?${scopedQuery(request.query).toString()}`;
  if (person?.kind !== 'account') return redirect(loginAddress(target));
  const answer = await server.answer({ method: 'GET', target, cookie: header }, calls.origin);
  const refused = (error: string): void => {
    request.keep.grants.refused(error, request.query.get('client_id'), calls.origin);
  };
  if (answer.status < 400) {
    const told = toldError(answer.headers['Location']);
    if (told !== undefined) refused(told);
    return answer;
  }
  // The program is not told: its address could not be trusted.
  const { error = 'error', error_description: text = '' } = JSON.parse(answer.body) as Refusal;
  refused(error);
  return problemPage(answer.status, 'The program asked for something wrong', `${error}: ${text}`);
}

/** Returns the error that an address tells a program, in its query or its fragment. */
function toldError(location: string | undefined): string | undefined {
  if (location === undefined || !URL.canParse(location)) return undefined;
  const { searchParams, hash } = new URL(location);
  return searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error') ?? undefined;
}

interface Refusal {
  readonly error?: string;
  readonly error_description?: string;
}

/** Names the kinds of access that count. Programs often name scopes of others, or none. */
function scopedQuery(query: URLSearchParams): URLSearchParams {
  const scoped = new URLSearchParams(query);
  if (query.getAll('scope').length > 1 || !query.has('client_id')) return scoped;
  const access = requestedAccess(query.get('scope'));
  scoped.set('scope', ACCESS_NAMES.filter((each) => access.includes(each)).join(' '));
  return scoped;
}
