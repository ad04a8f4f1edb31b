/** Proves a key with each request (RFC 9449, DPoP), instead of a secret. */
import type { ClientClock } from './clock.js';
import type { CheckedServer } from './server-address.js';

/** The key of a caller. The private half never leaves the process. */
export interface CallerKey {
  /** What names the credential of the key: `akk1_` and its id. It is no secret. */
  readonly token: string;
  /** The private key as a JWK: Ed25519, or P-256. */
  readonly privateKey: {
    readonly kty?: string;
    readonly crv?: string;
    readonly x?: string;
    readonly y?: string;
    readonly d?: string;
  };
}

type Fetch = CheckedServer['fetch'];

/** How a key signs. */
interface Signer {
  readonly header: object;
  readonly sign: (text: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>;
}

/**
 * Returns a fetch that proves a key. It signs a request again if the server asks for its nonce;
 * then nothing was done yet.
 */
export function provingFetch(fetch: Fetch, key: CallerKey, clock: ClientClock): Fetch {
  let signer: Promise<Signer> | undefined;
  let nonce: string | null = null;
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    signer ??= signerOf(key.privateKey);
    const headers = new Headers(init.headers);
    // A token of a subject is bound to the same key.
    const token = headers.get('authorization')?.replace(/^Bearer /, '') ?? key.token;
    const claims = {
      jti: randomText(),
      htm: init.method ?? 'GET',
      htu: addressOf(url),
      iat: Math.floor(clock.now() / 1_000),
      ath: base64url(await crypto.subtle.digest('SHA-256', utf8(token))),
      ...(nonce === null ? {} : { nonce }),
    };
    headers.set('Authorization', `DPoP ${token}`);
    headers.set('DPoP', await proofOf(await signer, claims));
    return fetch(url, { ...init, headers });
  };
  return async (url, init) => {
    const answer = await send(url, init);
    const asked = answer.headers.get('dpop-nonce');
    if (asked === null) return answer;
    nonce = asked;
    await answer.body?.cancel();
    return send(url, init);
  };
}

async function proofOf({ header, sign }: Signer, claims: object): Promise<string> {
  const signed = [header, claims].map((part) => base64url(utf8(JSON.stringify(part)))).join('.');
  return `${signed}.${base64url(await sign(utf8(signed)))}`;
}

async function signerOf(jwk: CallerKey['privateKey']): Promise<Signer> {
  const { kty = '', crv = '', x = '', y } = jwk;
  const isCurve = kty === 'EC';
  const algorithm = isCurve
    ? { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
    : { name: 'Ed25519' };
  const key = await crypto.subtle.importKey('jwk', { ...jwk }, algorithm, false, ['sign']);
  const shown = { kty, crv, x, ...(isCurve ? { y } : {}) };
  return {
    header: { typ: 'dpop+jwt', alg: isCurve ? 'ES256' : 'Ed25519', jwk: shown },
    sign: (text) => crypto.subtle.sign(algorithm, key, text),
  };
}

/** The address without query and fragment. On a page, it may be relative to the page. */
function addressOf(url: string): string {
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  const { origin, pathname } = new URL(url, page);
  return origin + pathname;
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(16)).buffer);
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function base64url(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string {
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
