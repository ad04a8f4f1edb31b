/** Model Context Protocol over HTTP, for a program that serves requests itself. */
import { type Agent, AgentkeepError, type ErrorKind } from '@agentkeep/client';
import { mcpMount, type McpMountOptions } from './mcp-mount.js';
import { METADATA_PATH } from './resource-metadata.js';

/** Options of {@link mcpHandler}. */
export interface McpHandlerOptions extends McpMountOptions {
  /**
   * Proves the secret of a request and returns its agent: `keep.authenticate`, or a function that
   * connects to a server. Called for each request.
   */
  readonly authenticate: (secret: string, request: Request) => Promise<Agent>;
}

/** Answers MCP requests and requests for its metadata. */
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
 * as the agent that its Bearer token proves. Mount `fetch` at `/mcp` and at the path of the
 * metadata, `/.well-known/oauth-protected-resource/mcp`.
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
    const sent = new URL(request.url);
    const refusal = mount.refusalOf(hostNamed(request, sent));
    if (refusal !== undefined) return errorResponse(403, 'forbidden', refusal);
    if (sent.pathname.startsWith(METADATA_PATH)) return Response.json(mount.metadataOf(sent));
    const secret = secretOf(request.headers);
    try {
      if (secret === undefined) throw new AgentkeepError('unauthorized');
      return await mount.answer(request, await authenticate(secret, request));
    } catch (cause) {
      return refusedResponse(cause, mount.challengeOf(sent, secret !== undefined));
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

function refusedResponse(cause: unknown, challenge: string): Response {
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
