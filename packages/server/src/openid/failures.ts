/** Reads failures of `openid-client`: a sign-in was refused, or the issuer gave no answer. */
import { OutgoingError } from './guarded-fetch.js';
import type { Library } from './protocol-types.js';

/** Why a sign-in failed. Reasons are ours, and repeat nothing that was received. */
export interface Failure {
  readonly kind: 'refused' | 'unavailable';
  readonly reason: string;
}

const reasons: Readonly<Record<string, Failure>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: refused('expired'),
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: refused('claims'),
  OAUTH_KEY_SELECTION_FAILED: refused('unknown_key'),
  OAUTH_UNSUPPORTED_OPERATION: refused('algorithm'),
  OAUTH_INVALID_RESPONSE: refused('response'),
  OAUTH_PARSE_ERROR: refused('response'),
  OAUTH_RESPONSE_IS_NOT_CONFORM: unavailable('status'),
  OAUTH_RESPONSE_IS_NOT_JSON: unavailable('not_a_document'),
};

const SERVER_ERROR = 500;

/** Returns why a call of the library failed. Anything that is unknown is a refusal. */
export function failureOf(
  error: unknown,
  {
    AuthorizationResponseError,
    ResponseBodyError,
    WWWAuthenticateChallengeError,
  }: Pick<
    Library,
    'AuthorizationResponseError' | 'ResponseBodyError' | 'WWWAuthenticateChallengeError'
  >,
): Failure {
  const outgoing = causesOf(error).find((each) => each instanceof OutgoingError);
  if (outgoing !== undefined) return unavailable(outgoing.reason);
  // The person declined, or the issuer did.
  if (error instanceof AuthorizationResponseError) return refused('declined');
  if (error instanceof ResponseBodyError) {
    if (error.status >= SERVER_ERROR) return unavailable('status');
    return refused(error.error === 'invalid_client' ? 'client' : 'code');
  }
  if (error instanceof WWWAuthenticateChallengeError) return refused('client');
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return reasons[code] ?? refused('response');
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let each = error; each instanceof Error && causes.length < 8; each = each.cause) {
    causes.push(each);
  }
  return causes;
}

function refused(reason: string): Failure {
  return { kind: 'refused', reason };
}

function unavailable(reason: string): Failure {
  return { kind: 'unavailable', reason };
}
