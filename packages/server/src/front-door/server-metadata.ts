/** What programs learn of the front door before anything else (RFC 8414 and RFC 9728). */
import { ACCESS_NAMES } from '@agentkeep/core/operator';
import type { DoorAnswer } from './request/door-request.js';
import { doorPaths } from './request/door-paths.js';

/** Settings that metadata states. */
export interface MetadataParts {
  readonly publicUrl: string;
  readonly allowsRegistration: boolean;
  readonly hasMcp: boolean;
}

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** Returns the metadata of the authorization server (RFC 8414). */
export function authorizationServerMetadata(parts: MetadataParts): DoorAnswer {
  const { publicUrl, allowsRegistration } = parts;
  const { authorize, token, revoke, register } = doorPaths;
  const resources = protectedResources(parts);
  return jsonAnswer({
    issuer: publicUrl,
    authorization_endpoint: publicUrl + authorize,
    token_endpoint: publicUrl + token,
    revocation_endpoint: publicUrl + revoke,
    ...(allowsRegistration ? { registration_endpoint: publicUrl + register } : {}),
    jwks_uri: `${publicUrl}/.well-known/jwks.json`,
    scopes_supported: ACCESS_NAMES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', JWT_BEARER, TOKEN_EXCHANGE],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: resources,
  });
}

/** Returns the metadata of this server as a protected resource (RFC 9728), or of its MCP. */
export function protectedResourceMetadata(
  { publicUrl }: Pick<MetadataParts, 'publicUrl'>,
  path: '' | '/mcp',
): DoorAnswer {
  return jsonAnswer({
    resource: publicUrl + path,
    authorization_servers: [publicUrl],
    scopes_supported: ACCESS_NAMES,
    bearer_methods_supported: ['header'],
    resource_name: path === '' ? 'Agentkeep' : 'Agentkeep (MCP)',
  });
}

function protectedResources({ publicUrl, hasMcp }: MetadataParts): string[] {
  return hasMcp ? [publicUrl, `${publicUrl}/mcp`] : [publicUrl];
}

function jsonAnswer(document: object): DoorAnswer {
  const headers = { 'Cache-Control': 'public, max-age=300' };
  return { status: 200, headers, body: JSON.stringify(document) };
}
