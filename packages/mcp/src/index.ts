/** Agentkeep as a server of the Model Context Protocol, over HTTP and standard input. */
export { mcpHandler, type McpHandler, type McpHandlerOptions } from './http/mcp-handler.js';
export { mcpMount, type McpMount, type McpMountOptions } from './http/mcp-mount.js';
export type { McpProfile } from './mcp-caller.js';
