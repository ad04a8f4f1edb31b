/** `POST /oauth/token`: exchanges for tokens in the forms of OAuth 2.0 (FED-23). */
import { AgentkeepError, type Keep, operations } from '@agentkeep/core';
import {
  type AttemptedProof,
  type Call,
  type CallerProof,
  DOCUMENT_BYTES_MAX,
  embeddedInput,
} from '@agentkeep/core/operator';
import type { DoorAnswer } from '../front-door/request/door-request.js';
import { isProgramGrant } from '../front-door/program-requests.js';
import { readBytes } from './body.js';
import { doorAnswer } from './door-answer.js';
import type { CallingExchange } from './exchange-call.js';
import { attemptedProofs, readProof } from './proof.js';
import type { Received } from './received.js';
import { type Answer, type Answering, respond } from './respond.js';
import {
  oauthErrorOf,
  readTokenForm,
  type TokenCall,
  TokenFormError,
} from '../oauth/token-form.js';

/** The path of the token endpoint. */
export const TOKEN_PATH = '/oauth/token';

/** A token request. */
interface TokenRequest {
  readonly keep: Keep;
  readonly exchange: CallingExchange;
  readonly received: Received;
  /** Answers for programs that people connected; absent without a front door. */
  readonly programGrant: ((form: string) => Promise<DoorAnswer>) | undefined;
  /** Returns the context of every answer, with further headers. */
  readonly answering: (headers?: Record<string, string>) => Answering;
}

/** Most bytes of a token request. */
export const TOKEN_BYTES_MAX =
  operations.issueFederatedToken.document?.bytesMax ?? DOCUMENT_BYTES_MAX;
const FORM = /^application\/x-www-form-urlencoded$/i;

/** Answers a token request, and its refusals as OAuth has them. */
export async function answerTokenRequest(request: TokenRequest): Promise<Answer> {
  const { answering, programGrant } = request;
  const sent: { form?: string } = {};
  try {
    const form = await counted(request, () => formOf(request.received));
    sent.form = form;
    if (programGrant !== undefined && isProgramGrant(new URLSearchParams(form))) {
      return doorAnswer(await programGrant(form), answering);
    }
    const call = await counted(request, () => readTokenForm(form));
    const { access_token, token_type, expires_in } = await issue(request, call);
    const { issuedType: issued_token_type } = call;
    const answer = { access_token, token_type, expires_in, issued_token_type };
    return respond(200, JSON.stringify(answer), answering());
  } catch (error) {
    const known = refusalOf(error);
    if (known === undefined) throw error;
    if (!hasEvent(error, request)) note(request, known[1], sent.form ?? '');
    return refusal(request, ...known);
  }
}

async function formOf(received: Received): Promise<string> {
  const mediaType = received.header('content-type')?.split(';', 1)[0]?.trim() ?? '';
  const bytes = await readBytes(received, TOKEN_BYTES_MAX);
  if (FORM.test(mediaType)) return Buffer.from(bytes).toString('utf8');
  throw new TokenFormError('invalid_request', 'The body must be a form (urlencoded).');
}

/** Counts a request that is refused before it reaches an operation, which counts all others. */
async function counted<T>(request: TokenRequest, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    await request.keep.countRequest(callOf(request));
    throw error;
  }
}

/** The status, the code and the description of a refusal; `undefined` if OAuth has none. */
function refusalOf(error: unknown): [number, string, string] | undefined {
  if (error instanceof TokenFormError) return [400, error.code, error.message];
  const known = error instanceof AgentkeepError ? oauthErrorOf(error) : undefined;
  return known && [...known, (error as AgentkeepError).advice];
}

/** Whether the operation that refused has recorded it: all but what it could not read. */
function hasEvent(error: unknown, { exchange }: TokenRequest): boolean {
  if (!(error instanceof AgentkeepError)) return false;
  if (error.code === 'unauthorized') return attemptedOf(exchange).length > 0;
  return error.kind !== 'invalid';
}

function note({ keep, exchange }: TokenRequest, error: string, form: string): void {
  const { requestId, traceId } = exchange;
  const clientId = new URLSearchParams(form).get('client_id');
  keep.grants.refused(error, clientId, { origin: exchange.origin(), requestId, traceId });
}

function issue(request: TokenRequest, { operation, document }: TokenCall) {
  const source = embeddedInput({ document });
  return request.keep.invoke(operations[operation], source, callOf(request)) as Promise<
    Readonly<Record<string, unknown>>
  >;
}

function callOf({ exchange }: TokenRequest): Call {
  const { requestId, traceId, stopping, proofHeaders } = exchange;
  return {
    proof:
      basicProof(proofHeaders.authorization) ?? readProof(proofHeaders, exchange.provedRequest),
    attempted: attemptedOf(exchange),
    ...{ requestId, traceId, stopping },
    signal: exchange.signal(),
    origin: () => exchange.origin(),
    countRequest: exchange.takeToken.bind(exchange),
  };
}

/** Here, the secret of a client may also be sent by Basic. */
function attemptedOf({ proofHeaders }: CallingExchange): AttemptedProof[] {
  return [
    ...(isBasic(proofHeaders.authorization) ? (['bearer'] as const) : []),
    ...attemptedProofs(proofHeaders),
  ];
}

function isBasic(authorization: string | null): boolean {
  return /^basic\b/i.test(authorization ?? '');
}

function refusal(
  { answering, exchange }: TokenRequest,
  status: number,
  error: string,
  error_description: string,
): Answer {
  const challenge = isBasic(exchange.proofHeaders.authorization)
    ? 'Basic realm="agentkeep"'
    : 'Bearer';
  const headers = { 'WWW-Authenticate': challenge };
  const body = JSON.stringify({ error, error_description });
  return respond(status, body, answering(status === 401 ? headers : undefined));
}

const SECRET = /^ak1_([0-9a-f]{32})_[\w-]+$/;

/** Returns the proof of `client_secret_basic` (RFC 6749, section 2.3.1): the id and the secret. */
function basicProof(authorization: string | null): CallerProof | undefined {
  const [, sent] = /^basic ([a-z0-9+/]+={0,2})$/i.exec(authorization ?? '') ?? [];
  if (sent === undefined) return undefined;
  const [id, token] = Buffer.from(sent, 'base64').toString('latin1').split(':').map(decoded);
  const [, ofSecret] = SECRET.exec(token ?? '') ?? [];
  if (token === undefined || ofSecret === undefined) return undefined;
  return ofSecret === id?.replaceAll('-', '') ? { kind: 'bearer', token } : undefined;
}

function decoded(part: string): string {
  return new URLSearchParams(`part=${part}`).get('part') ?? '';
}
