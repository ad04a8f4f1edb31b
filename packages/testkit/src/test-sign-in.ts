/** An issuer of people without a network: its codes are the claims that it states. */
import type { KeepPorts } from '@agentkeep/core';
import { testIssuer } from './test-issuer.js';

type Claims = Readonly<Record<string, unknown>>;

/** The URL of the issuer. */
export const PEOPLE_ISSUER = 'https://id.example.test';

/** The id of the client that a keep is at the issuer. */
export const PEOPLE_CLIENT = 'agentkeep';

const signer = testIssuer('people', 'ed25519');

/** The ports of a keep whose people sign in by {@link PEOPLE_ISSUER}. */
export const peoplePorts: Pick<Required<KeepPorts>, 'signInProtocol' | 'documentFetcher'> = {
  signInProtocol: {
    addressFor: ({ issuer, name }, { state, nonce, redirectUri }) => {
      if (name === 'down') return Promise.resolve({ kind: 'unavailable', reason: 'unreachable' });
      const query = new URLSearchParams({ state, nonce, redirect_uri: redirectUri });
      return Promise.resolve({ kind: 'address', url: `${issuer}/authorize?${query.toString()}` });
    },
    redeem: ({ issuer }, { nonce }, query) => {
      const code = new URLSearchParams(query).get('code') ?? '';
      const claims = claimsIn(code);
      if (claims === undefined) return Promise.resolve({ kind: 'refused', reason: 'code' });
      return Promise.resolve({ kind: 'proved', claims: { iss: issuer, nonce, ...claims } });
    },
  },
  documentFetcher: {
    fetch: ({ url }) => {
      const isKeys = url.endsWith('/keys');
      const body = isKeys
        ? { keys: [signer.key] }
        : { issuer: PEOPLE_ISSUER, jwks_uri: `${PEOPLE_ISSUER}/keys` };
      return Promise.resolve({ kind: 'fetched', body: JSON.stringify(body) });
    },
  },
};

/** Returns the query of the redirect of a sign-in whose person has these claims. */
export function callbackOf(authorizationUrl: string, claims: Claims): string {
  const state = new URL(authorizationUrl).searchParams.get('state') ?? '';
  const code = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return new URLSearchParams({ code, state }).toString();
}

/** Returns a logout token of the issuer; `members` replace the usual claims. */
export function logoutToken(nowMs: number, members: Claims, header: Claims = {}): string {
  const iat = Math.floor(nowMs / 1_000);
  const usual = {
    iss: PEOPLE_ISSUER,
    aud: PEOPLE_CLIENT,
    iat,
    exp: iat + 120,
    jti: crypto.randomUUID(),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  };
  return signer.sign({ ...usual, ...members }, { typ: 'logout+jwt', ...header });
}

function claimsIn(code: string): Claims | undefined {
  try {
    return JSON.parse(Buffer.from(code, 'base64url').toString('utf8')) as Claims;
  } catch {
    return undefined;
  }
}
