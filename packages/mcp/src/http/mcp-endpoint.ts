/** Answers MCP requests of callers that are known. */
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { McpCaller } from '../mcp-caller.js';
import { followChanges } from '../resources/follow-changes.js';
import { serverOf } from '../server-of.js';
import { Places } from './places.js';
import { SubscriptionBus } from './subscription-bus.js';

/** Bounds of an endpoint. */
export interface McpBounds {
  /** Longest request, in bytes. Default: 2 MiB, enough for any command of Agentkeep. */
  readonly requestBytes?: number | undefined;
  /** Streams of subscriptions that are open at once. Default: 1,024. */
  readonly subscriptions?: number | undefined;
  /** Those of one credential. Default: 8. */
  readonly subscriptionsPerCaller?: number | undefined;
}

const REQUEST_BYTES = 2_097_152;
const SUBSCRIPTIONS = 1_024;
const SUBSCRIPTIONS_PER_CALLER = 8;

/** A request for a stream names many URIs at most, each of which is compared with each change. */
const LISTEN_BYTES = 65_536;

/** Answers requests; one for all callers. */
export class McpEndpoint {
  readonly #requestBytes: number;
  readonly #places: Places;
  readonly #streams = new Set<McpHttpHandler>();

  constructor(bounds: McpBounds = {}) {
    this.#requestBytes = bounds.requestBytes ?? REQUEST_BYTES;
    this.#places = new Places({
      all: bounds.subscriptions ?? SUBSCRIPTIONS,
      caller: bounds.subscriptionsPerCaller ?? SUBSCRIPTIONS_PER_CALLER,
    });
  }

  /** Answers one request as a caller. */
  async answer(request: Request, caller: McpCaller): Promise<Response> {
    // The SDK refuses a request whose header names another method than its body.
    if (request.headers.get('mcp-method') === 'subscriptions/listen') {
      return this.#listen(request, caller);
    }
    const bounds = { maxRequestBodySize: this.#requestBytes, maxSubscriptions: 0 };
    const handler = createMcpHandler(({ era }) => serverIn(era, caller), bounds);
    return handler.fetch(request);
  }

  /** Ends all subscriptions. */
  close(): void {
    for (const stream of this.#streams) void stream.close();
  }

  /** Opens a stream of the changes that the caller may see. */
  async #listen(request: Request, caller: McpCaller): Promise<Response> {
    const { id } = await caller.agent.whoAmI();
    const leave = this.#places.take(id);
    const over = new AbortController();
    const end = (): void => {
      over.abort();
      this.#streams.delete(handler);
      leave?.();
    };
    const bus = new SubscriptionBus(end);
    const handler = createMcpHandler(({ era }) => serverIn(era, caller), {
      bus,
      maxSubscriptions: leave === undefined ? 0 : 1,
      maxRequestBodySize: LISTEN_BYTES,
    });
    this.#streams.add(handler);
    try {
      if (leave !== undefined) {
        await followChanges(caller, {
          changed: (uri) => bus.publish({ kind: 'resource_updated', uri }),
          ended: () => void handler.close(),
          signal: over.signal,
        });
      }
      const response = await handler.fetch(request);
      if (!bus.isOpen) end();
      return response;
    } catch (error) {
      end();
      throw error;
    }
  }
}

/** The revisions before 2026-07-28 are served without sessions, so nothing can be told later. */
function serverIn(era: 'legacy' | 'modern', caller: McpCaller) {
  return serverOf(caller, { canSubscribe: era === 'modern' });
}
