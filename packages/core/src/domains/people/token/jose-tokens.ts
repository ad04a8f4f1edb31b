/**
 * Access tokens as RS256 JWTs (RFC 7519, following RFC 8725). The library signs and verifies;
 * form, key and times are checked here.
 *
 * Caches the claims of verified tokens, because verifying a signature is slow. Nothing that can
 * change is cached: session, revocation and account are read from the store on each call. Without
 * it, the row `read by token` takes seven times the processor time.
 */
import { BoundedMap } from '../../../contract/bounded-map.js';
import { sha256Text } from '../../../contract/digest.js';
import { LazyPackage } from '../../../contract/errors/lazy-package.js';
import { VERIFIED_TOKENS_MAX } from '../../../contract/limits.js';
import type {
  DelegationClaims,
  IssuedToken,
  PublicJwk,
  TokenClaims,
  Tokens,
  VerifiedDelegation,
  VerifiedToken,
} from '../../../kernel/ports/tokens.js';
import type { ReadTx, Settled } from '../../../storage/store/store.js';
import {
  headerOf,
  type ReadToken,
  readToken,
  type TokenParties,
  writeClaims,
  writeDelegation,
} from './compact-form.js';
import type { SigningKeys } from './signing-keys.js';

/** A bounded cache of verified claims by the SHA-256 of the token. It holds no token. */
export class VerifiedTokenCache {
  readonly #entries: BoundedMap<string, VerifiedToken | VerifiedDelegation>;

  /** Holds at most `max` tokens; the oldest go first. */
  constructor(max = VERIFIED_TOKENS_MAX) {
    this.#entries = new BoundedMap({ max });
  }

  /** Number of cached tokens. */
  get size(): number {
    return this.#entries.size;
  }

  /** Returns the claims of a cached token that hasn't expired. */
  find(token: string, nowMs: number): VerifiedToken | VerifiedDelegation | undefined {
    const name = nameOf(token);
    const known = this.#entries.get(name);
    if (known === undefined || nowMs < known.expiresAtSecs * 1_000) return known;
    this.#entries.delete(name);
    return undefined;
  }

  /** Adds a token that was verified or that we signed. */
  remember(token: string, stated: VerifiedToken | VerifiedDelegation): void {
    this.#entries.set(nameOf(token), stated);
  }
}

function nameOf(token: string): string {
  return sha256Text(token, 'base64url');
}

/** Dependencies and settings of tokens. */
interface JoseTokensParts extends TokenParties {
  readonly keys: SigningKeys;
  /** Seconds that a token lives. */
  readonly ttlSecs: number;
  readonly cache?: VerifiedTokenCache;
}

const josePackage = new LazyPackage('jose', async () => {
  const [{ CompactSign }, { compactVerify }, { JOSEError }] = await Promise.all([
    import('jose/jws/compact/sign'),
    import('jose/jws/compact/verify'),
    import('jose/errors'),
  ]);
  return { CompactSign, compactVerify, JOSEError };
});

/** Loads the package that signs and verifies, before the first token. */
export async function loadJose(): Promise<void> {
  await josePackage.get();
}

const ALGORITHMS = { algorithms: ['RS256'] };

/** Issues and verifies tokens. */
export class JoseTokens implements Tokens {
  readonly #parts: JoseTokensParts;
  readonly #cache: VerifiedTokenCache;

  constructor(parts: JoseTokensParts) {
    this.#parts = parts;
    this.#cache = parts.cache ?? new VerifiedTokenCache();
  }

  /** Issues a token with the configured lifetime, but never beyond `notAfterMs`. */
  async issue(claims: TokenClaims, nowMs: number, notAfterMs: number): Promise<IssuedToken> {
    const { ttlSecs } = this.#parts;
    const iat = Math.floor(nowMs / 1_000);
    // Lifetimes are whole seconds, so a login that ends within this second gets no token.
    const exp = Math.max(iat, Math.min(iat + ttlSecs, Math.floor(notAfterMs / 1_000)));
    const token = await this.#sign('JWT', writeClaims(claims, this.#parts, { iat, exp }));
    return { token, expiresInSecs: exp - iat };
  }

  /** Issues a token with which a credential acts for a subject. */
  async issueDelegated(
    claims: DelegationClaims,
    nowMs: number,
    lifetimeSecs: number,
  ): Promise<IssuedToken> {
    const iat = Math.floor(nowMs / 1_000);
    const times = { iat, exp: iat + lifetimeSecs };
    const token = await this.#sign('at+jwt', writeDelegation(claims, this.#parts, times));
    return { token, expiresInSecs: lifetimeSecs };
  }

  /** Signs a statement that is no token. */
  async signStatement(typ: string, claims: Readonly<Record<string, unknown>>): Promise<string> {
    const { privateKey, jwk } = await this.#parts.keys.signing();
    const { CompactSign } = await josePackage.get();
    const stated = JSON.stringify({ iss: this.#parts.issuer, ...claims });
    return new CompactSign(Buffer.from(stated, 'utf8'))
      .setProtectedHeader({ alg: 'RS256', kid: jwk.kid, typ })
      .sign(privateKey);
  }

  /** Verifies a token and returns its claims; `undefined` if it isn't ours or has expired. */
  verify(token: string, nowMs: number): Settled<VerifiedToken | VerifiedDelegation | undefined> {
    const known = this.#cache.find(token, nowMs);
    if (known !== undefined) return known;
    const read = readToken(token, this.#parts);
    if (read === undefined || nowMs >= read.stated.expiresAtSecs * 1_000) return undefined;
    return this.#verifySignature(token, read);
  }

  /** The verifying keys; the signing key comes first. */
  async publicKeys(): Promise<readonly PublicJwk[]> {
    const keys = await this.#parts.keys.verifyingKeys();
    return keys.map(({ jwk }) => jwk);
  }

  /** Loads the signing key, or begins to generate it. */
  prepare(): Promise<void> {
    return this.#parts.keys.prepare();
  }

  /** The thumbprints of the verifying keys that exist. */
  keyIds(tx: ReadTx): string[] {
    return this.#parts.keys.kids(tx);
  }

  async #sign(typ: 'JWT' | 'at+jwt', claims: object): Promise<string> {
    const { privateKey, jwk } = await this.#parts.keys.signing();
    const { CompactSign } = await josePackage.get();
    const token = await new CompactSign(Buffer.from(JSON.stringify(claims), 'utf8'))
      .setProtectedHeader(headerOf(jwk.kid, typ))
      .sign(privateKey);
    // Read back, so that the cache holds exactly what verification would return.
    const read = readToken(token, this.#parts);
    if (read !== undefined) this.#cache.remember(token, read.stated);
    return token;
  }

  async #verifySignature(
    token: string,
    { kid, stated }: ReadToken,
  ): Promise<VerifiedToken | VerifiedDelegation | undefined> {
    const key = await this.#parts.keys.verifying(kid);
    if (key === undefined) return undefined;
    const { compactVerify, JOSEError } = await josePackage.get();
    try {
      await compactVerify(token, key.publicKey, ALGORITHMS);
    } catch (error) {
      if (error instanceof JOSEError) return undefined;
      throw error;
    }
    this.#cache.remember(token, stated);
    return stated;
  }
}
