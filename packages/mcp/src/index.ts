/** Agentkeep as a server of the Model Context Protocol, over HTTP and standard input. */
export { mcpHandler, type McpHandlerOptions } from './http/mcp-handler.js';
export { mcpMount } from './http/mcp-mount.js';
