/**
 * The page of an invitation or a reset link, where a person sets a password. The link alone opens
 * it, so it is served without a front door too.
 */
import { parsedUrl } from '@agentkeep/core/clients';
import { AgentkeepError } from '@agentkeep/core';
import { ConsoleCookie } from '../../console/console-cookie.js';
import { CONSOLE_PAGE } from '../../console/console-paths.js';
import type { DoorAnswer, DoorRequest } from '../request/door-request.js';
import { doorPaths } from '../request/door-paths.js';
import { consoleLink } from './console-link.js';
import { html, isolated, pageAnswer, problemPage, redirect } from './html.js';

const TITLE = 'Choose a password';
const RULE =
  'At least 12 characters, with an upper-case letter, a lower-case letter, a digit and one of ' +
  '!@#$%^&*()_+-=[]{}|;:,.<>?';

const FORM = /^application\/x-www-form-urlencoded\b/i;

/** What the page needs. */
export interface InvitationParts {
  /** The host that the request names. */
  readonly host: string | null;
  /** Whether the console is served, to which the person is led. */
  readonly hasConsole: boolean;
}

/** Shows the page. Nothing is used up by it, so that what opens links in advance does no harm. */
export async function showInvitation(request: DoorRequest): Promise<DoorAnswer> {
  await request.calls.count(undefined);
  return passwordPage({ code: request.query.get('code') ?? '' });
}

/** Sets the password that was sent, and signs the person in to the console. */
export async function acceptFromPage(
  request: DoorRequest,
  parts: InvitationParts,
): Promise<DoorAnswer> {
  await request.calls.count(undefined);
  const origin = requireOwnPage(request, parts);
  if (!FORM.test(request.header('content-type') ?? '')) throw new AgentkeepError('invalid_request');
  const form = new URLSearchParams(await request.body());
  const [code, password] = [form.get('code') ?? '', form.get('password') ?? ''];
  if (password !== form.get('again')) {
    return passwordPage({ code, problem: 'The two passwords are different.', status: 400 });
  }
  try {
    const document = { code, password };
    const accepted = await request.calls.invoke('acceptInvitation', { document });
    return await welcome(request, parts, { ...accepted, password, origin });
  } catch (error) {
    if (!(error instanceof AgentkeepError) || error.kind === 'internal') throw error;
    if (error.code === 'invitation_ended' || error.code === 'invalid_request') return endedPage();
    if (error.kind === 'forbidden') return problemPage(403, 'Not possible here', error.advice);
    const status = error.kind === 'busy' ? 503 : 400;
    return passwordPage({ code, problem: error.advice, status });
  }
}

interface Accepted {
  readonly username: string;
  readonly tenant_id: string | null;
  readonly password: string;
  readonly origin: string;
}

/** Leads to the console, signed in; else says what to sign in with. */
async function welcome(
  { calls }: DoorRequest,
  parts: InvitationParts,
  { username, tenant_id: tenantId, password, origin }: Accepted,
): Promise<DoorAnswer> {
  if (parts.hasConsole) {
    const tenancy = tenantId === null ? {} : { tenant_id: tenantId };
    const document = { username, password, ...tenancy };
    const session = await calls.invoke('authLogin', { document }).catch(refusalOnly);
    if (session !== undefined) {
      const { refresh_token: token, refresh_expires_in: seconds } = session;
      return redirect(CONSOLE_PAGE, [new ConsoleCookie(origin).keep(token, seconds)]);
    }
  }
  const where =
    tenantId === null ? html`of the installation` : html`of the tenant ${isolated(tenantId)}`;
  const content = html`<h1>Your password is set</h1>
    <p>You can sign in as <strong>${isolated(username)}</strong> ${where}.</p>
    ${consoleLink(parts)}`;
  return pageAnswer({ title: 'Your password is set', content });
}

/** The name may be locked, or the account have ended meanwhile: the password is set anyway. */
function refusalOnly(error: unknown): undefined {
  if (error instanceof AgentkeepError && error.kind !== 'internal') return undefined;
  throw error;
}

/**
 * Returns the origin of the page that sent the form, which must be this server's: another site must
 * not sign a browser in to an account of its own.
 *
 * @throws {AgentkeepError} `forbidden`
 */
function requireOwnPage(request: DoorRequest, { host }: InvitationParts): string {
  const origin = request.header('origin') ?? '';
  const site = request.header('sec-fetch-site') ?? 'same-origin';
  const isOwn = parsedUrl(origin)?.host === host && site === 'same-origin';
  if (isOwn) return origin;
  const message = 'This form came from another site. Open the link that you were sent again.';
  throw new AgentkeepError('forbidden', { message });
}

function endedPage(): DoorAnswer {
  const { advice } = new AgentkeepError('invitation_ended');
  return problemPage(410, 'This link has ended', advice);
}

function passwordPage({
  code,
  problem,
  status = 200,
}: {
  readonly code: string;
  readonly problem?: string;
  readonly status?: number;
}): DoorAnswer {
  const content = html`<h1>${TITLE}</h1>
    <p>It is for your account of Agentkeep. Only you will know it.</p>
    ${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
    <form method="post" action="${doorPaths.invitation}">
      <input type="hidden" name="code" value="${code}" />
      <div class="field">
        <label for="password">New password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="new-password"
          aria-describedby="rule"
          required
          autofocus
        />
        <small class="soft" id="rule">${RULE}</small>
      </div>
      <div class="field">
        <label for="again">The same password again</label>
        <input id="again" name="again" type="password" autocomplete="new-password" required />
      </div>
      <button class="main" type="submit">Set the password</button>
    </form>`;
  return pageAnswer({ title: TITLE, content, status });
}
