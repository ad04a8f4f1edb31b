/** Reads the form of a token request (docs/contract/federation.md#fed-23). */
import { type AgentkeepError, CONTRACT_VERSION } from '@agentkeep/core';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT = 'urn:ietf:params:oauth:token-type:jwt';
const SUBJECT = 'urn:agentkeep:oauth:token-type:subject';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/** What a token is never narrowed to. */
const NARROWING = ['scope', 'resource', 'audience'];

/** The call of a token request. */
export interface TokenCall {
  readonly operation: 'issueFederatedToken' | 'issueSubjectToken';
  readonly document: Readonly<Record<string, string | number>>;
  /** The type that the answer states, for an exchange (RFC 8693). */
  readonly issuedType: string | undefined;
}

/** Why a form is no token request: an error code of OAuth and what to do. */
export class TokenFormError extends Error {
  override readonly name = 'TokenFormError';
  readonly code: 'invalid_request' | 'unsupported_grant_type';

  constructor(code: TokenFormError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Returns the call of a form.
 *
 * @throws {TokenFormError} if it is none.
 */
export function readTokenForm(text: string): TokenCall {
  const form = new URLSearchParams(text);
  const repeated = [...form.keys()].find((name) => form.getAll(name).length > 1);
  if (repeated !== undefined) throw wrong(`\`${repeated}\` is given more than once.`);
  const narrowing = NARROWING.find((name) => form.has(name));
  if (narrowing !== undefined) {
    throw wrong(`\`${narrowing}\` cannot be chosen: a token has the authority of its credential.`);
  }
  switch (required(form, 'grant_type')) {
    case JWT_BEARER:
      return federated(form, 'assertion', undefined);
    case TOKEN_EXCHANGE:
      return exchanged(form);
    default:
      throw new TokenFormError(
        'unsupported_grant_type',
        `\`grant_type\` must be \`${JWT_BEARER}\` or \`${TOKEN_EXCHANGE}\`.`,
      );
  }
}

function exchanged(form: URLSearchParams): TokenCall {
  switch (required(form, 'subject_token_type')) {
    case JWT:
      return federated(form, 'subject_token', ACCESS_TOKEN);
    case SUBJECT: {
      const subject_id = required(form, 'subject_token');
      const document = { contract_version: CONTRACT_VERSION, subject_id };
      return { operation: 'issueSubjectToken', document, issuedType: ACCESS_TOKEN };
    }
    default:
      throw wrong(`\`subject_token_type\` must be \`${JWT}\` or \`${SUBJECT}\`.`);
  }
}

function federated(
  form: URLSearchParams,
  member: string,
  issuedType: string | undefined,
): TokenCall {
  const document = {
    contract_version: CONTRACT_VERSION,
    credential_id: required(form, 'client_id'),
    assertion: required(form, member),
  };
  return { operation: 'issueFederatedToken', document, issuedType };
}

function required(form: URLSearchParams, name: string): string {
  const value = form.get(name) ?? '';
  if (value === '') throw wrong(`\`${name}\` is missing.`);
  return value;
}

function wrong(message: string): TokenFormError {
  return new TokenFormError('invalid_request', message);
}

/** The status and the code of OAuth for a refused call; `undefined` if OAuth has none. */
export function oauthErrorOf({ code, kind }: AgentkeepError): [number, string] | undefined {
  if (code === 'assertion_refused') return [400, 'invalid_grant'];
  if (code === 'issuer_unavailable') return [503, 'temporarily_unavailable'];
  if (code === 'unauthorized') return [401, 'invalid_client'];
  if (code === 'forbidden') return [400, 'unauthorized_client'];
  return kind === 'invalid' ? [400, 'invalid_request'] : undefined;
}
