/** Verifies the assertions of issuers: JWTs (RFC 7519), as RFC 7523 and SPIFFE use them. */
import type { JWK, JWTPayload } from 'jose';
import { LazyPackage } from '../../../contract/errors/lazy-package.js';
import type {
  AssertionCheck,
  Assertions,
  AssertionTrust,
} from '../../../kernel/ports/assertions.js';
import type { DocumentFetcher } from '../../../kernel/ports/document-fetcher.js';
import { IssuerKeyCache } from './issuer-keys.js';

const josePackage = new LazyPackage('jose', async () => {
  const [{ jwtVerify }, { createLocalJWKSet }, { JOSEError }, { decodeProtectedHeader }] =
    await Promise.all([
      import('jose/jwt/verify'),
      import('jose/jwks/local'),
      import('jose/errors'),
      import('jose/decode/protected_header'),
    ]);
  return { jwtVerify, createLocalJWKSet, JOSEError, decodeProtectedHeader };
});

/** Signatures with public keys only: what GitHub, Kubernetes and SPIFFE use, and Ed25519. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** Seconds that clocks may differ. */
const CLOCK_TOLERANCE = 60;

/** Verifies assertions for one process. */
export class JoseAssertions implements Assertions {
  readonly #keys: IssuerKeyCache;

  /** Without a fetcher only issuers with inline keys can be verified. */
  constructor(fetcher: DocumentFetcher | undefined) {
    this.#keys = new IssuerKeyCache(fetcher);
  }

  /** Verifies form, signature, issuer, audience and times. */
  async verify(assertion: string, trust: AssertionTrust, nowMs: number): Promise<AssertionCheck> {
    const { decodeProtectedHeader, JOSEError } = await josePackage.get();
    try {
      const { alg = '', kid, typ } = decodeProtectedHeader(assertion);
      // Before keys are fetched, which is work for others.
      if (!ALGORITHMS.includes(alg)) return refused('algorithm');
      if (!isOfType(typ, trust.types)) return refused('type');
      const found = await this.#keysOf(trust, kid, nowMs);
      if (found.kind === 'unavailable') return found;
      return { kind: 'verified', claims: await verified(assertion, found.keys, trust, nowMs) };
    } catch (error) {
      if (error instanceof JOSEError) return refused(reasons[error.code] ?? 'signature');
      // The header is no JSON.
      if (error instanceof TypeError) return refused('form');
      throw error;
    }
  }

  async #keysOf(
    trust: AssertionTrust,
    kid: string | undefined,
    nowMs: number,
  ): ReturnType<IssuerKeyCache['keysOf']> {
    const { keys } = trust;
    if (keys.mode !== 'inline') return this.#keys.keysOf(trust, kid, nowMs);
    return { kind: 'keys', keys: keys.keys };
  }
}

/** Types of assertions: JWTs, as SPIFFE may name them too, and access tokens for our audience. */
const ASSERTION_TYPES = ['jwt', 'jose', 'at+jwt'];

/** Other types are tokens for other purposes, which the same keys sign (RFC 8725, section 3.11). */
function isOfType(typ: unknown, types: readonly string[] = ASSERTION_TYPES): boolean {
  if (typ === undefined) return true;
  return (
    typeof typ === 'string' && types.includes(typ.toLowerCase().replace(/^application\//u, ''))
  );
}

const reasons: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'expired',
  ERR_JWT_CLAIM_VALIDATION_FAILED: 'claims',
  ERR_JWKS_NO_MATCHING_KEY: 'unknown_key',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'ambiguous_key',
  ERR_JWT_INVALID: 'form',
  ERR_JWS_INVALID: 'form',
};

function refused(reason: string): AssertionCheck {
  return { kind: 'refused', reason };
}

async function verified(
  assertion: string,
  keys: readonly object[],
  { issuer, audience, requiredClaims = ['sub', 'exp'] }: AssertionTrust,
  nowMs: number,
): Promise<JWTPayload> {
  const { jwtVerify, createLocalJWKSet } = await josePackage.get();
  const { payload } = await jwtVerify(
    assertion,
    createLocalJWKSet({ keys: keys.map((each) => signing(each as JWK)) }),
    {
      algorithms: ALGORITHMS,
      ...(issuer === null ? {} : { issuer }),
      audience,
      requiredClaims: [...requiredClaims],
      clockTolerance: CLOCK_TOLERANCE,
      currentDate: new Date(nowMs),
    },
  );
  return payload;
}

/** Keys of SPIFFE have a `use` of their own. */
function signing({ use, ...key }: JWK): JWK {
  return use === undefined || use === 'jwt-svid' ? key : { ...key, use };
}
