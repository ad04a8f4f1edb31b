/** OpenID Connect by `openid-client`, through the client for outgoing requests. */
import type * as OpenidClient from 'openid-client';
import { OutgoingClient } from '../outgoing/outgoing-client.js';
import type { HostAddress } from '../outgoing/hosts-file.js';
import { failureOf } from './failures.js';
import { guardedFetch } from './guarded-fetch.js';
import { refusalOfIdToken } from './id-token-policy.js';
import { keepingKeys } from './kept-keys.js';
import { type IssuerAnswer, type KnownIssuer, KnownIssuers } from './known-issuers.js';
import type { Library, SignInProtocol, SignInTrust } from './protocol-types.js';

/** How issuers are reached. */
interface OpenidProtocolOptions {
  /**
   * Addresses and CIDR ranges of issuers that may be called although they are private, and without
   * TLS. Default: none.
   */
  readonly allowedAddresses?: readonly string[];
  /** Finds the addresses of a host, as for {@link httpWebhookSender}. */
  readonly resolve?: (host: string, signal: AbortSignal) => Promise<readonly HostAddress[]>;
}

let loading: Promise<Library> | undefined;

/** Loaded by the first sign-in. */
function library(): Promise<Library> {
  loading ??= import('openid-client');
  return loading;
}

/**
 * Returns a protocol whose requests go to permitted addresses only: HTTPS, or a listed address.
 * They follow no redirect, take 5 seconds and 65,536 bytes each, and don't count towards those of
 * webhooks.
 * @throws {TypeError} for an allowed address that is none.
 * @example
 * ```ts
 * import { inMemoryStore, openKeep } from '@agentkeep/core';
 * import { openidProtocol } from '@agentkeep/server';
 *
 * const signInProtocol = openidProtocol({ allowedAddresses: ['10.20.0.0/16'] });
 * await using keep = await openKeep({ store: inMemoryStore(), signInProtocol });
 * ```
 */
export function openidProtocol({
  allowedAddresses = [],
  resolve,
}: OpenidProtocolOptions = {}): SignInProtocol {
  const client = new OutgoingClient({ allowedAddresses, resolve });
  const issuers = new KnownIssuers((trust) => askIssuer(client, trust));
  return {
    addressFor: async (trust, { redirectUri, state, nonce, codeVerifier }) => {
      const known = await issuers.find(trust);
      if (known.kind === 'unavailable') return known;
      const openid = await library();
      const { configuration } = configured(openid, client, { trust, known });
      const url = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: trust.scope,
        ...{ state, nonce, code_challenge_method: 'S256' },
        code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
      });
      return { kind: 'address', url: url.href };
    },
    redeem: async (trust, round, query, nowMs) => {
      const known = await issuers.find(trust);
      if (known.kind === 'unavailable') return known;
      const openid = await library();
      const asking = { trust, known, nowMs, asker: round.asker };
      const { configuration, keysFailure } = configured(openid, client, asking);
      // The signature counts, although the token comes straight from the issuer.
      openid.enableNonRepudiationChecks(configuration);
      try {
        const tokens = await openid.authorizationCodeGrant(
          configuration,
          new URL(`${round.redirectUri}?${query}`),
          {
            expectedState: round.state,
            expectedNonce: round.nonce,
            pkceCodeVerifier: round.codeVerifier,
            idTokenExpected: true,
          },
        );
        const claims = { ...tokens.claims() };
        const token = { text: tokens.id_token ?? '', claims, clientId: trust.clientId };
        const reason = refusalOfIdToken(token);
        return reason === undefined ? { kind: 'proved', claims } : { kind: 'refused', reason };
      } catch (error) {
        const failure = failureOf(error, openid);
        // The key may be a new one.
        const unknown = failure.reason === 'unknown_key' ? keysFailure() : undefined;
        return unknown === undefined ? failure : { kind: 'unavailable', reason: unknown };
      } finally {
        known.keys = openid.getJwksCache(configuration);
      }
    },
  };
}

async function askIssuer(client: OutgoingClient, trust: SignInTrust): Promise<IssuerAnswer> {
  const openid = await library();
  try {
    const found = await openid.discovery(
      new URL(trust.issuer),
      trust.clientId,
      undefined,
      openid.None(),
      {
        [openid.customFetch]: guardedFetch(client, trust),
        execute: [openid.allowInsecureRequests],
      },
    );
    const metadata = found.serverMetadata();
    const isUsable =
      metadata.issuer === trust.issuer &&
      /^https?:/iu.test(metadata.authorization_endpoint ?? '') &&
      metadata.token_endpoint !== undefined &&
      metadata.jwks_uri !== undefined;
    if (!isUsable) return { kind: 'unavailable', reason: 'discovery_differs' };
    return { kind: 'known', metadata: { ...metadata }, keys: undefined, kept: undefined };
  } catch (error) {
    const { reason } = failureOf(error, openid);
    return { kind: 'unavailable', reason: reason === 'response' ? 'discovery_differs' : reason };
  }
}

/** What a call is configured with; without a time, nothing is verified. */
interface Configured {
  readonly trust: SignInTrust;
  readonly known: KnownIssuer;
  readonly nowMs?: number;
  /** Who causes the call. */
  readonly asker?: string | undefined;
}

function configured(
  openid: Library,
  client: OutgoingClient,
  { trust, known, nowMs = Date.now(), asker }: Configured,
): { configuration: OpenidClient.Configuration; keysFailure: () => string | undefined } {
  const { clientId, clientSecret, authority } = trust;
  const { metadata, keys } = known;
  const configuration = new openid.Configuration(
    metadata,
    clientId,
    {
      [openid.clockSkew]: Math.round((nowMs - Date.now()) / 1_000),
      [openid.clockTolerance]: 60,
    },
    authentication(openid, metadata, clientSecret),
  );
  const { fetch, failure } = keepingKeys(guardedFetch(client, { authority, asker }), known);
  configuration[openid.customFetch] = fetch;
  openid.allowInsecureRequests(configuration);
  if (keys !== undefined) openid.setJwksCache(configuration, keys);
  return { configuration, keysFailure: failure };
}

/** Basic is what every issuer must support for clients with a secret, unless it says otherwise. */
function authentication(
  openid: Library,
  {
    token_endpoint_auth_methods_supported: methods = ['client_secret_basic'],
  }: OpenidClient.ServerMetadata,
  secret: string | null,
): OpenidClient.ClientAuth {
  if (secret === null) return openid.None();
  return methods.includes('client_secret_basic')
    ? openid.ClientSecretBasic(secret)
    : openid.ClientSecretPost(secret);
}
