/** How the authorization server is set up: public programs, codes with PKCE, rotated tokens. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { ACCESS_NAMES, type Grants } from '@agentkeep/core/operator';
import type { Configuration, errors as providerErrors, interactionPolicy } from 'oidc-provider';
import type { ClientDocuments } from './client-documents.js';
import { metadataOfId, registeredId, knownMetadata } from './client-metadata.js';
import { grantAdapter } from './grant-adapter.js';
import { doorPaths } from '../request/door-paths.js';

/** What the set-up depends on. */
export interface ProviderParts {
  readonly publicUrl: string;
  /** Whether programs may register. */
  readonly allowsRegistration: boolean;
  readonly grants: Grants;
  readonly documents: ClientDocuments;
  readonly errors: typeof providerErrors;
  readonly interactionPolicy: typeof interactionPolicy;
}

const MINUTE = 60;
const DAY = 86_400;

/** Seconds that entries live. The store of grants ends those of a connection with it. */
const lifetimes = {
  AuthorizationCode: MINUTE,
  Interaction: 10 * MINUTE,
  Session: 10 * MINUTE,
  AccessToken: 10 * MINUTE,
  /** From the last use: a connection that is not used for so long has to be made again. */
  RefreshToken: 30 * DAY,
  Grant: 366 * DAY,
} as const;

/** Returns the configuration of the authorization server. */
export function providerSettings(parts: ProviderParts): Configuration {
  const { publicUrl, grants, errors, documents } = parts;
  const acceptsRegistered = parts.allowsRegistration;
  const adapterParts = { grants, errors, documents, acceptsRegistered };
  const resources = [publicUrl, `${publicUrl}/mcp`];
  return {
    adapter: (name) => grantAdapter(name, adapterParts),
    clientAuthMethods: ['none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    claims: {},
    scopes: [],
    responseTypes: ['code'],
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    jwks: { keys: [unusedKey()] },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    rotateRefreshToken: true,
    issueRefreshToken: () => Promise.resolve(true),
    expiresWithSession: () => Promise.resolve(false),
    revokeGrantPolicy: () => true,
    ttl: lifetimes,
    routes: {
      authorization: doorPaths.authorize,
      token: doorPaths.token,
      revocation: doorPaths.revoke,
      registration: doorPaths.register,
      jwks: doorPaths.unusedKeys,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      registration: registrationFeature(parts),
      resourceIndicators: {
        enabled: true,
        defaultResource: () => publicUrl,
        useGrantedResource: () => Promise.resolve(true),
        getResourceServerInfo: (_ctx, resource) => {
          if (!resources.includes(resource)) throw new errors.InvalidTarget();
          return { scope: ACCESS_NAMES.join(' '), accessTokenFormat: 'opaque' };
        },
      },
    },
    interactions: {
      policy: consentOnly(parts),
      url: (_ctx, { uid }) => doorPaths.consent + uid,
    },
    // An account that no longer may act gives nothing.
    findAccount: async (_ctx, accountId) =>
      (await grants.isLiveAccount(accountId))
        ? { accountId, claims: () => ({ sub: accountId }) }
        : undefined,
    // Each consent makes a connection of its own.
    loadExistingGrant: (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    // Documents of programs are the adapter's, and nothing else is ever fetched.
    fetch: () => Promise.reject(new Error('The authorization server fetches nothing.')),
    renderError: (ctx, out) => {
      ctx.body = out;
    },
  };
}

function registrationFeature({ allowsRegistration }: ProviderParts) {
  if (!allowsRegistration) return { enabled: false };
  return {
    enabled: true,
    issueRegistrationAccessToken: false,
    idFactory: (ctx: { readonly oidc: { readonly body?: unknown } }) => {
      const metadata = knownMetadata(ctx.oidc.body);
      const id = metadata && registeredId(metadata);
      // What cannot be an id is refused for its metadata.
      return id !== undefined && metadataOfId(id) !== undefined ? id : randomUUID();
    },
  } as const;
}

/** People log in before they get here, so only their consent is asked for, and each time. */
function consentOnly({ interactionPolicy: { Prompt, Check } }: ProviderParts) {
  const check = new Check('consent_missing', 'The person has to agree.', (ctx) =>
    Promise.resolve(ctx.oidc.result?.consent?.grantId === undefined),
  );
  return [new Prompt({ name: 'consent', requestable: true }, check)];
}

/** Its users sign nothing with it: identity tokens are never issued. */
function unusedKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' };
}
