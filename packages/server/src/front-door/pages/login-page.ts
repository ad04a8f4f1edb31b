/** The page where people log in, and what it leads to. */
import { AgentkeepError } from '@agentkeep/core';
import type { OutputOf } from '@agentkeep/core/clients';
import { ConsoleCookie } from '../../console/console-cookie.js';
import { isConsolePath } from '../../console/console-paths.js';
import { type BrowserCookies, formToken } from './browser-session.js';
import type { DoorAnswer, DoorRequest } from '../request/door-request.js';
import { doorPaths } from '../request/door-paths.js';
import { html, isolated, joined, type Markup, pageAnswer, redirect } from './html.js';
import { consoleLink } from './console-link.js';
import { FORM_TOKEN, sentForm } from './sent-form.js';

const FORM = 'login';

/** What the page needs. */
export interface LoginParts {
  readonly cookies: BrowserCookies;
  readonly publicUrl: string;
  /** Whether the console is served, so that pages lead to it. */
  readonly hasConsole: boolean;
}

/** Returns the way to the login page that leads back to a page of this server. */
export function loginAddress(next: string): string {
  return `${doorPaths.login}?${new URLSearchParams({ next }).toString()}`;
}

/** Shows the page. */
export async function showLogin(request: DoorRequest, parts: LoginParts): Promise<DoorAnswer> {
  await request.calls.count(undefined);
  const { query } = request;
  const shown = { next: localPath(query.get('next')), tenantId: query.get('tenant') ?? '' };
  return loginPage(request, parts, shown);
}

/** Logs in with what was sent, and leads on; shows the page again after a failure. */
export async function logIn(request: DoorRequest, parts: LoginParts): Promise<DoorAnswer> {
  await request.calls.count(undefined);
  const form = await sentForm(request, { ...parts, name: FORM });
  const sent = (name: string): string => form.get(name) ?? '';
  const shown = { next: localPath(sent('next')), tenantId: sent('tenant'), name: sent('username') };
  const document = {
    username: shown.name,
    password: sent('password'),
    ...(shown.tenantId === '' ? {} : { tenant_id: shown.tenantId }),
  };
  try {
    const session = await request.calls.invoke('authLogin', { document });
    return opened(session, shown.next, parts);
  } catch (error) {
    if (!(error instanceof AgentkeepError) || error.kind === 'internal') throw error;
    const status = error.kind === 'locked' ? 429 : error.kind === 'busy' ? 503 : 401;
    return loginPage(request, parts, { ...shown, problem: error.advice, status });
  }
}

/** Returns the answer that keeps a new session in the browser, and leads on. */
export function opened(
  session: OutputOf<'authLogin'>,
  next: string,
  { cookies, publicUrl }: LoginParts,
): DoorAnswer {
  const { access_token: token, expires_in: seconds } = session;
  const path = localPath(next);
  const { refresh_token: refreshToken, refresh_expires_in: lifeSeconds } = session;
  const cookie = isConsolePath(path)
    ? new ConsoleCookie(publicUrl).keep(refreshToken, lifeSeconds)
    : cookies.keepSession(token, seconds);
  return redirect(path, [cookie]);
}

/** Returns a path of this server; anything else leads to the account. */
function localPath(path: string | null): string {
  const isLocal = path !== null && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path);
  return isLocal ? path : doorPaths.account;
}

interface Shown {
  readonly next: string;
  readonly tenantId: string;
  readonly name?: string;
  readonly problem?: string;
  readonly status?: number;
}

async function loginPage(
  request: DoorRequest,
  parts: LoginParts,
  { next, tenantId, name = '', problem, status = 200 }: Shown,
): Promise<DoorAnswer> {
  const { secret, cookies: made } = parts.cookies.formSecret(request.header('cookie'));
  const methods = await methodsOf(request, tenantId);
  const token = formToken(secret, FORM);
  const content = html`<h1>Sign in</h1>
    ${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
    ${methods.allows_passwords ? passwordForm({ next, tenantId, name }, token) : ''}
    ${issuerLinks(methods, { next, tenantId })} ${consoleLink(parts)}`;
  return pageAnswer({ title: 'Sign in', content, status, cookies: made });
}

/** Returns the form to log in with a password. */
function passwordForm({ next, tenantId, name = '' }: Shown, token: string): Markup {
  return html`<form method="post" action="${doorPaths.login}">
    <input type="hidden" name="${FORM_TOKEN}" value="${token}" />
    <input type="hidden" name="next" value="${next}" />
    <div class="field">
      <label for="tenant">Tenant</label>
      <input id="tenant" name="tenant" value="${tenantId}" autocomplete="organization" />
      <small class="soft">Leave it empty for an account of the installation.</small>
    </div>
    <div class="field">
      <label for="username">Username</label>
      <input
        id="username"
        name="username"
        value="${name}"
        autocomplete="username"
        required
        autofocus
      />
    </div>
    <div class="field">
      <label for="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        required
      />
    </div>
    <button class="main" type="submit">Sign in</button>
  </form>`;
}

type Methods = OutputOf<'getSignInMethods'>;

/** Returns how people of a tenant sign in; of one that cannot exist, by password. */
async function methodsOf({ calls }: DoorRequest, tenantId: string): Promise<Methods> {
  const parameters = tenantId === '' ? {} : { tenant_id: tenantId };
  try {
    return await calls.invoke('getSignInMethods', { parameters });
  } catch (error) {
    if (!(error instanceof AgentkeepError) || error.kind !== 'invalid') throw error;
    return { allows_passwords: true, issuers: [] };
  }
}

/** Returns links to the issuers of a tenant, and a form that asks which tenant it is. */
function issuerLinks(
  { issuers }: Methods,
  { next, tenantId }: Pick<Shown, 'next' | 'tenantId'>,
): Markup {
  const tenancy = tenantId === '' ? {} : { tenant: tenantId };
  const query = new URLSearchParams({ ...tenancy, next }).toString();
  const links = issuers.map(
    (name) =>
      html`<a class="button" href="${doorPaths.signIn}${encodeURIComponent(name)}?${query}"
        >Sign in with ${isolated(name)}</a
      >`,
  );
  return html`${joined(links)}
    <form method="get" action="${doorPaths.login}">
      <input type="hidden" name="next" value="${next}" />
      <div class="field">
        <label for="elsewhere">Tenant, for single sign-on</label>
        <input id="elsewhere" name="tenant" />
      </div>
      <button type="submit">Use single sign-on</button>
    </form>`;
}
