/**
 * The form of access tokens: a JWS in compact serialization (RFC 7515) with exactly the header and
 * claims that we write. Any other form is refused, even if the signature is valid.
 */
import * as v from 'valibot';
import { ACCOUNT_ROLES_MAX, TOKEN_CHARS_MAX } from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { InvalidJsonError, parseJson } from '../../../contract/schema/json.js';
import { followsTextRule } from '../../../contract/schema/text.js';
import type {
  DelegationClaims,
  TokenClaims,
  VerifiedDelegation,
  VerifiedToken,
} from '../../../kernel/ports/tokens.js';

/** Issuer and audience of our tokens. */
export interface TokenParties {
  readonly issuer: string;
  readonly audience: string;
}

/** A token in our form, with an unchecked signature. */
export interface ReadToken {
  readonly kid: string;
  readonly stated: VerifiedToken | VerifiedDelegation;
}

/** Seconds up to 9999-12-31T23:59:59Z, the last that a date can show. */
const SECONDS_MAX = 253_402_300_799;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;

const text = v.pipe(v.string(), v.check(followsTextRule));
const uuid = v.pipe(v.string(), v.regex(UUID));
const seconds = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(SECONDS_MAX));

// Closed, so that no header can name its own key or an extension that we would ignore.
const headerForm = closed({
  alg: v.literal('RS256'),
  kid: v.pipe(v.string(), v.regex(THUMBPRINT)),
  /** `JWT`: of a session; `at+jwt` (RFC 9068): of a credential that acts for a subject. */
  typ: v.picklist(['JWT', 'at+jwt']),
});

const claimsForm = closed({
  iss: text,
  aud: text,
  sub: uuid,
  username: text,
  roles: v.pipe(v.array(v.string()), v.maxLength(ACCOUNT_ROLES_MAX)),
  tenant_id: v.exactOptional(text),
  sid: uuid,
  jti: v.pipe(v.string(), v.regex(UUID_V4)),
  iat: seconds,
  exp: seconds,
  cid: v.exactOptional(uuid),
  crev: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
});

type Claims = v.InferOutput<typeof claimsForm>;

const delegationForm = closed({
  iss: text,
  aud: text,
  /** The subject that is acted for. */
  sub: text,
  tenant_id: text,
  /** The credential that acts. */
  client_id: uuid,
  /** The actor (RFC 8693, section 4.1): the subject of that credential. */
  act: closed({ sub: text }),
  /** The key that the token is bound to (RFC 9449, section 6.1). */
  cnf: v.exactOptional(closed({ jkt: v.pipe(v.string(), v.regex(THUMBPRINT)) })),
  pin: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{22}$/)),
  jti: uuid,
  iat: seconds,
  exp: seconds,
});

type DelegatedClaims = v.InferOutput<typeof delegationForm>;

/** Returns the header of a token that a key signs. */
export function headerOf(
  kid: string,
  typ: v.InferOutput<typeof headerForm>['typ'],
): v.InferOutput<typeof headerForm> {
  return { alg: 'RS256', kid, typ };
}

/** Returns the claims of a delegation as they are written. */
export function writeDelegation(
  { tenantId, credentialId, pin, subjectId, service, jti, thumbprint }: DelegationClaims,
  { issuer, audience }: TokenParties,
  times: { readonly iat: number; readonly exp: number },
): DelegatedClaims {
  return {
    iss: issuer,
    aud: audience,
    sub: subjectId,
    tenant_id: tenantId,
    client_id: credentialId,
    act: { sub: service },
    ...(thumbprint === undefined ? {} : { cnf: { jkt: thumbprint } }),
    pin,
    jti,
    ...times,
  };
}

/** Returns the claims of a token as they are written. */
export function writeClaims(
  claims: TokenClaims,
  { issuer, audience }: TokenParties,
  times: { readonly iat: number; readonly exp: number },
): Claims {
  const { accountId, tenantId, username, roles, sessionId, jti, bound } = claims;
  return {
    iss: issuer,
    aud: audience,
    sub: accountId,
    username,
    roles: [...roles],
    ...(tenantId === null ? {} : { tenant_id: tenantId }),
    sid: sessionId,
    jti,
    ...times,
    ...(bound === null ? {} : { cid: bound.credentialId, crev: bound.revision }),
  };
}

/** Reads a token; returns `undefined` for any form that we don't write. */
export function readToken(token: string, parties: TokenParties): ReadToken | undefined {
  if (token.length > TOKEN_CHARS_MAX) return undefined;
  const [head, body, signature, ...more] = token.split('.');
  if (head === undefined || body === undefined || signature === undefined) return undefined;
  if (more.length > 0 || decoded(signature) === undefined) return undefined;
  const header = v.safeParse(headerForm, parsed(head));
  if (!header.success) return undefined;
  const { kid, typ } = header.output;
  const stated =
    typ === 'JWT' ? readSession(parsed(body), parties) : readDelegation(parsed(body), parties);
  return stated && { kid, stated };
}

function readSession(body: unknown, parties: TokenParties): VerifiedToken | undefined {
  const claims = v.safeParse(claimsForm, body);
  return claims.success ? statedBy(claims.output, parties) : undefined;
}

function readDelegation(
  body: unknown,
  { issuer, audience }: TokenParties,
): VerifiedDelegation | undefined {
  const claims = v.safeParse(delegationForm, body);
  if (!claims.success) return undefined;
  const { iss, aud, iat, exp, sub, tenant_id, client_id, act, pin, jti, cnf } = claims.output;
  if (iss !== issuer || aud !== audience || iat > exp) return undefined;
  return Object.freeze({
    kind: 'delegated',
    tenantId: tenant_id,
    credentialId: client_id,
    pin,
    subjectId: sub,
    service: act.sub,
    ...(cnf === undefined ? {} : { thumbprint: cnf.jkt }),
    jti,
    expiresAtSecs: exp,
  });
}

function statedBy(claims: Claims, { issuer, audience }: TokenParties): VerifiedToken | undefined {
  const { iss, aud, iat, exp, cid, crev, tenant_id: tenantId = null } = claims;
  if (iss !== issuer || aud !== audience || iat > exp) return undefined;
  if ((cid === undefined) !== (crev === undefined)) return undefined;
  return Object.freeze({
    kind: 'session',
    accountId: claims.sub,
    tenantId,
    username: claims.username,
    roles: Object.freeze(claims.roles),
    sessionId: claims.sid,
    jti: claims.jti,
    bound:
      cid === undefined || crev === undefined
        ? null
        : Object.freeze({ credentialId: cid, revision: crev }),
    issuedAtSecs: iat,
    expiresAtSecs: exp,
  });
}

/** Returns the JSON value of a part; `undefined` for other text and for duplicate members. */
function parsed(part: string): unknown {
  const bytes = decoded(part);
  if (bytes === undefined) return undefined;
  try {
    const { value, withDuplicatesMarked } = parseJson(bytes);
    return withDuplicatesMarked === undefined ? value : undefined;
  } catch (error) {
    if (error instanceof InvalidJsonError) return undefined;
    throw error;
  }
}

/** Decodes canonical base64url: without padding and without spare bits. */
function decoded(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.length > 0 && bytes.toString('base64url') === part ? bytes : undefined;
}
