/** The paths of the Model Context Protocol, where it is served. */

/** The answer of a path of MCP. */
export type McpPart = 'answer' | 'metadata';

/** The path of MCP. */
export const MCP_PATH = '/mcp';

/** The methods of the path. MCP itself refuses those that it does not serve. */
export const MCP_METHODS = ['GET', 'POST', 'DELETE'] as const;

/** The paths of the protected-resource metadata of MCP (RFC 9728). */
export const METADATA_PATHS = [
  '/.well-known/oauth-protected-resource',
  `/.well-known/oauth-protected-resource${MCP_PATH}`,
] as const;
