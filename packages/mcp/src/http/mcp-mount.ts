/** Model Context Protocol at a path of a server that proves its callers itself. */
import type { Agent, ScopeInput } from '@agentkeep/client';
import { connectionSettings } from './connection-settings.js';
import { type Admission, type McpBounds, McpEndpoint } from './mcp-endpoint.js';
import { type RequestGuard, requestGuard } from './request-guard.js';

/** Options of {@link mcpMount}. */
export interface McpMountOptions extends McpBounds {
  /**
   * The URL of MCP as clients reach it, such as `https://keep.example.com/mcp`. Requests must name
   * its host or a local one. Default: requests must name a local host.
   */
  readonly url?: string | undefined;
  /**
   * The scope of calls for which neither they, the URL nor the credential name one. Default: such
   * calls are refused.
   */
  readonly defaultScope?: ScopeInput | undefined;
}

/** The parts of an MCP server that a server of Agentkeep mounts. */
export interface McpMount {
  /** Returns why a request is refused before its proof is read; `undefined` if it is not. */
  readonly refusalOf: RequestGuard;
  /**
   * Answers a request as an agent. `admit` is called before each message, of which a batch has
   * several. Default: all are admitted.
   * @throws {AgentkeepError} `invalid_request` when the query of its URL is wrong, and what `admit`
   * throws for the only message of a request.
   */
  readonly answer: (request: Request, agent: Agent, admit?: Admission) => Promise<Response>;
  /** Ends all subscriptions. */
  readonly close: () => void;
}

/**
 * Returns the parts of an MCP server, for `createServer()` of `@agentkeep/server`.
 * @throws {TypeError} when the URL cannot be parsed.
 */
export function mcpMount({ url, defaultScope, ...bounds }: McpMountOptions = {}): McpMount {
  const endpoint = new McpEndpoint(bounds);
  return {
    refusalOf: requestGuard(url === undefined ? [] : [new URL(url).hostname]),
    answer: async (request, agent, admit = admitAll) => {
      const settings = connectionSettings(new URL(request.url).searchParams);
      return endpoint.answer(request, { ...settings, defaultScope, agent }, admit);
    },
    close: () => endpoint.close(),
  };
}

const admitAll: Admission = () => Promise.resolve();
