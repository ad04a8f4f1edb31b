/** The protected-resource metadata of RFC 9728: clients without a secret look it up. */

/** Path of MCP on a server of Agentkeep. */
export const MCP_PATH = '/mcp';

/** Path of the metadata; that of a resource with a path ends with this path. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** Returns the URL of the metadata of a resource. */
function metadataUrlOf(resource: URL): string {
  const path = resource.pathname === '/' ? '' : resource.pathname;
  return `${resource.origin}${METADATA_PATH}${path}`;
}

/** Returns the metadata of a resource. Secrets are issued by Agentkeep, in no OAuth flow. */
export function metadataOf(resource: URL): object {
  return {
    resource: `${resource.origin}${resource.pathname}`,
    resource_name: 'Agentkeep',
    bearer_methods_supported: ['header'],
  };
}

/** Returns the challenge of a 401 (RFC 6750, RFC 9728). */
export function challengeOf(resource: URL, hasToken: boolean): string {
  const error = hasToken ? 'error="invalid_token", ' : '';
  return `Bearer ${error}resource_metadata="${metadataUrlOf(resource)}"`;
}
