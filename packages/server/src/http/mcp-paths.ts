/** The path of the Model Context Protocol, where it is served. */

/** The path of MCP. */
export const MCP_PATH = '/mcp';

/** The methods of the path. MCP itself refuses those that it does not serve. */
export const MCP_METHODS = ['GET', 'POST', 'DELETE'] as const;

/** What the answer says where it is not served. */
export const MCP_IS_OFF =
  'This server does not serve MCP. Start it with --mcp true, or with `mcp` in the options of the app.';
