/** Answers MCP requests of authenticated callers. */
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { McpCaller } from '../mcp-caller.js';
import { followChanges } from '../resources/follow-changes.js';
import { serverOf } from '../server-of.js';
import { answerBatch } from './message-batch.js';
import { Slots } from './slots.js';
import { sentMessages } from './sent-messages.js';
import { SubscriptionBus } from './subscription-bus.js';

/** Bounds of an endpoint. */
export interface McpBounds {
  /** Longest request, in bytes. Default: 2 MiB, enough for any command of Agentkeep. */
  readonly requestBytes?: number | undefined;
  /** Streams of subscriptions that are open at once. Default: 1,024. */
  readonly subscriptions?: number | undefined;
  /** Those of one tenant. Default: 256. */
  readonly subscriptionsPerTenant?: number | undefined;
  /** Those of one credential. Default: 8. */
  readonly subscriptionsPerCaller?: number | undefined;
}

const REQUEST_BYTES = 2_097_152;
const SUBSCRIPTIONS = 1_024;
const SUBSCRIPTIONS_PER_TENANT = 256;
const SUBSCRIPTIONS_PER_CALLER = 8;

/**
 * A request for a stream names a bounded number of URIs, because each is compared with each change.
 */
const LISTEN_BYTES = 65_536;

/** Admits the next message of a request; throws an `AgentkeepError` if it is refused. */
export type Admission = () => Promise<void>;

/** Answers requests; one for all callers. */
export class McpEndpoint {
  readonly #requestBytes: number;
  readonly #slots: Slots;
  readonly #streams = new Set<McpHttpHandler>();

  constructor(bounds: McpBounds = {}) {
    this.#requestBytes = bounds.requestBytes ?? REQUEST_BYTES;
    this.#slots = new Slots({
      all: bounds.subscriptions ?? SUBSCRIPTIONS,
      tenant: bounds.subscriptionsPerTenant ?? SUBSCRIPTIONS_PER_TENANT,
      caller: bounds.subscriptionsPerCaller ?? SUBSCRIPTIONS_PER_CALLER,
    });
  }

  /**
   * Answers one request as a caller.
   * @throws {AgentkeepError} what `admit` throws for the only message of the request.
   */
  async answer(request: Request, caller: McpCaller, admit: Admission): Promise<Response> {
    // The SDK refuses a request whose header names another method than its body.
    const isListen = request.headers.get('mcp-method') === 'subscriptions/listen';
    const bytesMax = isListen ? LISTEN_BYTES : this.#requestBytes;
    const sent = await sentMessages(request, bytesMax);
    if (sent instanceof Response) return sent;
    if (sent !== undefined && 'batch' in sent) {
      const { url, method, headers, signal } = request;
      const handler = handlerOf(caller);
      return answerBatch(sent.batch, {
        admit,
        answer: (message) =>
          handler.fetch(new Request(url, { method, headers, signal }), { parsedBody: message }),
      });
    }
    await admit();
    const parsedBody = sent?.one;
    if (isListen) return this.#listen(request, parsedBody, caller);
    return handlerOf(caller).fetch(request, { parsedBody });
  }

  /** Ends all subscriptions. */
  close(): void {
    for (const stream of this.#streams) void stream.close();
  }

  /** Opens a stream of the changes that the caller may see. */
  async #listen(request: Request, parsedBody: unknown, caller: McpCaller): Promise<Response> {
    const { id, tenant_id: tenant } = await caller.agent.whoAmI();
    const leave = this.#slots.take({ tenant, caller: id });
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
    });
    this.#streams.add(handler);
    try {
      if (leave !== undefined) {
        await followChanges(caller, {
          ready: () => bus.ready(),
          changed: (uri) => bus.publish({ kind: 'resource_updated', uri }),
          ended: () => void handler.close(),
          signal: over.signal,
        });
      }
      const response = await handler.fetch(request, { parsedBody });
      if (bus.isOpen && response.body !== null) {
        return new Response(bus.bodyOf(response.body), response);
      }
      end();
      return response;
    } catch (error) {
      end();
      throw error;
    }
  }
}

/** Returns the handler of the messages of a caller that open no stream of changes. */
function handlerOf(caller: McpCaller): McpHttpHandler {
  return createMcpHandler(({ era }) => serverIn(era, caller), { maxSubscriptions: 0 });
}

/**
 * The revisions before 2026-07-28 are served without sessions, so nothing can be reported later.
 */
function serverIn(era: 'legacy' | 'modern', caller: McpCaller) {
  return serverOf(caller, { canSubscribe: era === 'modern' });
}
