/** Model Context Protocol over HTTP, for a program that serves requests itself. */
import { type Agent, AgentkeepError, type ErrorKind } from '@agentkeep/client';
import { mcpMount, type McpMountOptions } from './mcp-mount.js';

/** Options of {@link mcpHandler}. */
export interface McpHandlerOptions extends McpMountOptions {
  /**
   * Proves the secret of a request and returns its agent: `keep.authenticate`, or a function that
   * connects to a server. Called for each request.
   */
  readonly authenticate: (secret: string, request: Request) => Promise<Agent>;
}

/** Answers MCP requests. */
export interface McpHandler {
  /** Answers a request; works without `this`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends all subscriptions. */
  readonly close: () => void;
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
 * Returns a handler of MCP requests, of the revisions 2025-11-25 and 2026-07-28. Each request acts
 * as the agent that its Bearer token proves. Mount `fetch` at `/mcp`.
 * @throws {TypeError} when the URL cannot be parsed.
 * @example
 * ```ts
 * import { mcpHandler } from '@agentkeep/mcp';
 * import { connect } from '@agentkeep/client';
 *
 * const { fetch } = mcpHandler({
 *   authenticate: async (secret) => {
 *     const agent = connect({ url: 'http://127.0.0.1:7474', secret });
 *     await agent.whoAmI();
 *     return agent;
 *   },
 * });
 * const answer = await fetch(new Request('http://localhost/mcp', { method: 'POST' }));
 * console.log(answer.status); // 401
 * ```
 */
export function mcpHandler({ authenticate, ...options }: McpHandlerOptions): McpHandler {
  const mount = mcpMount(options);
  const answer = async (request: Request): Promise<Response> => {
    const refusal = mount.refusalOf(hostNamed(request, new URL(request.url)));
    if (refusal !== undefined) return errorResponse(403, 'forbidden', refusal);
    const secret = secretOf(request.headers);
    try {
      if (secret === undefined) throw new AgentkeepError('unauthorized');
      return await mount.answer(request, await authenticate(secret, request));
    } catch (cause) {
      return refusedResponse(cause, request.headers);
    }
  };
  return { fetch: answer, close: mount.close };
}

/** Returns headers with a host: a `Request` that did not come from a socket names it in its URL. */
function hostNamed({ headers }: Request, { host }: URL): Pick<Headers, 'get'> {
  return { get: (name) => headers.get(name) ?? (name === 'host' ? host : null) };
}

/** Returns the Bearer token of a request. */
function secretOf(headers: Headers): string | undefined {
  return /^bearer ([\x21-\x7e]+)$/i.exec(headers.get('authorization') ?? '')?.[1];
}

function refusedResponse(cause: unknown, sent: Headers): Response {
  const error =
    cause instanceof AgentkeepError ? cause : new AgentkeepError('internal_error', { cause });
  const status = statuses[error.kind] ?? 500;
  const headers = status === 401 ? { 'WWW-Authenticate': challengeTo(sent) } : {};
  return errorResponse(status, error.wireCode, error.message, headers);
}

/** Only a Bearer token gets an error code (RFC 6750). */
function challengeTo(sent: Headers): string {
  const isBearer = /^bearer\b/i.test(sent.get('authorization') ?? '');
  return isBearer ? 'Bearer error="invalid_token"' : 'Bearer';
}

function errorResponse(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error: { code, message } }, { status, headers });
}
