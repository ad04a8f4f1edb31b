/** Answers MCP requests of callers that are known. */
import { createMcpHandler } from '@modelcontextprotocol/server';
import { type McpCaller } from '../mcp-caller.js';
import { serverOf } from '../server-of.js';

/** Bounds of an endpoint. */
export interface McpBounds {
  /** Longest request, in bytes. Default: 2 MiB, enough for any command of Agentkeep. */
  readonly requestBytes?: number | undefined;
}

const REQUEST_BYTES = 2_097_152;

/** Answers requests; one for all callers. */
export class McpEndpoint {
  readonly #bounds: McpBounds;

  constructor(bounds: McpBounds = {}) {
    this.#bounds = bounds;
  }

  /** Answers one request as a caller. */
  answer(request: Request, caller: McpCaller): Promise<Response> {
    const { requestBytes = REQUEST_BYTES } = this.#bounds;
    const handler = createMcpHandler(() => serverOf(caller), { maxRequestBodySize: requestBytes });
    return handler.fetch(request);
  }
}
