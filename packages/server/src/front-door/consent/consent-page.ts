/** The page where a person agrees to what a program asks for, or does not. */
import { AgentkeepError } from '@agentkeep/core';
import { partyOf } from '@agentkeep/core/operator';
import type Provider from 'oidc-provider';
import type { errors } from 'oidc-provider';
import { answeredPage } from './answered-page.js';
import { type AskedConsent, askedConsent, type Person, stateInBrowser } from './asked-consent.js';
import type { AuthorizationProvider } from '../provider/authorization-provider.js';
import { formToken } from '../pages/browser-session.js';
import { consentChoice } from './consent-choice.js';
import { consentContent } from './consent-view.js';
import { offeredScopes } from './offered-scopes.js';
import type { DoorAnswer, DoorRequest } from '../request/door-request.js';
import { doorPaths } from '../request/door-paths.js';
import { documentAskers } from '../provider/client-documents.js';
import { grantCalls } from '../provider/grant-adapter.js';
import { shownAddress } from '../provider/redirect-address.js';
import { consoleLink } from '../pages/console-link.js';
import { pageAnswer, problemPage, redirect } from '../pages/html.js';
import { loginAddress, type LoginParts } from '../pages/login-page.js';
import { sentForm } from '../pages/sent-form.js';

/** What the page needs. */
export interface ConsentParts extends LoginParts {
  readonly server: AuthorizationProvider;
}

/** A request that a logged-in person answers. */
interface Asking {
  readonly provider: Provider;
  readonly asked: AskedConsent;
  readonly person: Person;
  /** Access token of the person's session. */
  readonly session: string;
}

/** Shows the page. */
export async function showConsent(request: DoorRequest, parts: ConsentParts): Promise<DoorAnswer> {
  const asking = await askingOf(request, parts);
  return 'status' in asking ? asking : consentPage(request, parts, asking);
}

/** Takes the answer of the person, and leads back to the program. */
export async function answerConsent(
  request: DoorRequest,
  parts: ConsentParts,
): Promise<DoorAnswer> {
  const asking = await askingOf(request, parts);
  if ('status' in asking) return asking;
  const form = await sentForm(request, { ...parts, name: formName(request) });
  const { grants } = request.keep;
  // The form may arrive more than once at the same time, here and at other servers.
  if (!(await grants.takeRequest(request.id)))
    return answeredPage(409, { returnTo: doorPaths.resume + request.id });
  try {
    return await resumed(request, asking, await resultOf(request, asking, form));
  } catch (error) {
    await grants.returnRequest(request.id);
    if (!(error instanceof AgentkeepError) || error.kind === 'internal') throw error;
    const status = error.kind === 'forbidden' ? 403 : 400;
    return await consentPage(request, parts, asking, { problem: error.advice, status });
  }
}

/** Returns what the person decided; an approval is stored. */
async function resultOf(
  request: DoorRequest,
  asking: Asking,
  form: URLSearchParams,
): Promise<NonNullable<AskedConsent['interaction']['result']>> {
  if (form.get('answer') !== 'allow') {
    return { error: 'access_denied', error_description: 'The person did not agree.' };
  }
  const grantId = await approve(request, asking, form);
  return { login: { accountId: asking.person.id, remember: false }, consent: { grantId } };
}

async function askingOf(
  request: DoorRequest,
  { cookies, server }: ConsentParts,
): Promise<Asking | DoorAnswer> {
  const session = cookies.session(request.header('cookie'));
  const person = await request.calls.count(session);
  if (person?.kind !== 'account' || session === undefined) {
    return redirect(loginAddress(doorPaths.consent + request.id));
  }
  const state = await stateInBrowser(request);
  const status = request.method === 'POST' ? 409 : 404;
  if (state === 'closed') return answeredPage(status);
  if (state === 'answered') {
    return answeredPage(status, { returnTo: doorPaths.resume + request.id });
  }
  const provider = await server.provider();
  const asked = await askedOf(person, provider, request);
  if (asked !== undefined && 'status' in asked) return asked;
  if (asked === undefined) {
    const text = 'Go back to the program and connect it again. A request ends after ten minutes.';
    return problemPage(404, 'This request has ended', text);
  }
  return { provider, asked, person, session };
}

async function askedOf(
  person: Person,
  provider: Provider,
  request: DoorRequest,
): Promise<AskedConsent | DoorAnswer | undefined> {
  const find = () => askedConsent(provider, request);
  const origin = request.calls.origin;
  try {
    return await grantCalls.run(origin, () => documentAskers.run(partyOf(person), find));
  } catch (error) {
    if (!isRefusedProgram(error)) throw error;
    const { statusCode, error_description: text = '' } = error;
    return problemPage(statusCode, 'The program cannot be connected now', `${text}.`);
  }
}

/** Whether the document of the program was refused or not answered since the program asked. */
function isRefusedProgram(error: unknown): error is errors.OIDCProviderError {
  return error instanceof Error && 'expose' in error && error.expose === true;
}

async function consentPage(
  request: DoorRequest,
  parts: ConsentParts,
  { asked, person, session }: Asking,
  { problem, status = 200 }: { readonly problem?: string; readonly status?: number } = {},
): Promise<DoorAnswer> {
  const { secret } = parts.cookies.formSecret(request.header('cookie'));
  const offered = await offeredScopes(request, person, session);
  const token = formToken(secret, formName(request));
  const { redirectUri } = asked;
  // Browsers compare the policy with where the answer to the form leads in the end.
  const target = redirectUri.origin === 'null' ? redirectUri.protocol : redirectUri.origin;
  return pageAnswer({
    title: 'Connect a program',
    content: consentContent({ asked, person, offered, token, problem, way: consoleLink(parts) }),
    status,
    formTargets: [target],
  });
}

async function approve(
  request: DoorRequest,
  { provider, asked, person, session }: Asking,
  form: URLSearchParams,
): Promise<string> {
  const { client, redirectUri, resource } = asked;
  const choice = consentChoice(form, person);
  const document = {
    client_id: client.clientId,
    client_name: client.clientName ?? null,
    client_host: shownAddress(redirectUri),
    ...choice,
  };
  const approval = await request.calls.invoke('approveConnection', { document }, session);
  const { approval_id: grantId } = approval;
  await grantCalls.run(request.calls.origin, async () => {
    const named = { jti: grantId, accountId: person.id, clientId: client.clientId };
    const grant = new provider.Grant(named);
    grant.addResourceScope(resource, choice.access.join(' '));
    await grant.save();
  });
  return grantId;
}

async function resumed(
  { calls }: DoorRequest,
  { asked: { interaction } }: Asking,
  result: NonNullable<AskedConsent['interaction']['result']>,
): Promise<DoorAnswer> {
  interaction.result = result;
  const leftSecs = interaction.exp - Math.floor(Date.now() / 1_000);
  await grantCalls.run(calls.origin, () => interaction.save(leftSecs));
  return redirect(interaction.returnTo);
}

/** A token fits one request only. */
function formName({ id }: DoorRequest): string {
  return `consent ${id}`;
}
