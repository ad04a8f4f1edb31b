/** The path of the Model Context Protocol, where it is served. */

/** The path of MCP. */
export const MCP_PATH = '/mcp';

/** The methods of the path. MCP itself refuses those that it does not serve. */
export const MCP_METHODS = ['GET', 'POST', 'DELETE'] as const;
