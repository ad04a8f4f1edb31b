/** What programs send themselves: codes and refresh tokens, revocations, registrations. */
import { AgentkeepError } from '@agentkeep/core';
import type { Grants } from '@agentkeep/core/operator';
import type { AuthorizationProvider } from './provider/authorization-provider.js';
import {
  hasLongName,
  knownMetadata,
  NAME_ALLOWED,
  publicClient,
  REDIRECTS_ALLOWED,
} from './provider/client-metadata.js';
import type { DoorAnswer, DoorRequest } from './request/door-request.js';
import { doorPaths } from './request/door-paths.js';
import { TOKEN_OF_GRANT } from './provider/grant-adapter.js';

type SecretKind = Parameters<Grants['endReused']>[0];

const PROGRAM_GRANTS: readonly (string | null)[] = ['authorization_code', 'refresh_token'];

/** Returns whether a token request is one of a program that a person connected. */
export function isProgramGrant(form: URLSearchParams): boolean {
  return PROGRAM_GRANTS.includes(form.get('grant_type'));
}

/** Answers a token request of a program (RFC 6749, sections 4.1.3 and 6). */
export async function answerProgramGrant(
  request: DoorRequest,
  server: AuthorizationProvider,
): Promise<DoorAnswer> {
  await request.calls.count(undefined);
  const form = new URLSearchParams(await request.body());
  return (await reuseRefused(request, form)) ?? handedOn(request, server, form);
}

/** The kind of what a grant type redeems, and the member that has it. */
const secretKinds: Readonly<Record<string, readonly [SecretKind, string]>> = {
  authorization_code: ['AuthorizationCode', 'code'],
  refresh_token: ['RefreshToken', 'refresh_token'],
};

/**
 * Ends the connection of a code or refresh token that was used before, whatever else the request
 * states, and returns the refusal; `undefined` for one that may be good.
 */
async function reuseRefused(
  request: DoorRequest,
  form: URLSearchParams,
): Promise<DoorAnswer | undefined> {
  const [kind, member] = secretKinds[form.get('grant_type') ?? ''] ?? [];
  if (kind === undefined || member === undefined) return undefined;
  const { keep, calls } = request;
  const isReused = await keep.grants.endReused(kind, form.get(member) ?? '', calls.origin);
  if (!isReused) return undefined;
  const error_description = 'It was used before, so the connection has ended. Connect again.';
  const body = JSON.stringify({ error: 'invalid_grant', error_description });
  return reported(request, { status: 400, headers: {}, body }, form.get('client_id'));
}

/** Answers a revocation (RFC 7009), of a refresh token or of an access token. */
export async function answerRevocation(
  request: DoorRequest,
  server: AuthorizationProvider,
): Promise<DoorAnswer> {
  await request.calls.count(undefined);
  const form = new URLSearchParams(await request.body());
  const token = form.get('token') ?? '';
  // Only this server may name a grant so.
  if (token.startsWith(TOKEN_OF_GRANT)) throw new AgentkeepError('invalid_request');
  const grant = await request.keep.grants.grantOfToken(token);
  if (grant !== undefined) {
    form.set('token', `${TOKEN_OF_GRANT}${grant.grantId} ${grant.clientId}`);
    form.set('token_type_hint', 'access_token');
  } else if (token.split('.').length === 3) {
    // A token that is none, or no more, is revoked already.
    return { status: 200, headers: {}, body: '' };
  }
  return handedOn(request, server, form);
}

/** Answers a registration (RFC 7591): all programs are public, and nothing is stored. */
export async function answerRegistration(
  request: DoorRequest,
  server: AuthorizationProvider,
): Promise<DoorAnswer> {
  await request.calls.count(undefined);
  const stated = jsonOf(await request.body());
  const metadata = knownMetadata(stated);
  if (server.allowsRegistration) {
    if (metadata === undefined) return reported(request, refusedAddresses, null);
    if (hasLongName(stated)) return reported(request, refusedName, null);
  }
  const body = JSON.stringify(metadata === undefined ? {} : publicClient(metadata));
  const handed = { method: 'POST', target: doorPaths.register, body, isJson: true };
  return reported(request, await server.answer(handed, request.calls.origin), null);
}

const refusedAddresses = refusedMetadata('invalid_redirect_uri', REDIRECTS_ALLOWED);
const refusedName = refusedMetadata('invalid_client_metadata', NAME_ALLOWED);

function refusedMetadata(error: string, error_description: string): DoorAnswer {
  return {
    status: 400,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ error, error_description }),
  };
}

async function handedOn(
  request: DoorRequest,
  server: AuthorizationProvider,
  form: URLSearchParams,
): Promise<DoorAnswer> {
  const handed = { method: 'POST', target: request.path, body: form.toString() };
  const answer = await server.answer(handed, request.calls.origin);
  return reported(request, answer, form.get('client_id'));
}

/** Notes a refusal in the log of the installation. */
function reported(
  { keep, calls }: DoorRequest,
  answer: DoorAnswer,
  clientId: string | null,
): DoorAnswer {
  if (answer.status < 400) return answer;
  const { error = 'error' } = jsonOf(answer.body) as { readonly error?: string };
  keep.grants.refused(error, clientId, calls.origin);
  return answer;
}

function jsonOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
