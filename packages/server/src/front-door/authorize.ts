/** The authorization endpoint. Only people who are logged in get to the authorization server. */
import { parsedUrl } from '@agentkeep/core/clients';
import { ACCESS_NAMES, partyOf } from '@agentkeep/core/operator';
import { answeredPage } from './consent/answered-page.js';
import type { AuthorizationProvider } from './provider/authorization-provider.js';
import { requestedAccess } from './request/requested-access.js';
import type { DoorAnswer, DoorRequest } from './request/door-request.js';
import { doorPaths } from './request/door-paths.js';
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
  const target = `${path}?${knownQuery(request.query).toString()}`;
  if (person?.kind !== 'account') return redirect(loginAddress(target));
  const { grants } = request.keep;
  const state = request.id === '' ? undefined : await grants.requestState(request.id);
  if (state === 'closed') return answeredPage(409);
  // The program gets no answer that the person has not given.
  if (state !== undefined && !(await hasResult(request))) {
    return redirect(doorPaths.consent + request.id);
  }
  const handed = { method: 'GET', target, cookie: header, asker: partyOf(person) };
  const answer = await server.answer(handed, { ...calls.origin, person });
  const refused = (error: string): void => {
    request.keep.grants.refused(error, request.query.get('client_id'), calls.origin);
  };
  if (answer.status < 400) {
    const location = answer.headers['Location'];
    const told = toldError(location);
    if (told !== undefined) refused(told);
    if (location === undefined) throw new Error('The authorization server answered with a page.');
    return redirect(location, answer.cookies);
  }
  if (state !== undefined && (await grants.requestState(request.id)) === 'closed') {
    return answeredPage(409);
  }
  // The program is not told: its address could not be trusted.
  const { error = 'error', error_description: text = '' } = JSON.parse(answer.body) as Refusal;
  refused(error);
  const title = isTemporary(answer.status) ? TRY_AGAIN : 'The program asked for something wrong';
  return problemPage(answer.status, title, `${error}: ${text}`);
}

const TRY_AGAIN = 'The program cannot be connected now';
const SERVICE_UNAVAILABLE = 503;

function isTemporary(status: number): boolean {
  return status === SERVICE_UNAVAILABLE;
}

/** The codes that the authorization endpoint tells programs. */
const TOLD: ReadonlySet<string> = new Set([
  ...['invalid_request', 'unauthorized_client', 'access_denied', 'unsupported_response_type'],
  ...['unsupported_response_mode', 'invalid_scope', 'invalid_target', 'server_error'],
  ...['temporarily_unavailable', 'login_required', 'consent_required', 'interaction_required'],
  ...['account_selection_required', 'request_not_supported', 'request_uri_not_supported'],
  ...['registration_not_supported', 'invalid_request_object', 'invalid_request_uri'],
]);

/** Returns whether the answer of the person to a request is stored. */
async function hasResult({ keep, id }: DoorRequest): Promise<boolean> {
  const { payload } = (await keep.grants.find('Interaction', id)) ?? {};
  return typeof payload === 'object' && payload !== null && 'result' in payload;
}

/** Returns the error that an address tells a program. The address may state texts of its own. */
function toldError(location: string | undefined): string | undefined {
  const url = location === undefined ? undefined : parsedUrl(location);
  const told = url?.searchParams.get('error') ?? '';
  return TOLD.has(told) ? told : undefined;
}

interface Refusal {
  readonly error?: string;
  readonly error_description?: string;
}

/** What is served of parameters for which the library has further values, and other answers. */
const SERVED = { response_type: 'code', response_mode: 'query' } as const;

/** Takes the place of a value that is not served. */
const NOT_SERVED = 'unsupported';

/**
 * Returns the query without what is not served, so that each answer is in the query of an address
 * (docs/contract/oauth.md#oau-27), and with the kinds of access that count. Programs often name
 * scopes of others, or none.
 */
function knownQuery(query: URLSearchParams): URLSearchParams {
  const known = new URLSearchParams(query);
  for (const [name, served] of Object.entries(SERVED)) {
    const [value = '', ...more] = query.getAll(name);
    // A parameter without a value counts as none (RFC 6749, section 3.1).
    const isServed = value === served || value === '';
    if (!isServed && more.length === 0) known.set(name, NOT_SERVED);
  }
  if (query.getAll('scope').length > 1 || !query.has('client_id')) return known;
  const access = requestedAccess(query.get('scope'));
  known.set('scope', ACCESS_NAMES.filter((each) => access.includes(each)).join(' '));
  return known;
}
