/** Reads the certificate of an erasure, and checks its signature with the keys of the server. */

/** What a certificate says, of which the console shows a part. */
export interface Certificate {
  readonly issuer: string;
  readonly signedAtMs: number;
  readonly targetDigest: string;
  readonly keysDigest: string;
  /** Copies that may still have it. */
  readonly beyondReach: readonly CopyBeyondReach[];
}

/** A kind of copy, or one of them. */
export interface CopyBeyondReach {
  readonly kind: string;
  readonly id?: string;
  readonly created_at?: string;
}

interface Claims {
  readonly iss: string;
  readonly iat: number;
  readonly target: { readonly digest: string };
  readonly keys_digest: string;
  readonly beyond_reach: readonly CopyBeyondReach[];
}

interface Header {
  readonly kid?: string;
}

/** Returns what a certificate says. Whether it is true is another question. */
export function readCertificate(jws: string): Certificate {
  const claims = partOf(jws, 1) as Claims;
  return {
    issuer: claims.iss,
    signedAtMs: claims.iat * 1_000,
    targetDigest: claims.target.digest,
    keysDigest: claims.keys_digest,
    beyondReach: claims.beyond_reach,
  };
}

/** Returns whether the keys that the server shows to everybody prove a certificate. */
export async function isProved(jws: string): Promise<boolean> {
  const { kid } = partOf(jws, 0) as Header;
  const answer = await fetch('/.well-known/jwks.json');
  const { keys } = (await answer.json()) as { readonly keys: readonly (JsonWebKey & Header)[] };
  const shown = keys.find((each) => each.kid === kid);
  if (shown === undefined) return false;
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('jwk', shown, algorithm, false, ['verify']);
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const signed = new TextEncoder().encode(`${header}.${payload}`);
  return crypto.subtle.verify(algorithm, key, bytesOf(signature), signed);
}

function partOf(jws: string, at: 0 | 1): unknown {
  return JSON.parse(new TextDecoder().decode(bytesOf(jws.split('.')[at] ?? '')));
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
