/** What an ID token is checked for beside the library (docs/contract/openid.md#oid-24). */

/** An ID token whose signature, issuer, audience, times and nonce are verified. */
interface VerifiedToken {
  readonly text: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly clientId: string;
}

/** The media type of a JWT, with or without its prefix. */
const PLAIN = /^(?:application\/)?jwt$/iu;

/** Returns why a token is none for this client; `undefined` if it is one. */
export function refusalOfIdToken({ text, claims, clientId }: VerifiedToken): string | undefined {
  const { typ } = headerOf(text);
  // Logout tokens and access tokens of the same issuer are signed by the same keys.
  if (typ !== undefined && !(typeof typ === 'string' && PLAIN.test(typ))) return 'type';
  const { azp } = claims;
  // It was issued to another client (OpenID Connect Core 1.0, section 3.1.3.7).
  return azp === undefined || azp === clientId ? undefined : 'claims';
}

function headerOf(token: string): Readonly<Record<string, unknown>> {
  const [header = ''] = token.split('.', 1);
  return JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as Record<string, unknown>;
}
