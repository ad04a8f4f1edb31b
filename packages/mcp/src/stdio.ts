/** Model Context Protocol over standard input and output. */
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { ExactLines } from './exact-lines.js';
import type { McpCaller } from './mcp-caller.js';
import { followChanges } from './resources/follow-changes.js';
import { registerSubscribers, Subscribers } from './resources/subscribers.js';
import { serverOf } from './server-of.js';

export type { McpCaller } from './mcp-caller.js';

/** A connection over standard input and output. */
export interface McpStdio {
  /** Resolves when the client has closed its end, or `close()` was called. */
  readonly closed: Promise<void>;
  /** Ends the connection. */
  readonly close: () => Promise<void>;
}

/** Messages after which changes are reported. */
const SUBSCRIBING = new Set(['subscriptions/listen', 'resources/subscribe']);

/**
 * Serves one client over standard input and output of this process, which must write nothing else
 * to standard output. Both eras of the protocol are served; the first message decides.
 */
export function serveMcpStdio(caller: McpCaller): McpStdio {
  const over = new AbortController();
  const subscribers = new Subscribers();
  const lines = process.stdin.pipe(new ExactLines());
  const transport = new StdioServerTransport(lines);
  const served = serveStdio(
    ({ era }) => {
      const server = serverOf(caller, { canSubscribe: true });
      registerSubscribers(server, subscribers, era);
      return server;
    },
    { transport },
  );
  const follow = once(() =>
    followChanges(caller, {
      changed: (uri) => subscribers.notify(uri),
      ended: () => void served.close(),
      signal: over.signal,
    }),
  );
  const deliver = transport.onmessage;
  // A subscription counts from the message on, so the feed is followed before it is answered.
  transport.onmessage = (message) => {
    if (!isSubscribing(message)) deliver?.(message);
    else void follow().finally(() => deliver?.(message));
  };
  const closed = new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      over.abort();
      process.stdin.unpipe(lines).pause();
      onclose?.();
      resolve();
    };
  });
  return { closed, close: () => served.close() };
}

function isSubscribing(message: JSONRPCMessage): boolean {
  return 'method' in message && SUBSCRIBING.has(message.method);
}

/** Runs once; a failure is tried again by the next call, and never thrown. */
function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run().catch(() => {
      running = undefined;
    });
    return running;
  };
}
