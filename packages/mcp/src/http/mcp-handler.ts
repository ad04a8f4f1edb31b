/** Model Context Protocol over HTTP, for a program that serves requests itself. */
import { type Agent, AgentkeepError, type ErrorKind } from '@agentkeep/client';
import { connectionSettings } from './connection-settings.js';
import { type McpBounds, McpEndpoint } from './mcp-endpoint.js';
import { requestGuard } from './request-guard.js';
import { challengeOf, MCP_PATH, METADATA_PATH, metadataOf } from './resource-metadata.js';

/** Options of {@link mcpHandler}. */
export interface McpHandlerOptions extends McpBounds {
  /**
   * Proves the secret of a request and returns its agent: `keep.authenticate`, or a function that
   * connects to a server. Called for each request.
   */
  readonly authenticate: (secret: string, request: Request) => Promise<Agent>;
  /**
   * The URL of MCP as clients reach it, such as `https://keep.example.com/mcp`. Requests must name
   * its host or a local one. Default: `/mcp` at the local host that the request names.
   */
  readonly url?: string | undefined;
}

/** Answers MCP requests and requests for its metadata. */
export interface McpHandler {
  /** Answers a request; works without `this`. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Statuses of refusals before a request reaches MCP. */
const statuses: Readonly<Partial<Record<ErrorKind, number>>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  locked: 429,
  rate_limited: 429,
  crowded: 429,
  busy: 503,
};

/**
 * Returns a handler of MCP requests, of the revisions 2025-11-25 and 2026-07-28. Each request acts as
 * the agent that its Bearer token proves. Mount `fetch` at `/mcp` and at the path of the metadata.
 */
export function mcpHandler({ authenticate, url, ...bounds }: McpHandlerOptions): McpHandler {
  const endpoint = new McpEndpoint(bounds);
  const guard = requestGuard(url === undefined ? [] : [new URL(url).hostname]);
  const answer = async (request: Request): Promise<Response> => {
    const sent = new URL(request.url);
    const resource = new URL(url ?? `${sent.origin}${MCP_PATH}`);
    const refusal = guard(request.headers);
    if (refusal !== undefined) return errorResponse(403, 'forbidden', refusal);
    if (sent.pathname.startsWith(METADATA_PATH)) return Response.json(metadataOf(resource));
    const secret = secretOf(request.headers);
    try {
      if (secret === undefined) throw new AgentkeepError('unauthorized');
      const agent = await authenticate(secret, request);
      const settings = connectionSettings(sent.searchParams);
      return await endpoint.answer(request, { ...settings, agent });
    } catch (cause) {
      return refusalOf(cause, challengeOf(resource, secret !== undefined));
    }
  };
  return { fetch: answer };
}

/** Returns the Bearer token of a request. */
function secretOf(headers: Headers): string | undefined {
  return /^bearer ([\x21-\x7e]+)$/i.exec(headers.get('authorization') ?? '')?.[1];
}

function refusalOf(cause: unknown, challenge: string): Response {
  const error =
    cause instanceof AgentkeepError ? cause : new AgentkeepError('internal_error', { cause });
  const status = statuses[error.kind] ?? 500;
  const headers = status === 401 ? { 'WWW-Authenticate': challenge } : {};
  return errorResponse(status, error.wireCode, error.message, headers);
}

function errorResponse(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error: { code, message } }, { status, headers });
}
