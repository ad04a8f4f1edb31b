/** The paths of the Model Context Protocol, where it is served. */

/** What a path of MCP answers with. */
export type McpPart = 'answer' | 'metadata';

/** Where MCP is served. */
export const MCP_PATH = '/mcp';

/** MCP itself refuses those of them that it does not serve. */
export const MCP_METHODS = ['GET', 'POST', 'DELETE'] as const;

/** Where the protected-resource metadata of MCP is served (RFC 9728). */
export const METADATA_PATHS = [
  '/.well-known/oauth-protected-resource',
  `/.well-known/oauth-protected-resource${MCP_PATH}`,
] as const;
